//! Words that label a value, from `labels.txt`: one loader for every type and language.

use std::{collections::BTreeMap, sync::LazyLock};

use aho_corasick::{AhoCorasick, MatchKind};
use unicode_normalization::{UnicodeNormalization as _, is_nfkc};

use crate::span::Span;

const FILE: &str = include_str!("labels.txt");

/// The type that a label gives its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A password.
    Password,
    /// A key or token of a program.
    Secret,
    /// The credentials of a request (RFC 9110, section 11.6.2).
    Authorization,
    /// The cookies of a request or an answer (RFC 6265).
    Cookie,
    /// A name under which somebody signs in.
    Username,
    /// A bank account number.
    BankAccount,
    /// A passport number.
    Passport,
    /// A driver's license number.
    DriverLicense,
    /// A medical record number.
    MedicalRecord,
    /// A date of birth.
    BirthDate,
    /// A telephone number.
    Phone,
    /// A tax number.
    TaxId,
}

impl Kind {
    const SECTIONS: [(&'static str, Self); 12] = [
        ("password", Self::Password),
        ("api_key", Self::Secret),
        ("authorization", Self::Authorization),
        ("cookie", Self::Cookie),
        ("username", Self::Username),
        ("bank_account", Self::BankAccount),
        ("passport", Self::Passport),
        ("driver_license", Self::DriverLicense),
        ("medical_record", Self::MedicalRecord),
        ("date_of_birth", Self::BirthDate),
        ("phone_number", Self::Phone),
        ("tax_id", Self::TaxId),
    ];
}

/// A label in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub kind: Kind,
    pub span: Span,
    /// True if it counts only with other evidence.
    pub is_weak: bool,
}

/// The words of a section, each with whether it is weak.
pub(in crate::pii) fn words(section: &'static str) -> impl Iterator<Item = (&'static str, bool)> {
    let lines = FILE.lines().map(str::trim).skip_while(move |line| {
        line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) != Some(section)
    });
    let lines = lines.skip(1).take_while(|line| !line.starts_with('['));
    let lists = lines.filter_map(|line| line.split_once(' ')).map(|(_, words)| words);
    lists.flat_map(|words| words.split('|')).map(|word| match word.strip_suffix('?') {
        Some(word) => (word, true),
        None => (word, false),
    })
}

/// The labels of a kind of number or date that need no other evidence, for the search of context.
pub(in crate::pii) fn sure_words(section: &'static str) -> impl Iterator<Item = &'static str> {
    words(section).filter(|(_, is_weak)| !is_weak).map(|(word, _)| word)
}

struct Labels {
    automaton: AhoCorasick,
    meanings: Vec<(Kind, bool)>,
}

static LABELS: LazyLock<Labels> = LazyLock::new(|| {
    let mut meanings = BTreeMap::new();
    for (section, kind) in Kind::SECTIONS {
        for (word, is_weak) in words(section) {
            for spelling in joined(word).iter().flat_map(|word| spellings(word)) {
                meanings.entry(spelling).or_insert((kind, is_weak));
            }
        }
    }
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        // Prose leaves the automaton within a few letters: those states are tables.
        .dense_depth(4)
        .build(meanings.keys())
        .expect("a thousand short words make an automaton");
    Labels { automaton, meanings: meanings.into_values().collect() }
});

/// The meaning of a heading that is a label and nothing else, in lower case with single blanks.
pub(in crate::pii) fn exact(heading: &str) -> Option<Kind> {
    let found = LABELS.automaton.find(heading)?;
    let rest = heading[found.end()..].trim_matches([' ', '.']);
    let is_whole = found.start() == 0 && (rest.is_empty() || NUMBERS.binary_search(&rest).is_ok());
    is_whole.then(|| LABELS.meanings[found.pattern().as_usize()].0)
}

/// Every label in `text` at the beginning of a word, from left to right.
pub(super) fn all(text: &str) -> impl Iterator<Item = Label> {
    LABELS.automaton.find_iter(text).filter_map(move |found| {
        let (kind, is_weak) = LABELS.meanings[found.pattern().as_usize()];
        let span = Span::new(found.start(), found.end());
        begins_word(text, span).then_some(Label { kind, span, is_weak })
    })
}

static NUMBERS: LazyLock<Vec<&'static str>> = LazyLock::new(|| sorted("number"));
static VERBS: LazyLock<Vec<&'static str>> = LazyLock::new(|| sorted("verbs"));

static REMARKS: LazyLock<Vec<&'static str>> = LazyLock::new(|| sorted("remarks"));

/// Returns whether the word, in lower case, is said of values instead of being one: `required`.
pub(in crate::pii) fn is_remark(word: &str) -> bool {
    REMARKS.binary_search(&word).is_ok()
}

fn sorted(section: &'static str) -> Vec<&'static str> {
    let mut all: Vec<_> = words(section).map(|(word, _)| word).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns whether the word, in lower case, says that a label is that of a number.
pub(super) fn is_number_word(word: &str) -> bool {
    NUMBERS.binary_search(&word).is_ok()
}

/// Returns whether the word, in lower case, is a verb between a label and its value.
pub(super) fn is_verb(word: &str) -> bool {
    VERBS.binary_search(&word).is_ok()
}

/// A label of several words as keys in files join them.
pub(in crate::pii) fn joined(word: &str) -> Vec<String> {
    if !word.contains(' ') {
        return vec![word.to_owned()];
    }
    [" ", "_", "-", ".", ""].iter().map(|joint| word.replace(' ', joint)).collect()
}

/// The automaton folds ASCII; capitals of other letters are spelled out. Views are in NFKC, which takes some Thai vowels
/// apart.
pub(in crate::pii) fn spellings(word: &str) -> Vec<String> {
    let mut all = vec![word.to_lowercase()];
    if !word.is_ascii() {
        let mut rest = word.chars();
        all.extend(rest.next().map(|first| first.to_uppercase().chain(rest).collect()));
        all.push(word.to_uppercase());
    }
    if !is_nfkc(word) {
        all.push(word.nfkc().collect());
    }
    all.dedup();
    all
}

/// A long label may end a compound (`Kundenpasswort`); a short one is a word of its own, or a part of `dbPassword`.
fn begins_word(text: &str, label: Span) -> bool {
    const COMPOUND: usize = 7;
    let first_is_capital = label.of(text).starts_with(char::is_uppercase);
    text[..label.start].chars().next_back().is_none_or(|before| {
        let camel_case = before.is_lowercase() && first_is_capital;
        !before.is_alphanumeric() || before >= '\u{590}' || camel_case || label.len() >= COMPOUND
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_names_a_language_and_holds_words() {
        for line in FILE.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '['])) {
            let (language, words) = line.split_once(' ').expect("a language and its words");
            assert_eq!(language.len(), 2, "{line}");
            assert!(words.split('|').all(|word| !word.trim().is_empty() && word == word.trim()), "{line}");
        }
    }

    #[test]
    fn a_label_is_found_in_any_case_and_joint() {
        for (text, kind) in [
            ("DB_PASSWORD", Kind::Password),
            ("dbPassword", Kind::Password),
            ("Kundenkennwort", Kind::Password),
            ("КОНТО или ПАРОЛЬ", Kind::Password),
            ("X-Api-Key", Kind::Secret),
            ("accessToken", Kind::Secret),
            ("numer_rachunku", Kind::BankAccount),
            ("我的密码", Kind::Password),
        ] {
            assert_eq!(all(text).map(|label| label.kind).last(), Some(kind), "{text}");
        }
    }

    #[test]
    fn part_of_another_word_is_no_label() {
        for text in ["compass", "upwards", "tokenizer"] {
            assert!(all(text).all(|label| label.span.start == 0), "{text}");
        }
    }
}
