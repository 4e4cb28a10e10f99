//! Speech as it would have been written: `four one double one` is `4111`, `jane at example dot com` is
//! `jane@example.com`.

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
const SIGNS: [(&str, &str); 6] =
    [("at", "@"), ("dot", "."), ("point", "."), ("dash", "-"), ("hyphen", "-"), ("underscore", "_")];
/// Fewer spoken numbers in a row are words of a sentence.
const LEAST_DIGITS: usize = 3;

/// A word with its place in the text.
pub type Spoken<'w> = (&'w str, Range<usize>);
/// Pieces of text with their origins, and how many words they took.
type Taken = (Vec<(String, Range<usize>)>, usize);

fn of(word: &str, table: &[(&str, &'static str)]) -> Option<&'static str> {
    table.iter().find(|(spoken, _)| spoken.eq_ignore_ascii_case(word)).map(|(_, written)| *written)
}

/// The words written out.
pub fn written(words: &[Spoken<'_>]) -> AlternativeReading {
    let mut reading = AlternativeReading { text: String::new(), origins: Vec::new() };
    let mut rest = words;
    while !rest.is_empty() {
        let (pieces, count) = number(rest).or_else(|| address(rest)).unwrap_or_else(|| plain(rest));
        if !reading.text.is_empty() {
            let start = rest[0].1.start;
            reading.push(" ", &(start.saturating_sub(1)..start));
        }
        for (text, origin) in pieces {
            reading.push(&text, &origin);
        }
        rest = &rest[count..];
    }
    reading
}

fn plain(words: &[Spoken<'_>]) -> Taken {
    let (word, origin) = &words[0];
    (vec![((*word).to_owned(), origin.clone())], 1)
}

/// Spoken digits in a row.
fn number(words: &[Spoken<'_>]) -> Option<Taken> {
    let (mut pieces, mut at) = (Vec::new(), 0);
    while let Some((digits, count)) = words.get(at..).and_then(digits) {
        let origin = words[at].1.start..words[at + count - 1].1.end;
        pieces.push((digits, origin));
        at += count;
    }
    (at >= LEAST_DIGITS).then_some((pieces, at))
}

/// One spoken number below a hundred, and how many words it took.
fn digits(words: &[Spoken<'_>]) -> Option<(String, usize)> {
    let (word, _) = words.first()?;
    let next = words.get(1).and_then(|(next, _)| of(next, &DIGITS));
    let times = match word.to_ascii_lowercase().as_str() {
        "double" => 2,
        "triple" => 3,
        _ => 1,
    };
    if times > 1 {
        return next.map(|digit| (digit.repeat(times), 2));
    }
    if let Some(tens) = of(word, &TENS) {
        let one = next.filter(|digit| *digit != "0");
        return Some((format!("{tens}{}", one.unwrap_or("0")), 1 + usize::from(one.is_some())));
    }
    let number = of(word, &DIGITS).or_else(|| of(word, &TEENS));
    number.map(|number| (number.to_owned(), 1))
}

/// An e-mail address: words and signs in turn, with an `at` and a `dot` among them.
fn address(words: &[Spoken<'_>]) -> Option<Taken> {
    let mut count = 1;
    while words.len() > count + 1 && of(words[count].0, &SIGNS).is_some() {
        count += 2;
    }
    let signs = || words[..count].iter().skip(1).step_by(2).filter_map(|(word, _)| of(word, &SIGNS));
    let written = |(at, (word, origin)): (usize, &Spoken<'_>)| {
        let sign = of(word, &SIGNS).filter(|_| at % 2 == 1);
        (sign.unwrap_or(word).to_owned(), origin.clone())
    };
    let is_address = signs().any(|sign| sign == "@") && signs().any(|sign| sign == ".");
    is_address.then(|| (words[..count].iter().enumerate().map(written).collect(), count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let mut at = 0;
        let place = |word| {
            let start = at;
            at += str::len(word) + 1;
            (word, start..at - 1)
        };
        written(&text.split(' ').map(place).collect::<Vec<_>>()).text
    }

    #[test]
    fn spoken_digits_are_written() {
        assert_eq!(read("call five five five oh one double nine now"), "call 5550199 now");
        assert_eq!(read("forty one eleven eleven eleven"), "41111111");
    }

    #[test]
    fn an_address_gets_its_signs() {
        let spoken = "write to jane dot doe at example dot com today";
        assert_eq!(read(spoken), "write to jane.doe@example.com today");
    }

    #[test]
    fn small_numbers_in_a_sentence_stay_words() {
        assert_eq!(read("one or two of them at home"), "one or two of them at home");
    }
}
