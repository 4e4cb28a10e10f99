//! Makes replacement values valid: changes few characters until the check digits match.

/// All settings of four digits.
const TRIES: usize = 10_000;

/// `value` with the letters and digits at `places` (counted without separators) changed until `valid` holds for its
/// compact form; the first of the places changes fastest. Digits stay digits, letters stay letters, separators and
/// case stay. Without a valid choice the value stays as it is. Gives up after [`TRIES`].
pub(crate) fn settle(value: String, places: &[usize], valid: impl Fn(&str) -> bool) -> String {
    let mut compact = compact(&value);
    if places.is_empty() || places.iter().any(|&place| place >= compact.len()) {
        return value;
    }
    for _ in 0..TRIES {
        if std::str::from_utf8(&compact).is_ok_and(&valid) {
            return written_like(&value, &compact);
        }
        advance(&mut compact, places);
    }
    value
}

/// `value` with its letters and digits replaced by those of `compact`, in order, separators and case kept.
pub(crate) fn written_like(value: &str, compact: &[u8]) -> String {
    let mut fresh = compact.iter().copied().map(char::from);
    value
        .chars()
        .map(|old| match old {
            'a'..='z' => fresh.next().unwrap_or(old).to_ascii_lowercase(),
            'A'..='Z' | '0'..='9' => fresh.next().unwrap_or(old),
            separator => separator,
        })
        .collect()
}

/// Letters and digits of `value` alone, letters in upper case.
pub(crate) fn compact(value: &str) -> Vec<u8> {
    value.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_uppercase()).collect()
}

// Counts on, as a wheel counter does, each wheel within its class of characters.
fn advance(compact: &mut [u8], places: &[usize]) {
    for &place in places {
        let (next, turned) = match compact[place] {
            b'9' => (b'0', true),
            b'Z' => (b'A', true),
            byte => (byte + 1, false),
        };
        compact[place] = next;
        if !turned {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_letters_change_within_their_class_and_separators_stay() {
        let ends_in_7c = |compact: &str| compact.ends_with("7C");
        assert_eq!(settle("ab 12-3d".into(), &[5, 4], ends_in_7c), "ab 12-7c");
    }

    #[test]
    fn a_value_without_a_valid_choice_stays() {
        assert_eq!(settle("12-34".into(), &[3, 2], |_| false), "12-34");
        assert_eq!(settle("12".into(), &[5], |_| true), "12");
    }
}
