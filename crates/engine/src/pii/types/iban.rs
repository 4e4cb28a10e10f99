//! International bank account numbers.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::{compact, settle, written_like},
    checksum::mod_97,
    shape::{fits, is_unbroken, repeats},
};

/// An IBAN: country, two check digits modulo 97 and an account number of the country's length (ISO 13616; SWIFT's IBAN
/// registry, release 99).
pub struct Iban;

impl PiiType for Iban {
    fn name(&self) -> &'static str {
        "iban"
    }

    fn context(&self) -> &'static [&'static str] {
        &["iban", "kontonummer", "bank account", "compte bancaire", "cuenta bancaria", "conto corrente"]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(15..=34)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        let usual = is_unbroken(candidate.written) || is_in_fours(candidate.written);
        (is_iban(candidate.compact) && usual).then_some(Certainty::Distinctive(0.99))
    }

    fn with_checksum(&self, value: String) -> String {
        let mut replaced = compact(&value);
        if country_length(&String::from_utf8_lossy(&replaced)).is_none_or(|length| length != replaced.len())
            && let Some((country, _)) = LENGTHS.iter().find(|(_, length)| *length == replaced.len())
        {
            replaced[..2].copy_from_slice(country.as_bytes());
        }
        settle(written_like(&value, &replaced), &[3, 2], is_iban)
    }
}

fn is_iban(compact: &str) -> bool {
    if country_length(compact) != Some(compact.len()) || !fits(&compact[2..4], "99") {
        return false;
    }
    let (head, account) = compact.split_at(4);
    !repeats(account) && mod_97(&[account, head].concat()) == 1 && !["00", "01", "99"].contains(&&head[2..])
}

fn is_in_fours(written: &str) -> bool {
    written.contains([' ', '-'])
        && written.split([' ', '-']).rev().skip(1).all(|group| group.len() == 4)
        && written.split([' ', '-']).next_back().is_some_and(|last| last.len() <= 4)
}

fn country_length(compact: &str) -> Option<usize> {
    let country = compact.get(..2)?;
    let place = LENGTHS.binary_search_by_key(&country, |(code, _)| code).ok()?;
    Some(LENGTHS[place].1)
}

// Letters and digits of an IBAN by country, in order of the country's code.
const LENGTHS: &[(&str, usize)] = &[
    ("AD", 24),
    ("AE", 23),
    ("AL", 28),
    ("AT", 20),
    ("AZ", 28),
    ("BA", 20),
    ("BE", 16),
    ("BG", 22),
    ("BH", 22),
    ("BI", 27),
    ("BR", 29),
    ("BY", 28),
    ("CH", 21),
    ("CR", 22),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DJ", 27),
    ("DK", 18),
    ("DO", 28),
    ("EE", 20),
    ("EG", 29),
    ("ES", 24),
    ("FI", 18),
    ("FK", 18),
    ("FO", 18),
    ("FR", 27),
    ("GB", 22),
    ("GE", 22),
    ("GI", 23),
    ("GL", 18),
    ("GR", 27),
    ("GT", 28),
    ("HN", 28),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IQ", 23),
    ("IS", 26),
    ("IT", 27),
    ("JO", 30),
    ("KW", 30),
    ("KZ", 20),
    ("LB", 28),
    ("LC", 32),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("LY", 25),
    ("MC", 27),
    ("MD", 24),
    ("ME", 22),
    ("MK", 19),
    ("MN", 20),
    ("MR", 27),
    ("MT", 31),
    ("MU", 30),
    ("NI", 28),
    ("NL", 18),
    ("NO", 15),
    ("OM", 23),
    ("PK", 24),
    ("PL", 28),
    ("PS", 29),
    ("PT", 25),
    ("QA", 29),
    ("RO", 24),
    ("RS", 22),
    ("RU", 33),
    ("SA", 24),
    ("SC", 31),
    ("SD", 18),
    ("SE", 24),
    ("SI", 19),
    ("SK", 24),
    ("SM", 27),
    ("SO", 23),
    ("ST", 25),
    ("SV", 28),
    ("TL", 23),
    ("TN", 24),
    ("TR", 26),
    ("UA", 29),
    ("VA", 22),
    ("VG", 24),
    ("XK", 20),
    ("YE", 30),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, none_is, stand_alone};

    #[test]
    fn the_registrys_examples_stand_alone() {
        let examples = [
            "DE89 3704 0044 0532 0130 00",
            "GB29NWBK60161331926819",
            "FR1420041010050500013M02606",
            "NO9386011117947",
            "gb82 west 1234 5698 7654 32",
            "MT84MALT011000012345MTLCAST001S",
        ];
        stand_alone(&Iban, &examples);
    }

    #[test]
    fn a_wrong_check_digit_length_or_country_is_refused() {
        none_is(&Iban, &["DE89 3704 0044 0532 0130 01", "DE8937040044053201300", "ZZ29NWBK60161331926819"]);
    }

    #[test]
    fn groups_of_other_sizes_are_refused() {
        none_is(&Iban, &["DE 89370400440532013000"]);
    }

    #[test]
    fn countries_are_in_order() {
        assert!(LENGTHS.is_sorted());
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("AA99 9999 9999 9999 9999 99")) {
            all_are(&Iban, &[&Iban.with_checksum(value)]);
        }
    }
}
