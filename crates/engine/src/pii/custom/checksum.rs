//! The checksums that a custom type may ask for.

use crate::pii::{
    check_digits::{compact, settle},
    checksum,
};

/// A checksum over the letters and digits of a value, without separators. Check digits are last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checksum {
    /// Luhn's sum over digits (ISO/IEC 7812-1, annex B).
    Luhn,
    /// The remainder modulo 97 is 1; letters count from 10 to 35 (ISO/IEC 7064, MOD 97-10).
    Mod97,
    /// The recursive system with the moduli 11 and 10 over digits (ISO/IEC 7064, MOD 11,10).
    Mod11And10,
    /// Verhoeff's check over digits.
    Verhoeff,
}

impl Checksum {
    /// Every checksum under its name in the API.
    pub const ALL: [(&'static str, Self); 4] = [
        ("luhn", Self::Luhn),
        ("mod11_10", Self::Mod11And10),
        ("mod97", Self::Mod97),
        ("verhoeff", Self::Verhoeff),
    ];

    /// Returns the checksum with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, checksum)| *checksum)
    }

    /// Returns whether it holds for a value, which has two letters and digits at least.
    pub fn holds(self, value: &str) -> bool {
        String::from_utf8(compact(value)).is_ok_and(|compact| compact.len() > 1 && self.holds_for(&compact))
    }

    fn holds_for(self, compact: &str) -> bool {
        match self {
            Self::Mod97 => checksum::mod_97(compact) == 1,
            _ if !checksum::is_digits(compact) => false,
            Self::Luhn => checksum::luhn(compact),
            Self::Mod11And10 => checksum::mod_11_10(compact),
            Self::Verhoeff => checksum::verhoeff(compact),
        }
    }

    /// Returns `value` with its check digits corrected; unchanged if no digits there make it valid.
    pub fn settled(self, value: String) -> String {
        let length = compact(&value).len();
        let digits = if self == Self::Mod97 { 2 } else { 1 };
        let places: Vec<usize> = (length.saturating_sub(digits)..length).rev().collect();
        settle(value, &places, |compact| self.holds_for(compact))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_numbers_pass_and_others_fail() {
        for (name, valid, invalid) in [
            ("luhn", "7992 7398 713", "7992 7398 710"),
            ("mod97", "5493001KJTIIGC8Y1R12", "5493001KJTIIGC8Y1R13"),
            ("mod11_10", "07945", "07946"),
            ("verhoeff", "236-3", "236-4"),
        ] {
            let checksum = Checksum::named(name).unwrap();
            assert!(checksum.holds(valid) && !checksum.holds(invalid), "{name}");
            assert_eq!(checksum.settled(invalid.to_owned()), valid, "{name}");
        }
    }

    #[test]
    fn letters_and_single_digits_have_no_digit_checksum() {
        assert!(!Checksum::Luhn.holds("AA0") && !Checksum::Luhn.holds("0") && !Checksum::Luhn.holds(""));
    }
}
