//! Word lists of names and other words, written from general knowledge, one word a line.

use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasherDefault, Hasher},
    sync::LazyLock,
};

/// What a word is known as; a word can be several things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::pii) struct Class(u8);

impl Class {
    /// Known as nothing.
    pub const UNKNOWN: Self = Self(0);

    const GIVEN: u8 = 1;
    const SURNAME: u8 = 2;
    const AMBIGUOUS: u8 = 4;
    const STOP: u8 = 8;
    const ORGANISATION: u8 = 16;
    const TITLE: u8 = 32;
    const WEAK_TITLE: u8 = 64;

    const fn is(self, flag: u8) -> bool {
        self.0 & flag != 0
    }

    /// Everything at once, as a number below 128.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Not known as anything.
    pub const fn is_unknown(self) -> bool {
        self.0 == 0
    }

    /// A given name, perhaps an everyday word as well.
    pub const fn is_given(self) -> bool {
        self.is(Self::GIVEN)
    }

    /// A given name that sentences do not use as another word.
    pub const fn can_begin_name(self) -> bool {
        self.is(Self::GIVEN) && !self.is(Self::STOP | Self::ORGANISATION)
    }

    /// A given name and nothing else.
    pub const fn is_plain_given(self) -> bool {
        self.is(Self::GIVEN) && !self.is(Self::AMBIGUOUS | Self::STOP | Self::ORGANISATION)
    }

    /// A surname, perhaps an everyday word as well.
    pub const fn is_surname(self) -> bool {
        self.is(Self::SURNAME)
    }

    /// A surname and neither a place, a thing nor a brand.
    pub const fn is_plain_surname(self) -> bool {
        self.is(Self::SURNAME) && !self.is(Self::AMBIGUOUS | Self::STOP | Self::ORGANISATION)
    }

    /// A name and an everyday word, a place or a thing as well.
    pub const fn is_ambiguous(self) -> bool {
        self.is(Self::AMBIGUOUS)
    }

    /// A word that sentences use, whatever else it is.
    pub const fn is_stop(self) -> bool {
        self.is(Self::STOP)
    }

    /// A word that makes what stands before it a place, a company or a thing.
    pub const fn is_organisation(self) -> bool {
        self.is(Self::ORGANISATION)
    }

    /// A word of everyday language, no part of a name unless it is known as one.
    pub const fn is_everyday(self) -> bool {
        self.is(Self::STOP | Self::ORGANISATION | Self::TITLE) && !self.is(Self::GIVEN | Self::SURNAME)
    }

    /// A title before a name.
    pub const fn is_title(self) -> bool {
        self.is(Self::TITLE | Self::WEAK_TITLE)
    }

    /// A title that is also another word, and needs a known name after it.
    pub const fn is_weak_title(self) -> bool {
        self.is(Self::WEAK_TITLE)
    }
}

const TITLES: &str = "Mr Mrs Ms Mx Mister Mstr Missus Mayoress Dr Prof Herr Frau Fräulein Señor Señora Señorita Sra Srta Monsieur Mme Mlle Signor \
    Signora Signorina Sig Dott Dottor Dottoressa Pani Sayın Dhr Mevr Mevrouw Meneer Senhor Senhora Doutor Doutora \
    Shri Smt Shrimati Господин Госпожа Гражданин Гражданка Herrn";
const WEAK_TITLES: &str = "Miss Doctor Professor Professeur Madame Pan Panu M Sr Don Doña Bay Bayan Hr Fru Sheikh Rev Reverend Capt Captain Sgt \
    Sergeant Lt Lieutenant Col Colonel Maj Cpl Officer Detective Judge Nurse Uncle Aunt Auntie Tante Onkel Oncle Tía Tío Zia Zio";

/// FNV-1a with a last mixing: nobody can add words to ours, so that they need no guard against made collisions.
#[derive(Default)]
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        self.0 = bytes.iter().fold(self.0, step);
    }

    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

static WORDS: LazyLock<HashMap<&'static str, Class, BuildHasherDefault<Fnv>>> = LazyLock::new(|| {
    let mut words = HashMap::with_capacity_and_hasher(32_768, BuildHasherDefault::default());
    for (list, flag) in [
        (include_str!("given.txt"), Class::GIVEN),
        (include_str!("surnames.txt"), Class::SURNAME),
        (include_str!("ambiguous.txt"), Class::AMBIGUOUS),
        (include_str!("stop.txt"), Class::STOP),
        (include_str!("organisations.txt"), Class::ORGANISATION),
        (TITLES, Class::TITLE),
        (WEAK_TITLES, Class::WEAK_TITLE),
    ] {
        for word in list.split_whitespace() {
            words.entry(word).or_insert_with(Class::default).0 |= flag;
        }
    }
    words
});

static PUBLIC: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("public.txt").lines().collect());

/// What `word` is known as, written in title case, upper case or (`given` and surnames in introductions) as given.
pub(in crate::pii) fn class(word: &str) -> Class {
    if let Some(class) = WORDS.get(word) {
        return *class;
    }
    if word.len() > 1 && word.chars().all(|c| c.is_uppercase() || !c.is_alphabetic()) {
        return WORDS.get(title_case(word).as_str()).copied().unwrap_or_default();
    }
    let parts = || word.split('-').map(|part| WORDS.get(part).copied().unwrap_or_default().0);
    if word.contains('-') { Class(parts().reduce(|all, part| all & part).unwrap_or(0)) } else { Class(0) }
}

/// The word with the first letter of each part in upper case and the others in lower case: `Jean-Luc`.
pub(super) fn title_case(word: &str) -> String {
    let mut written = String::with_capacity(word.len());
    let mut begins = true;
    for letter in word.chars() {
        if begins {
            written.extend(letter.to_uppercase());
        } else {
            written.extend(letter.to_lowercase());
        }
        begins = letter == '-';
    }
    written
}

/// Whether `name` (a full name, or a surname that means one person) is that of a person of public record.
pub(super) fn is_public(name: &str) -> bool {
    PUBLIC.contains(name)
}

/// Endings of surnames of many languages, for those that no list has.
const ENDINGS: [&str; 46] = [
    "ski", "ska", "cki", "cka", "wicz", "czyk", "sson", "sen", "dóttir", "ović", "ević", "oğlu", "oglu",
    "escu", "poulos", "opoulou", "akis", "shvili", "enko", "chuk", "ovich", "evich", "mann", "stein", "berg",
    "quist", "qvist", "ström", "gren", "ов", "ова", "ову", "овым", "овой", "ев", "ева", "еву", "евым",
    "евой", "ин", "ина", "ский", "ская", "енко", "ович", "овна",
];

/// Whether the word has the form of a surname.
pub(super) fn looks_like_surname(word: &str) -> bool {
    word.len() > 5 && ENDINGS.iter().any(|ending| word.ends_with(ending))
        || ["Mc", "Mac", "O'", "O’", "D'", "Fitz"]
            .iter()
            .any(|start| word.strip_prefix(start).is_some_and(|rest| rest.starts_with(char::is_uppercase)))
}
