//! Shapes of identifiers: character classes, embedded dates, and values that were never issued.

use super::checksum::values;

/// Whether `text` has the form: `9` stands for a digit, `A` for a letter, `X` for either, anything else for itself.
pub(crate) fn fits(text: &str, form: &str) -> bool {
    text.len() == form.len()
        && text.bytes().zip(form.bytes()).all(|(byte, class)| match class {
            b'9' => byte.is_ascii_digit(),
            b'A' => byte.is_ascii_alphabetic(),
            b'X' => byte.is_ascii_alphanumeric(),
            _ => byte == class,
        })
}

/// Whether `text` has one of the forms, see [`fits`].
pub(crate) fn fits_any(text: &str, forms: &[&str]) -> bool {
    forms.iter().any(|form| fits(text, form))
}

/// Returns whether `written` may be an identifier behind its label: as many letters and digits as `lengths` says, four digits or
/// more of any script, letters in upper case; no date and not one digit over and over.
pub(crate) fn identifier(written: &str, lengths: std::ops::RangeInclusive<usize>) -> bool {
    let compact: String = written.chars().filter(|c| c.is_alphanumeric()).collect();
    let digits: String = compact.chars().filter(|c| c.is_numeric()).collect();
    let groups: Vec<_> =
        written.split(|c: char| !c.is_alphanumeric()).map(|group| group.chars().count()).collect();
    let is_dated = matches!(groups[..], [4, 1..=2, 1..=2] | [1..=2, 1..=2, 4]);
    let is_day = fits(&compact, "99999999") && matches!(&compact[..2], "19" | "20");
    lengths.contains(&compact.chars().count())
        && digits.chars().count() >= 4
        && is_upper(&compact)
        && !is_dated
        && !is_day
        && !digits.chars().all(|digit| digits.starts_with(digit))
}

/// Whether no letter is in lower case.
pub(crate) fn is_upper(written: &str) -> bool {
    !written.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Whether nothing parts the letters and digits.
pub(crate) fn is_unbroken(written: &str) -> bool {
    written.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether there is such a day in the Gregorian calendar.
pub(crate) fn is_date(year: u32, month: u32, day: u32) -> bool {
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// Whether every character is the same, as in `000000000`: an example, not an identifier.
pub(crate) fn repeats(compact: &str) -> bool {
    values(compact).zip(values(compact).skip(1)).all(|(one, next)| one == next)
}

/// Whether this is what people type instead of a number: one digit over and over, or the digits in order.
pub(crate) fn is_placeholder(compact: &str) -> bool {
    let pairs = || values(compact).zip(values(compact).skip(1));
    repeats(compact)
        || pairs().all(|(one, next)| next == (one + 1) % 10)
        || pairs().all(|(one, next)| one == (next + 1) % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_tells_digits_letters_and_separators_apart() {
        assert!(fits("AB-12", "AA-99") && fits("A1-12", "XX-99"));
        assert!(!fits("AB 12", "AA-99") && !fits("AB-1", "AA-99") && !fits("A1-12", "AA-99"));
    }

    #[test]
    fn only_days_of_the_calendar_are_dates() {
        assert!(is_date(2024, 2, 29) && is_date(2000, 2, 29) && is_date(1999, 12, 31));
        assert!(
            !is_date(1900, 2, 29) && !is_date(2023, 4, 31) && !is_date(2023, 13, 1) && !is_date(2023, 1, 0)
        );
    }

    #[test]
    fn repeated_and_ordered_digits_are_placeholders() {
        assert!(is_placeholder("111111111") && is_placeholder("123456789") && is_placeholder("987654321"));
        assert!(!is_placeholder("123456782") && !is_placeholder("112233445"));
    }
}
