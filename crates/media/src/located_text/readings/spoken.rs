//! Written form of spoken text: `four one double one` becomes `4111`, and so do `4, 1, 1, 1.` and `4-1-1-1`, as some
//! recognizers write it. `jane at example dot com` becomes `jane@example.com`.

use std::ops::Range;

use crate::located_text::AlternativeReading;

const DIGITS: [(&str, &str); 11] = [
    ("zero", "0"),
    ("oh", "0"),
    ("one", "1"),
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
];
const TEENS: [(&str, &str); 10] = [
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
    ("thirteen", "13"),
    ("fourteen", "14"),
    ("fifteen", "15"),
    ("sixteen", "16"),
    ("seventeen", "17"),
    ("eighteen", "18"),
    ("nineteen", "19"),
];
const TENS: [(&str, &str); 8] = [
    ("twenty", "2"),
    ("thirty", "3"),
    ("forty", "4"),
    ("fifty", "5"),
    ("sixty", "6"),
    ("seventy", "7"),
    ("eighty", "8"),
    ("ninety", "9"),
];
const SYMBOLS: [(&str, &str); 6] =
    [("at", "@"), ("dot", "."), ("point", "."), ("dash", "-"), ("hyphen", "-"), ("underscore", "_")];
/// Consecutive spoken numbers from which they are written as digits.
const MIN_NUMBER_WORDS: usize = 3;

/// A word with its byte range in the text.
pub type Spoken<'w> = (&'w str, Range<usize>);
/// Texts with their origins, and the number of words they replace.
type Replacement = (Vec<(String, Range<usize>)>, usize);

fn lookup(word: &str, table: &[(&str, &'static str)]) -> Option<&'static str> {
    table.iter().find(|(spoken, _)| spoken.eq_ignore_ascii_case(word)).map(|(_, written)| *written)
}

/// Returns the words in written form.
pub fn written(words: &[Spoken<'_>]) -> AlternativeReading {
    let mut reading = AlternativeReading { text: String::new(), origins: Vec::new() };
    let mut remaining = words;
    while !remaining.is_empty() {
        let (texts, count) =
            number(remaining).or_else(|| address(remaining)).unwrap_or_else(|| plain(remaining));
        if !reading.text.is_empty() {
            let start = remaining[0].1.start;
            reading.push(" ", &(start.saturating_sub(1)..start));
        }
        for (text, origin) in texts {
            reading.push(&text, &origin);
        }
        remaining = &remaining[count..];
    }
    reading
}

fn plain(words: &[Spoken<'_>]) -> Replacement {
    let (word, origin) = &words[0];
    (vec![((*word).to_owned(), origin.clone())], 1)
}

/// Reads consecutive spoken numbers.
fn number(words: &[Spoken<'_>]) -> Option<Replacement> {
    let (mut texts, mut at, mut spoken) = (Vec::new(), 0, 0);
    while let Some((digits, count)) = words.get(at..).and_then(digits) {
        let origin = words[at].1.start..words[at + count - 1].1.end;
        spoken += if count == 1 { words[at].0.split('-').count() } else { count };
        texts.push((digits, origin));
        at += count;
    }
    (spoken >= MIN_NUMBER_WORDS).then_some((texts, at))
}

/// Reads one spoken number below a hundred. Returns its digits and the number of words.
fn digits(words: &[Spoken<'_>]) -> Option<(String, usize)> {
    let (word, _) = words.first()?;
    let next = words.get(1).and_then(|(next, _)| lookup(next, &DIGITS));
    let times = match word.to_ascii_lowercase().as_str() {
        "double" => 2,
        "triple" => 3,
        _ => 1,
    };
    if times > 1 {
        return next.map(|digit| (digit.repeat(times), 2));
    }
    if let Some(tens) = lookup(word, &TENS) {
        let one = next.filter(|digit| *digit != "0");
        return Some((format!("{tens}{}", one.unwrap_or("0")), 1 + usize::from(one.is_some())));
    }
    let number = lookup(word, &DIGITS).or_else(|| lookup(word, &TEENS)).map(str::to_owned);
    number.or_else(|| single_digits(word)).map(|number| (number, 1))
}

/// Returns the digits of a word that is one digit, or single digits joined by hyphens, as in `4,` and `1-1-1`.
fn single_digits(word: &str) -> Option<String> {
    let word = word.trim_end_matches([',', '.', ';']);
    let is_digit = |part: &str| part.len() == 1 && part.as_bytes()[0].is_ascii_digit();
    word.split('-').all(is_digit).then(|| word.replace('-', ""))
}

/// Reads an e-mail address: alternating words and symbols, with at least one `at` and one `dot`.
fn address(words: &[Spoken<'_>]) -> Option<Replacement> {
    let mut count = 1;
    while words.len() > count + 1 && lookup(words[count].0, &SYMBOLS).is_some() {
        count += 2;
    }
    let symbols = || words[..count].iter().skip(1).step_by(2).filter_map(|(word, _)| lookup(word, &SYMBOLS));
    let written = |(at, (word, origin)): (usize, &Spoken<'_>)| {
        let symbol = lookup(word, &SYMBOLS).filter(|_| at % 2 == 1);
        (symbol.unwrap_or(word).to_owned(), origin.clone())
    };
    let is_address = symbols().any(|symbol| symbol == "@") && symbols().any(|symbol| symbol == ".");
    is_address.then(|| (words[..count].iter().enumerate().map(written).collect(), count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write_out(text: &str) -> String {
        let mut at = 0;
        let with_range = |word| {
            let start = at;
            at += str::len(word) + 1;
            (word, start..at - 1)
        };
        written(&text.split(' ').map(with_range).collect::<Vec<_>>()).text
    }

    #[test]
    fn writes_spoken_digits_as_digits() {
        assert_eq!(write_out("call five five five oh one double nine now"), "call 5550199 now");
        assert_eq!(write_out("forty one eleven eleven eleven"), "41111111");
    }

    #[test]
    fn writes_an_address_with_its_symbols() {
        let spoken = "write to jane dot doe at example dot com today";
        assert_eq!(write_out(spoken), "write to jane.doe@example.com today");
    }

    #[test]
    fn joins_digits_that_are_written_one_by_one() {
        assert_eq!(write_out("call 5, 5, 5, 0, 1, 9, 9. now"), "call 5550199 now");
        assert_eq!(write_out("card 4-1-1-1 1-1-1-1, thanks"), "card 41111111 thanks");
        assert_eq!(write_out("five 5 five"), "555");
    }

    #[test]
    fn keeps_other_numbers_as_they_are_written() {
        for text in ["rooms 12 13 14", "between 1-2 people", "on 2024-11-28 at 9", "- -, 4.5 -1"] {
            assert_eq!(write_out(text), text);
        }
    }

    #[test]
    fn keeps_small_numbers_in_a_sentence() {
        assert_eq!(write_out("one or two of them at home"), "one or two of them at home");
    }
}
