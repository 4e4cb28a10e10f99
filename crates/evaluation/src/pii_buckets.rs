//! Detected and annotated personal data of all suites, by type, language and format.
//!
//! A found span that nobody marked is a false alarm only if the suite marks that type somewhere: suites differ in what
//! they annotate.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{
    buckets::named,
    confusion_matrix::Counts,
    pii::{KindReport, compare, kind, summed},
    report::Evaluated,
    suite::LabeledText,
};

/// Bucket of texts without a language or format.
const UNKNOWN: &str = "unknown";

/// Personal data of all annotated texts, cut three ways. Empty without any.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PiiBuckets {
    /// By PII type.
    #[serde(rename = "type")]
    pub kinds: Vec<KindReport>,
    /// By language code. Empty if no text has one.
    pub language: Vec<PiiBucket>,
    /// By format, such as `json`. Empty if no text has one.
    pub format: Vec<PiiBucket>,
}

/// Annotated texts that share a language or a format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PiiBucket {
    /// Its name; `unknown` for texts without one.
    pub bucket: String,
    /// Number of texts.
    pub texts: usize,
    /// All types together, named `all`.
    pub all: KindReport,
    /// Each type that is marked or found in it.
    pub kinds: Vec<KindReport>,
}

type ByKind = BTreeMap<String, Counts>;

/// An annotated text with its counts.
struct Compared<'r> {
    text: &'r LabeledText,
    counts: ByKind,
}

/// Cuts the annotated texts into buckets.
pub(crate) fn pii_buckets(all: &[&Evaluated<'_>]) -> PiiBuckets {
    let mut marked: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (row, _) in all {
        let kinds = row.spans.iter().flatten().map(|span| kind(&span.kind));
        marked.entry(&row.suite).or_default().extend(kinds);
    }
    let compared: Vec<_> = all.iter().filter_map(|one| compared(one, &marked)).collect();
    let cut = |name: fn(&LabeledText) -> &str| {
        let mut by_name: BTreeMap<String, Vec<&Compared<'_>>> = BTreeMap::new();
        for one in &compared {
            by_name.entry(named(name(one.text), UNKNOWN)).or_default().push(one);
        }
        if by_name.keys().all(|name| name == UNKNOWN) {
            return Vec::new();
        }
        by_name.into_iter().map(|(name, some)| bucket(name, &some)).collect()
    };
    PiiBuckets {
        kinds: reports(&added(compared.iter())),
        language: cut(|text| &text.lang),
        format: cut(|text| &text.format),
    }
}

fn compared<'r>(one: &Evaluated<'r>, marked: &BTreeMap<&str, BTreeSet<String>>) -> Option<Compared<'r>> {
    let (text, prediction) = one;
    let spans = text.spans.as_deref()?;
    let count = |kind: &String| {
        let mut counts = Counts::default();
        compare(kind, &prediction.pii, spans, &mut counts);
        (kind.clone(), counts)
    };
    Some(Compared { text, counts: marked.get(text.suite.as_str())?.iter().map(count).collect() })
}

fn bucket(bucket: String, some: &[&Compared<'_>]) -> PiiBucket {
    let by_kind = added(some.iter().copied());
    let mut all = Counts::default();
    for counts in by_kind.values() {
        all.add(*counts);
    }
    PiiBucket { bucket, texts: some.len(), all: summed("all".to_owned(), all), kinds: reports(&by_kind) }
}

fn added<'c, 'r: 'c>(some: impl Iterator<Item = &'c Compared<'r>>) -> ByKind {
    let mut sums = ByKind::new();
    for (kind, counts) in some.flat_map(|one| &one.counts) {
        sums.entry(kind.clone()).or_default().add(*counts);
    }
    sums
}

fn reports(by_kind: &ByKind) -> Vec<KindReport> {
    let seen = by_kind.iter().filter(|(_, counts)| **counts != Counts::default());
    seen.map(|(kind, counts)| summed(kind.clone(), *counts)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        report::{Prediction, evaluate},
        suite::Marked,
    };

    fn span(start: usize, kind: &str) -> Marked {
        Marked { start, end: start + 2, kind: kind.to_owned() }
    }

    fn text(suite: &str, lang: &str, format: &str, spans: Vec<Marked>) -> LabeledText {
        let (suite, lang, format) = (suite.to_owned(), lang.to_owned(), format.to_owned());
        LabeledText { suite, lang, format, spans: Some(spans), ..LabeledText::default() }
    }

    /// Finds an e-mail address and a web address in each text.
    fn find_two(_: &LabeledText) -> Prediction {
        Prediction { pii: vec![span(0, "email"), span(5, "url")], ..Prediction::default() }
    }

    fn buckets(rows: &[LabeledText]) -> PiiBuckets {
        evaluate(rows, &[].into(), find_two).pii
    }

    #[test]
    fn recall_and_precision_are_by_type_language_and_format() {
        let rows = [
            text("a", "de", "json", vec![span(0, "EMAIL"), span(9, "EMAIL")]),
            text("a", "fr", "", vec![]),
            text("b", "fr", "csv", vec![span(5, "url")]),
            LabeledText { lang: "it".to_owned(), ..LabeledText::default() },
        ];
        let cut = buckets(&rows);
        let email = Counts { hits: 1, misses: 1, false_alarms: 1, passes: 0 };
        let url = Counts { hits: 1, ..Counts::default() };
        let of = |kinds: &[KindReport]| -> Vec<_> {
            kinds.iter().map(|one| (one.kind.clone(), one.counts)).collect()
        };
        assert_eq!(of(&cut.kinds), [("email".into(), email), ("url".into(), url)], "suite a marks no url");
        let names = |buckets: &[PiiBucket]| -> Vec<_> {
            buckets.iter().map(|one| (one.bucket.clone(), one.texts)).collect()
        };
        assert_eq!(names(&cut.language), [("de".into(), 1), ("fr".into(), 2)]);
        assert_eq!(names(&cut.format), [("csv".into(), 1), ("json".into(), 1), ("unknown".into(), 1)]);
        let french = &cut.language[1];
        assert_eq!((french.all.recall, french.all.precision), (Some(1.0), Some(0.5)));
        assert_eq!(of(&french.kinds).len(), 2);
        assert_eq!((cut.format[1].all.recall, cut.format[1].all.precision), (Some(0.5), Some(1.0)));
    }

    #[test]
    fn without_languages_and_formats_there_are_types_only() {
        let cut = buckets(&[text("a", "", "", vec![span(0, "email")])]);
        assert_eq!((cut.kinds.len(), cut.language.len(), cut.format.len()), (1, 0, 0));
        assert_eq!(buckets(&[LabeledText::default()]), PiiBuckets::default());
    }
}
