//! The parts of a written name besides given names and surnames: initials, particles and suffixes.

use super::words::{self, PARTICLES};
use super::{lists::class, not_names};

/// Words between the particles of a name: `von und zu`, `op 't`.
const BETWEEN: [&str; 8] = ["und", "y", "e", "op", "in", "'t", "’t", "los"];
/// Particles in a row at most.
const MOST: usize = 4;
/// Surnames behind particles at most: `de la Fuente y Ortega`.
const SURNAMES: usize = 2;
/// Initials in a row at most.
const INITIALS: usize = 5;
const SUFFIXES: [&str; 8] = ["Jr.", "Jr", "Sr.", "Sr", "III", "II", "IV", "jun."];

/// Returns the end of the name whose known part ends at `end`: behind the surnames that particles join to it, and behind
/// a suffix.
pub(super) fn whole_end(text: &str, end: usize) -> usize {
    let mut whole = end;
    for _ in 0..SURNAMES {
        let Some(next) = joined_surname(text, whole) else { break };
        whole = next;
    }
    suffix_end(text, whole).unwrap_or(whole)
}

/// Returns the end of the suffix after a name.
pub(super) fn suffix_end(text: &str, end: usize) -> Option<usize> {
    let rest = text[end..].strip_prefix(' ').or_else(|| text[end..].strip_prefix(", "))?;
    let start = text.len() - rest.len();
    let suffix = SUFFIXES.iter().find(|suffix| rest.starts_with(**suffix))?;
    let is_word = !rest[suffix.len()..].starts_with(char::is_alphanumeric);
    is_word.then_some(start + suffix.len())
}

/// Returns whether a word is a suffix of names.
pub(super) fn is_suffix(word: &str) -> bool {
    SUFFIXES.contains(&word)
}

/// Returns the end of the surname that particles join to what ends at `end`.
fn joined_surname(text: &str, end: usize) -> Option<usize> {
    let rest = text[end..].strip_prefix([' ', '-'])?;
    let start = text.len() - rest.len();
    let at = particles_end(text, start);
    let surname_end = words::word_end(text, at);
    let surname = &text[at..surname_end];
    let class = class(surname);
    let is_other =
        class.is_stop() || class.is_everyday() || class.is_organisation() || not_names::is_one(surname);
    let is_surname = at > start && surname.starts_with(char::is_uppercase) && surname.len() > 2 && !is_other;
    is_surname.then_some(surname_end)
}

/// Returns the end of the particles at `at`, behind the blank after them; `at` without any.
pub(super) fn particles_end(text: &str, at: usize) -> usize {
    let (mut end, mut has_particle) = (at, false);
    for _ in 0..MOST {
        let length = text[end..].find(' ').unwrap_or(0);
        let word = &text[end..end + length];
        let is_particle = PARTICLES.contains(&word);
        if !is_particle && !BETWEEN.contains(&word) {
            break;
        }
        has_particle |= is_particle || word.ends_with('t');
        end += length + 1;
    }
    if has_particle { end } else { at }
}

/// Returns the end of the initials at `at`, behind the blank after them (`J. R. R. `, `C.M.Th. `); `at` without any.
pub(super) fn initials_end(text: &str, at: usize) -> usize {
    let mut end = at;
    for _ in 0..INITIALS {
        let rest = &text[end..];
        let letters = rest.chars().take_while(|c| c.is_alphabetic()).count();
        let is_initial = (1..=2).contains(&letters)
            && rest.starts_with(char::is_uppercase)
            && rest.chars().nth(1).is_none_or(|c| c == '.' || c.is_lowercase());
        let length: usize = rest.chars().take(letters).map(char::len_utf8).sum();
        if !is_initial || !rest[length..].starts_with('.') {
            break;
        }
        end += length + 1;
        end += usize::from(text[end..].starts_with(' '));
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole<'t>(text: &'t str, known: &str) -> &'t str {
        &text[..whole_end(text, known.len())]
    }

    #[test]
    fn a_name_goes_on_behind_particles_and_to_its_suffix() {
        for (text, known, expected) in [
            ("Ottokar von und zu Rabenstein wohnt", "Ottokar", "Ottokar von und zu Rabenstein"),
            ("Bram van 't Sloot belt", "Bram", "Bram van 't Sloot"),
            ("Bram Sloot-van den Akkerhof belt", "Bram Sloot", "Bram Sloot-van den Akkerhof"),
            ("Inés de la Quintana y de Lizarraga firma", "Inés", "Inés de la Quintana y de Lizarraga"),
            ("Lloyd Pettigrew III left", "Lloyd Pettigrew", "Lloyd Pettigrew III"),
            ("Lloyd Pettigrew, Jr., left", "Lloyd Pettigrew", "Lloyd Pettigrew, Jr."),
        ] {
            assert_eq!(whole(text, known), expected);
        }
    }

    #[test]
    fn other_words_do_not_belong_to_a_name() {
        for (text, known) in [
            ("Ottokar und Hilde", "Ottokar"),
            ("Inés de los", "Inés"),
            ("Bram in Delft", "Bram"),
            ("Lloyd Pettigrew Israel", "Lloyd Pettigrew"),
            ("Ottokar von der", "Ottokar"),
        ] {
            assert_eq!(whole(text, known), known, "{text}");
        }
    }

    #[test]
    fn initials_end_behind_their_last_point() {
        for (text, rest) in [
            ("J. R. R. Pettigrew", "Pettigrew"),
            ("C.M.Th. van der Sloot", "van der Sloot"),
            ("Ю. А. Рябинин", "Рябинин"),
            ("Dr. Pettigrew", "Pettigrew"),
            ("Pettigrew", "Pettigrew"),
            ("UN. Report", "UN. Report"),
        ] {
            assert_eq!(&text[initials_end(text, 0)..], rest);
        }
    }
}
