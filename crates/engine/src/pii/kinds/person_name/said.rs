//! Names that somebody introduces: "my name is …", "first_name: …", "Best regards, …".

use std::sync::LazyLock;

use super::{
    lists::{class, is_public, title_case},
    script,
    words::{self, Word},
};
use crate::{
    lexicon::Lexicon,
    pii::{Match, Scan},
    span::Span,
};

/// What an introduction promises.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Promise {
    /// The speaker's own name follows, whatever it is.
    Own,
    /// A label of a form; a separator and a value follow.
    Field,
    /// A label that also stands before other things.
    AnyField,
    /// A person follows, if it is a known name.
    Person,
    /// A name stands on the next line.
    SignOff,
    /// A name in Chinese, Japanese or Korean stands before it.
    Suffix,
}

const INTRODUCTIONS: [(Promise, &str); 6] = [
    (
        Promise::Own,
        "my name is|my name's|my full name is|i am called|i'm called|people call me|ich heiße|ich heisse|mein name ist|\
         je m'appelle|je m’appelle|mon nom est|me llamo|mi nombre es|mi chiamo|il mio nome è|meu nome é|me chamo|\
         o meu nome é|mijn naam is|ik heet|nazywam się|mam na imię|benim adım|adım|меня зовут|моё имя|мое имя|\
         мене звати|моє ім'я|jag heter|jeg heter|mit navn er|nimeni on|a nevem|jmenuji se|numele meu este|mă numesc|\
         zovem se|με λένε|tên tôi là|nama saya|اسمي|मेरा नाम|שמי|我叫|我的名字是|我的名字叫|我名叫|名字叫|私の名前は|\
         名前は|제 이름은|내 이름은",
    ),
    (
        Promise::Field,
        "first_name|firstname|first name|last_name|lastname|last name|full_name|fullname|full name|given_name|givenname|\
         given name|family_name|family name|surname|maiden name|middle name|patient name|patient_name|patient|\
         customer name|customer_name|client name|employee name|applicant name|applicant|account holder|accountholder|\
         cardholder|cardholder name|card holder|beneficiary|contact person|contact name|emergency contact|next of kin|\
         tenant|recipient|signed by|signed|attn|attention|bill to|ship to|sold to|insured|policyholder|vorname|nachname|\
         name des patienten|ansprechpartner|prénom|prenom|nom de famille|nom complet|nombre completo|apellido|apellidos|\
         cognome|nome completo|sobrenome|voornaam|achternaam|imię i nazwisko|nazwisko|imię|ad soyad|soyadı|фио|фамилия|\
         имя|отчество|姓名|氏名|お名前|성명|이름",
    ),
    (
        Promise::AnyField,
        "name|nombre|nom|nome|naam|nume|contact|customer|client|employee|sender|author|owner|名前",
    ),
    (
        Promise::Person,
        "i am|i'm|this is|ich bin|je suis|soy|sono|eu sou|ik ben|jestem|ben|dear|hi|hello|patient|employee|customer|\
         client|tenant|colleague|coworker|my wife|my husband|my son|my daughter|my boss|my friend|my doctor|my sister|\
         my brother|my mother|my father|my neighbor|my neighbour|nurse|lieber|liebe|sehr geehrter|querida|querido|\
         chère|cher|cara|caro|hola|bonjour|hallo|пациент|пациентка|клиент|сотрудник",
    ),
    (
        Promise::SignOff,
        "regards|sincerely|yours truly|best wishes|cheers|many thanks|thank you|thanks|mit freundlichen grüßen|\
         viele grüße|liebe grüße|cordialement|bien à vous|saludos|atentamente|un saludo|cordiali saluti|distinti saluti|\
         atenciosamente|met vriendelijke groet|pozdrawiam|z poważaniem|saygılarımla|с уважением|med vänlig hälsning",
    ),
    (Promise::Suffix, "先生|女士|小姐|様|さん|と申します|씨|님"),
];

static PROMISES: LazyLock<Vec<Promise>> = LazyLock::new(|| {
    INTRODUCTIONS.iter().flat_map(|(promise, words)| words.split('|').map(|_| *promise)).collect()
});

static LEXICON: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon::new(INTRODUCTIONS.iter().flat_map(|(_, words)| words.split('|'))));

/// The names in the text that are introduced.
pub(super) fn find(scan: &Scan<'_>, found: &mut Vec<Match>) {
    let text = scan.text;
    for (introduction, Span { start, end }) in LEXICON.longest(text, scan.beginnings()) {
        let promise = PROMISES[introduction];
        if promise == Promise::Suffix {
            found.extend(before_suffix(text, start));
        } else if stands_alone(text, start, end) {
            found.extend(value_start(text, end, promise).and_then(|at| name_at(text, at, promise)));
        }
    }
}

fn before_suffix(text: &str, end: usize) -> Option<Match> {
    let start = script::name_before(&text[..end])?;
    let length = text[start..end].trim_end().len();
    Some(Match { span: Span::new(start, start + length), confidence: 0.7 })
}

/// Whether no letter or digit touches a word of a script that parts words.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() && !('\u{2e80}'..='\u{d7ff}').contains(&c);
    let before = text[..start].chars().next_back().is_some_and(is_letter);
    let first = text[start..].chars().next().is_some_and(is_letter);
    let last = text[..end].chars().next_back().is_some_and(is_letter);
    let after = text[end..].chars().next().is_some_and(is_letter);
    !((before && first) || (after && last))
}

/// Where the name begins that an introduction up to `end` promises.
fn value_start(text: &str, end: usize, promise: Promise) -> Option<usize> {
    let rest = &text[end..];
    let is_gap = |c: char| matches!(c, ' ' | '\t' | '"' | '\'' | ':' | '：' | '=' | '>' | '*' | '`');
    let value = match promise {
        Promise::SignOff => {
            let line = rest.trim_start_matches([',', '!', '.', ' ', '\r']);
            line.strip_prefix('\n')?.trim_start_matches(['\n', '\r', ' ', '-'])
        }
        Promise::Field | Promise::AnyField => {
            let value = rest.trim_start_matches(is_gap);
            let gap = &rest[..rest.len() - value.len()];
            gap.contains([':', '：', '=', '>']).then_some(value)?
        }
        _ => rest.trim_start_matches([' ', ':', '：', '"', '*']),
    };
    (rest.len() - value.len() <= 12).then(|| text.len() - value.len())
}

fn name_at(text: &str, at: usize, promise: Promise) -> Option<Match> {
    let rest = &text[at..];
    let own = matches!(promise, Promise::Own | Promise::Field | Promise::AnyField);
    let first = rest.chars().next()?;
    if first.is_uppercase() {
        return capitalised(text, at, promise);
    }
    if first.is_lowercase() {
        return (promise == Promise::Own).then(|| small(text, at)).flatten();
    }
    let length =
        own.then(|| script::name_length(rest, 2).or_else(|| script::caseless_length(rest))).flatten()?;
    Some(Match { span: Span::new(at, at + length), confidence: 0.85 })
}

fn capitalised(text: &str, at: usize, promise: Promise) -> Option<Match> {
    let mut run = Vec::new();
    words::read_run(text, at, &mut run);
    let titles = run.iter().take_while(|word| word.class.is_title()).count();
    let is_name = |word: &&Word<'_>| !word.class.is_everyday();
    let names = &run[titles..];
    let names = &names[..names.iter().take(4).take_while(is_name).count()];
    let (first, last) = (names.first()?, names.last()?);
    let span = Span::new(first.span.start, last.span.end);
    let is_public_name = is_public(span.of(text)) && promise != Promise::Own;
    let ends_a_thing = run.get(titles + names.len()).is_some_and(|word| word.class.is_organisation());
    let confidence = confidence(names, promise).filter(|_| !is_public_name && !ends_a_thing)?;
    Some(Match { span, confidence })
}

/// How sure the introduction and the names make us; `None` for not enough.
fn confidence(names: &[Word<'_>], promise: Promise) -> Option<f32> {
    let first = names[0].class;
    let last = names[names.len() - 1].class;
    let is_full = names.len() > 1;
    let is_known = first.is_plain_given() || (is_full && last.is_plain_surname());
    match promise {
        Promise::Own | Promise::Field if is_known || first.is_plain_surname() => Some(0.9),
        Promise::Own | Promise::Field if is_full => Some(0.85),
        Promise::Own => Some(0.7),
        Promise::Field => Some(0.6),
        Promise::AnyField if is_known && (is_full || last.is_plain_given()) => {
            Some(if is_full { 0.85 } else { 0.6 })
        }
        Promise::Person if is_known && is_full => Some(0.85),
        Promise::SignOff if is_known => Some(if is_full { 0.85 } else { 0.55 }),
        Promise::SignOff if is_full && names.len() < 4 => Some(0.6),
        _ => None,
    }
}

/// A name in lower case after an introduction: a known given name, and a known surname if one follows.
fn small(text: &str, at: usize) -> Option<Match> {
    let end = words::word_end(text, at);
    let given = class(&title_case(&text[at..end]));
    let next = end + 1;
    let surname_end = text.get(next..).map_or(end, |_| words::word_end(text, next));
    let has_surname = text.as_bytes().get(end) == Some(&b' ')
        && text.get(next..surname_end).is_some_and(|word| class(&title_case(word)).is_surname());
    let is_name = given.is_plain_given() || (given.is_given() && has_surname);
    let end = if has_surname { surname_end } else { end };
    is_name.then(|| Match { span: Span::new(at, end), confidence: if has_surname { 0.85 } else { 0.7 } })
}
