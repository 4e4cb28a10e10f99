//! Names, addresses and similar values to fill frames with.

use std::collections::BTreeMap;

use rand::{RngExt as _, SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};

use super::corpus::Text;

const GIVEN: &str = include_str!("../../../crates/engine/src/pii/types/person_name/given.txt");
const SURNAMES: &str = include_str!("../../../crates/engine/src/pii/types/person_name/surnames.txt");

/// Beginnings, middles and ends of names that no list has.
const BEGINNINGS: [&str; 30] = [
    "Bar", "Kel", "Tor", "Wen", "Mar", "Od", "Ze", "Quis", "Hol", "Ast", "Brun", "Dri", "Fen", "Gar", "Ik",
    "Jor", "Lun", "Nak", "Ols", "Pra", "Rud", "Sel", "Tam", "Ul", "Vor", "Yil", "Chu", "Osh", "Ade", "Tch",
];
const MIDDLES: [&str; 16] =
    ["a", "e", "i", "o", "u", "an", "el", "ing", "or", "ash", "ov", "ere", "ula", "imi", "ach", ""];
const ENDS: [&str; 24] = [
    "ton", "ley", "sen", "ski", "ez", "etti", "aud", "mann", "berg", "ova", "ide", "oglu", "wala", "nen",
    "ford", "eira", "sson", "ström", "dze", "quist", "ora", "elli", "ński", "ier",
];

/// Ends of given names.
const GIVEN_ENDS: [&str; 28] = [
    "a", "ia", "ina", "elle", "ette", "ra", "na", "lyn", "ine", "ah", "isha", "mila", "o", "us", "an", "en",
    "on", "ik", "as", "el", "ley", "son", "ani", "esh", "ito", "ward", "rick", "bert",
];

/// Values that frames are filled with.
pub struct Pools {
    values: BTreeMap<(String, String), Vec<String>>,
    given: Vec<&'static str>,
    surnames: Vec<&'static str>,
    random: StdRng,
}

impl Pools {
    /// Collects the annotated values of `texts` by language and kind, and names from the engine's lists.
    pub fn of(texts: &[Text], seed: u64) -> Self {
        let mut values = BTreeMap::<_, Vec<String>>::new();
        for text in texts {
            for mark in &text.marks {
                let key = (text.lang.clone(), mark.kind.clone());
                values.entry(key).or_default().push(mark.span.of(&text.text).to_owned());
            }
        }
        let random = StdRng::seed_from_u64(seed);
        Self { values, given: in_latin_letters(GIVEN), surnames: in_latin_letters(SURNAMES), random }
    }

    /// Draws a value of `kind` for a text of that language.
    pub fn draw(&mut self, kind: &str, lang: &str) -> String {
        match kind {
            "GIVEN" => self.given(),
            "SURNAME" => self.surname(),
            "PERSON" if self.random.random_bool(0.7) => self.full_name(),
            _ => self.seen(kind, lang),
        }
    }

    fn seen(&mut self, kind: &str, lang: &str) -> String {
        let key = |lang: &str| (lang.to_owned(), kind.to_owned());
        let pool = self.values.get(&key(lang)).or_else(|| self.values.get(&key("en")));
        pool.and_then(|pool| pool.choose(&mut self.random)).cloned().unwrap_or_default()
    }

    fn full_name(&mut self) -> String {
        let given = self.given();
        let surname = self.surname();
        match self.random.random_range(0..20) {
            0 => format!("{given} {}. {surname}", char::from(self.random.random_range(b'A'..=b'Z'))),
            1 => format!("{}. {surname}", given.chars().next().unwrap_or('A')),
            2 => format!("{given} {} {surname}", self.given()),
            3 => format!("{given} {surname}-{}", self.surname()),
            4 => format!(
                "{given} {} {surname}",
                ["de", "van", "van der", "von", "al", "di"][self.random.random_range(0..6)]
            ),
            5 => format!("{given} {surname}").to_uppercase(),
            6 => format!("{given} {surname} {}", self.surname()),
            _ => format!("{given} {surname}"),
        }
    }

    fn given(&mut self) -> String {
        match self.random.random_range(0..10) {
            0..=2 => self.invented(&GIVEN_ENDS),
            _ => chosen(&self.given, &mut self.random),
        }
    }

    fn surname(&mut self) -> String {
        if self.random.random_bool(0.6) {
            return chosen(&self.surnames, &mut self.random);
        }
        self.invented(&ENDS)
    }

    fn invented(&mut self, ends: &[&str]) -> String {
        let random = &mut self.random;
        [&BEGINNINGS[..], &MIDDLES, ends]
            .into_iter()
            .filter_map(|parts| parts.choose(random))
            .copied()
            .collect()
    }
}

fn in_latin_letters(list: &'static str) -> Vec<&'static str> {
    list.lines().filter(|name| name.starts_with(|c: char| c < '\u{250}')).collect()
}

fn chosen(names: &[&str], random: &mut StdRng) -> String {
    names.choose(random).copied().unwrap_or_default().to_owned()
}
