//! Checksum algorithms of identifiers.
//!
//! Every function reads the compact form: ASCII digits and upper-case letters, a letter counting as 10 (`A`) to 35
//! (`Z`) as in ISO 7064 and ISO 13616.

/// The values of the characters, 0 to 35.
pub(crate) fn values(compact: &str) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + Clone {
    compact.bytes().map(|byte| char::from(byte).to_digit(36).unwrap_or(0))
}

/// Whether there are digits alone.
pub(crate) fn is_digits(compact: &str) -> bool {
    compact.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number that the digits write; letters count as in [`values`]. Nothing longer than 18 digits fits.
pub(crate) fn number(compact: &str) -> u64 {
    values(compact).fold(0, |number, value| number.wrapping_mul(10).wrapping_add(u64::from(value)))
}

/// Sum of the values, each times its weight; values without a weight are left out.
pub(crate) fn weighted(compact: &str, weights: &[u32]) -> u32 {
    values(compact).zip(weights).map(|(value, weight)| value * weight).sum()
}

/// Luhn's sum, check digit last (ISO/IEC 7812-1, annex B).
pub(crate) fn luhn(compact: &str) -> bool {
    let folded = |doubled: u32| doubled / 10 + doubled % 10;
    let sum: u32 = values(compact)
        .rev()
        .enumerate()
        .map(|(place, value)| if place % 2 == 1 { folded(2 * value) } else { value })
        .sum();
    sum.is_multiple_of(10)
}

/// The remainder modulo 97 of the number that results when letters are written as 10 to 35 (ISO/IEC 7064, MOD 97-10).
pub(crate) fn mod_97(compact: &str) -> u32 {
    values(compact).fold(0, |rest, value| (rest * if value > 9 { 100 } else { 10 } + value) % 97)
}

/// The recursive system with the moduli 11 and 10, check digit last (ISO/IEC 7064, MOD 11,10).
pub(crate) fn mod_11_10(compact: &str) -> bool {
    let Some((body, check)) = compact.split_at_checked(compact.len().saturating_sub(1)) else { return false };
    let product = values(body).fold(10, |product, value| match (product + value) % 10 {
        0 => 20 % 11,
        sum => 2 * sum % 11,
    });
    (product + number(check) as u32) % 10 == 1
}

/// Verhoeff's check over the dihedral group of order ten, check digit last (J. Verhoeff, Error Detecting Decimal
/// Codes, 1969).
pub(crate) fn verhoeff(compact: &str) -> bool {
    let permuted = |place: usize, value: u32| {
        (0..place % 8).fold(value as usize % 10, |value, _| PERMUTATION[value] as usize)
    };
    values(compact).rev().enumerate().fold(0, |sum, (place, value)| product(sum, permuted(place, value))) == 0
}

// One step of Verhoeff's permutation; place n applies it n times.
const PERMUTATION: [u8; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

// The product in the dihedral group: 0 to 4 turn a pentagon, 5 to 9 turn and mirror it.
fn product(left: usize, right: usize) -> usize {
    match (left < 5, right < 5) {
        (true, true) => (left + right) % 5,
        (true, false) => 5 + (left + right) % 5,
        (false, true) => 5 + (left - right) % 5,
        (false, false) => (left + 5 - right) % 5,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn with_last(body: &str, holds: impl Fn(&str) -> bool) -> String {
        (0..10).map(|digit| format!("{body}{digit}")).find(|number| holds(number)).expect("a check digit")
    }

    fn changed(number: &str, place: usize, by: u8) -> String {
        let mut digits = number.as_bytes().to_vec();
        let place = place % digits.len();
        digits[place] = b'0' + (digits[place] - b'0' + by) % 10;
        digits.into_iter().map(char::from).collect()
    }

    #[test]
    fn published_numbers_pass() {
        assert!(
            luhn("4111111111111111") && luhn("79927398713"),
            "payment test card, US patent 2950048's example"
        );
        assert!(verhoeff("2363") && verhoeff("758722"), "the examples of Verhoeff's algorithm");
        assert_eq!(mod_97("WEST12345698765432GB82"), 1, "the example of ISO 13616");
        assert!(mod_11_10("07945"), "the example of ISO 7064");
        assert_eq!(
            weighted("9434765919", &[10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11,
            0,
            "the NHS data dictionary"
        );
    }

    #[test]
    fn published_numbers_with_another_check_digit_fail() {
        assert!(!luhn("79927398710") && !verhoeff("2364") && !mod_11_10("07946"));
        assert_ne!(mod_97("WEST12345698765432GB83"), 1);
    }

    proptest! {
        #[test]
        fn changing_one_digit_breaks_it(body in "[0-9]{1,18}", place in 0usize..19, by in 1u8..10) {
            for holds in [luhn, verhoeff, mod_11_10] {
                let number = with_last(&body, holds);
                prop_assert!(!holds(&changed(&number, place, by)), "{number}");
            }
        }

        #[test]
        fn swapping_two_neighbours_breaks_verhoeff(body in "[0-9]{2,18}", place in 0usize..18) {
            let mut digits = with_last(&body, verhoeff).into_bytes();
            let place = place % (digits.len() - 1);
            prop_assume!(digits[place] != digits[place + 1]);
            digits.swap(place, place + 1);
            let swapped: String = digits.into_iter().map(char::from).collect();
            prop_assert!(!verhoeff(&swapped));
        }
    }
}
