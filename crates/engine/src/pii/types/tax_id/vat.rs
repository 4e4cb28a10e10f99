//! European value-added tax numbers.

use crate::pii::checksum::{is_digits, luhn, mod_11_10, mod_97, number, values, weighted};

/// Whether `compact` is a VAT number with its country's prefix and check digits (European Commission, VIES, structure of
/// VAT numbers; the check digits after each country's tax authority).
pub(super) fn is_vat_number(compact: &str) -> bool {
    let Some((country, number)) = compact.split_at_checked(2) else { return false };
    match (country, number.len()) {
        ("NL", 12) => is_dutch(compact),
        ("AT", 9) => number.starts_with('U') && is_digits(&number[1..]) && is_austrian(&number[1..]),
        _ => is_digits(number) && number.contains(|c| c != '0') && checks(country, number),
    }
}

fn checks(country: &str, digits: &str) -> bool {
    let last = |count: usize| number(&digits[digits.len() - count..]);
    let body = |count: usize| number(&digits[..digits.len() - count]);
    match (country, digits.len()) {
        ("DE", 9) => mod_11_10(digits),
        ("BE", 10) => last(2) == 97 - body(2) % 97,
        ("DK", 8) => weighted(digits, &[2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11),
        ("FI", 8) => weighted(digits, &[7, 9, 10, 5, 8, 4, 2, 1]).is_multiple_of(11),
        ("FR", 11) => luhn(&digits[2..]) && number(&digits[..2]) == (12 + 3 * (last(9) % 97)) % 97,
        ("GB", 9) => is_british(digits),
        ("IT", 11) => luhn(digits),
        ("LU", 8) => last(2) == body(2) % 89,
        ("PL", 10) => u64::from(weighted(digits, &[6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11) == last(1),
        ("PT", 9) => is_portuguese(digits),
        ("SE", 12) => digits.ends_with("01") && luhn(&digits[..10]),
        _ => false,
    }
}

// Every second digit is doubled as in Luhn's sum, then 4 is added.
fn is_austrian(digits: &str) -> bool {
    let folded = |value: u32| value / 10 + value % 10;
    let sum: u32 =
        values(&digits[..7]).enumerate().map(|(place, value)| folded(value * (1 + place as u32 % 2))).sum();
    number(&digits[7..]) == u64::from((96 - sum) % 10)
}

// Modulo 97; numbers given out since 2010 have 55 added.
fn is_british(digits: &str) -> bool {
    let sum = u64::from(weighted(digits, &[8, 7, 6, 5, 4, 3, 2])) + number(&digits[7..]);
    sum.is_multiple_of(97) || (sum + 55).is_multiple_of(97)
}

// Companies pass the test of eleven, sole traders since 2020 modulo 97 over the whole.
fn is_dutch(compact: &str) -> bool {
    let digits = &compact[2..11];
    let company = weighted(digits, &[9, 8, 7, 6, 5, 4, 3, 2, 10]).is_multiple_of(11);
    &compact[11..12] == "B"
        && is_digits(digits)
        && is_digits(&compact[12..])
        && (company || mod_97(compact) == 1)
}

fn is_portuguese(digits: &str) -> bool {
    let check = 11 - weighted(digits, &[9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    number(&digits[8..]) == u64::from(if check > 9 { 0 } else { check })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_known_companies_pass() {
        let numbers = [
            "DE136695976",
            "ATU13585627",
            "BE0428759497",
            "DK13585628",
            "FI20774740",
            "FR40303265045",
            "GB980780684",
            "IT00743110157",
            "LU15027442",
            "NL004495445B01",
            "PL8567346215",
            "PT501964843",
            "SE123456789701",
        ];
        for number in numbers {
            assert!(is_vat_number(number), "{number}");
        }
    }

    #[test]
    fn a_wrong_check_digit_or_prefix_fails() {
        let numbers = [
            "DE136695977",
            "ATU13585626",
            "BE0428759498",
            "DK13585629",
            "FI20774741",
            "FR41303265045",
            "GB980780685",
            "IT00743110158",
            "LU15027443",
            "NL004495446B01",
            "PL8567346216",
            "PT501964842",
            "SE123456789601",
            "CH136695976",
            "DE13669597",
        ];
        for number in numbers {
            assert!(!is_vat_number(number), "{number}");
        }
    }
}
