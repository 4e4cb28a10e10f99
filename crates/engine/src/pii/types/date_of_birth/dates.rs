//! Dates in the notations that people write.

use std::{ops::RangeInclusive, sync::LazyLock};

use regex::{Captures, Regex};

use crate::{regex::pattern, span::Span};

/// Years in which living people may be born.
const YEARS: RangeInclusive<u32> = 1900..=2025;

static DATE: LazyLock<Regex> = LazyLock::new(|| {
    let forms = [
        r"(?P<y1>\d{4})\s?[-/.年년]\s?(?P<m1>\d{1,2})\s?[-/.月월]\s?(?P<d1>\d{1,2})[日일]?",
        r"(?P<a>\d{1,2})\s?[-/.]\s?(?P<b>\d{1,2})\s?[-/.]\s?(?P<y2>\d{4}|\d{2})",
        r"(?P<d3>\d{1,2})(?:\.\s?|(?:st|nd|rd|th|er|º|ª|-?го)?[\s-])(?:of\s|de\s|di\s)?(?P<m3>\p{L}[\p{L}\p{M}]{2,11})\.?,?[\s-](?:de\s|del\s|of\s)?(?P<y3>\d{4}|['’]\d{2}\b)",
        r"(?P<m4>\p{L}{3,10})\.?\s(?P<d4>\d{1,2})(?:st|nd|rd|th)?,?\s(?P<y4>\d{4})",
        r"(?P<y6>\d{4})\.?\s(?P<m6>\p{L}{3,12})\s(?P<d6>\d{1,2})",
        r"(?P<y5>(?:19|20)\d{2})(?P<m5>\d{2})(?P<d5>\d{2})",
    ];
    let era = r"(?P<era>明治|大正|昭和|平成|令和)\s?(?:\d{1,2}|元)年\s?\d{1,2}月\s?\d{1,2}日";
    pattern(&format!(r"{era}|\b(?:{})", forms.join("|")))
});

/// The first letters of months in many languages, lower case.
const MONTHS: &[&str] = &[
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
    "jän",
    "mär",
    "mai",
    "okt",
    "dez",
    "janv",
    "fév",
    "fev",
    "avr",
    "juin",
    "juil",
    "aoû",
    "déc",
    "ene",
    "abr",
    "ago",
    "dic",
    "gen",
    "mag",
    "giu",
    "lug",
    "set",
    "ott",
    "out",
    "mei",
    "maa",
    "mrt",
    "sty",
    "lut",
    "kwi",
    "maj",
    "cze",
    "lip",
    "sie",
    "wrz",
    "paź",
    "lis",
    "gru",
    "oca",
    "şub",
    "nis",
    "haz",
    "tem",
    "ağu",
    "eyl",
    "eki",
    "kas",
    "ara",
    "sij",
    "velj",
    "ožu",
    "svi",
    "srp",
    "kol",
    "ruj",
    "stu",
    "pro",
    "led",
    "úno",
    "uno",
    "bře",
    "dub",
    "kvě",
    "zář",
    "říj",
    "már",
    "ápr",
    "máj",
    "jún",
    "júl",
    "szep",
    "tam",
    "hel",
    "huh",
    "tou",
    "kes",
    "hei",
    "elo",
    "syy",
    "lok",
    "jou",
    "ian",
    "iun",
    "iul",
    "noi",
    "des",
    "agu",
    "янв",
    "фев",
    "мар",
    "апр",
    "мая",
    "май",
    "июн",
    "июл",
    "авг",
    "сен",
    "окт",
    "ноя",
    "дек",
    "січ",
    "лют",
    "бер",
    "кві",
    "тра",
    "чер",
    "лип",
    "сер",
    "вер",
    "жов",
    "лис",
    "гру",
    "ιαν",
    "φεβ",
    "μαρ",
    "απρ",
    "μαΐ",
    "μαϊ",
    "ιουν",
    "ιουλ",
    "αυγ",
    "σεπ",
    "οκτ",
    "νοε",
    "δεκ",
    "يناير",
    "फ़र",
    "जन",
    "मार्च",
    "अप्र",
    "मई",
    "जून",
    "जुला",
    "अग",
    "सित",
    "अक्",
    "दिस",
];

/// The first plausible date of birth in `window`; years of two digits only where `short` allows them.
pub(super) fn first(window: &str, short: bool) -> Option<Span> {
    plausible(window, short).next()
}

/// The last plausible date of birth in `window`.
pub(super) fn last(window: &str) -> Option<Span> {
    plausible(window, false).last()
}

fn plausible(window: &str, short: bool) -> impl Iterator<Item = Span> {
    DATE.captures_iter(window).filter_map(move |date| {
        let whole = date.get(0)?;
        let goes_on = window[whole.end()..].starts_with(|c: char| c.is_ascii_digit());
        (is_plausible(&date, short) && !goes_on).then(|| Span::new(whole.start(), whole.end()))
    })
}

fn is_plausible(date: &Captures<'_>, short: bool) -> bool {
    if date.name("era").is_some() {
        return true;
    }
    let text = |names: [&str; 5]| names.iter().find_map(|name| date.name(name)).map(|part| part.as_str());
    let number = |names| text(names).and_then(|part| part.parse::<u32>().ok());
    let is_year = text(["y1", "y2", "y3", "y4", "y6"])
        .or_else(|| date.name("y5").map(|year| year.as_str()))
        .is_some_and(|year| match year.len() {
            2 => short,
            4 => year.parse().is_ok_and(|year| YEARS.contains(&year)),
            _ => true,
        });
    if let (Some(a), Some(b)) = (number(["a"; 5]), number(["b"; 5])) {
        return is_year && (is_day_of_month(a, b) || is_day_of_month(b, a));
    }
    let is_day = number(["d1", "d3", "d4", "d5", "d6"]).is_some_and(|day| (1..=31).contains(&day));
    let is_month = text(["m1", "m3", "m4", "m5", "m6"]).is_some_and(is_month);
    is_year && is_day && is_month
}

const fn is_day_of_month(day: u32, month: u32) -> bool {
    day >= 1 && day <= 31 && month >= 1 && month <= 12
}

fn is_month(written: &str) -> bool {
    if let Ok(number) = written.parse::<u32>() {
        return (1..=12).contains(&number);
    }
    let lower = written.to_lowercase();
    MONTHS.iter().any(|month| lower.starts_with(month))
}
