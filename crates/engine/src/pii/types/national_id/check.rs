//! Checks of national identifiers, as the table writes them.
//!
//! - `c8:9,8,7,6,5,4,3,2:00987654321`: character 8 is the one in the alphabet at the weighted sum modulo the alphabet's
//!   length. `?` is never issued. `>` goes on to the next weights, which a slash parts from the first.
//! - `ymd@0`, `dmy@0`, `ymd4@6`, `dmy3@0`: a date begins there, with a year of two, four or three digits.
//! - `luhn`, `mod11-10`: ISO/IEC 7812-1 and 7064.
//! - `nz`: the first digit is not zero. `be`, `snils`, `curp`, `rc`: rules of one country, named below.

use crate::pii::{
    checksum::{luhn, mod_11_10, number, values, weighted},
    shape::is_date,
};

/// One check of a form.
#[derive(Debug)]
pub enum Check {
    Character { place: usize, weights: Vec<Vec<u32>>, alphabet: &'static [u8] },
    Date { at: usize, year: usize, is_year_first: bool },
    Rule(fn(&str) -> bool),
}

impl Check {
    /// Reads a check of the table.
    pub fn read(text: &'static str) -> Option<Self> {
        Some(match text {
            "luhn" => Self::Rule(luhn),
            "mod11-10" => Self::Rule(mod_11_10),
            "nz" => Self::Rule(|compact| !compact.starts_with('0')),
            "be" => Self::Rule(is_belgian),
            "snils" => Self::Rule(is_snils),
            "curp" => Self::Rule(is_curp),
            "rc" => Self::Rule(is_birth_number),
            _ if text.starts_with('c') => Self::character(text)?,
            _ => Self::date(text)?,
        })
    }

    fn character(text: &'static str) -> Option<Self> {
        let mut fields = text.strip_prefix('c')?.split(':');
        let (place, weights, alphabet) = (fields.next()?, fields.next()?, fields.next()?);
        let list = |list: &str| list.split(',').map(|weight| weight.parse().ok()).collect();
        let weights = weights.split('/').map(list).collect::<Option<_>>()?;
        Some(Self::Character { place: place.parse().ok()?, weights, alphabet: alphabet.as_bytes() })
    }

    fn date(text: &str) -> Option<Self> {
        let (form, at) = text.split_once('@')?;
        let (year, is_year_first) = match form {
            "ymd" => (2, true),
            "ymd4" => (4, true),
            "dmy" => (2, false),
            "dmy3" => (3, false),
            _ => return None,
        };
        Some(Self::Date { at: at.parse().ok()?, year, is_year_first })
    }

    /// Returns whether it holds for an identifier of the fitting form.
    pub fn holds(&self, compact: &str) -> bool {
        match self {
            Self::Rule(rule) => rule(compact),
            Self::Character { place, weights, alphabet } => {
                let expected = expected(compact, weights, alphabet);
                expected.is_some() && compact.as_bytes().get(*place).copied() == expected
            }
            Self::Date { at, year, is_year_first } => has_date(compact, *at, *year, *is_year_first),
        }
    }

    /// Returns the place of the character that it computes.
    pub fn place(&self) -> Option<usize> {
        match self {
            Self::Character { place, .. } => Some(*place),
            Self::Date { .. } | Self::Rule(_) => None,
        }
    }
}

/// Returns the character that the weighted sum asks for. After the last weights, `>` is a zero.
fn expected(compact: &str, weights: &[Vec<u32>], alphabet: &[u8]) -> Option<u8> {
    let character = |weights: &Vec<u32>| alphabet[weighted(compact, weights) as usize % alphabet.len()];
    let found = weights.iter().map(character).find(|character| *character != b'>').unwrap_or(b'0');
    (found != b'?').then_some(found)
}

// A year without its century may be a leap year.
fn has_date(compact: &str, at: usize, year: usize, is_year_first: bool) -> bool {
    let read = |from: usize, length: usize| compact.get(from..from + length).map(|part| number(part) as u32);
    let (year_at, month_at, day_at) =
        if is_year_first { (at, at + year, at + year + 2) } else { (at + 4, at + 2, at) };
    let (Some(written), Some(month), Some(day)) = (read(year_at, year), read(month_at, 2), read(day_at, 2))
    else {
        return false;
    };
    let is_known = year != 4 || (1850..2100).contains(&written);
    is_known && is_date(if year == 4 { written } else { 2000 }, month, day)
}

// Belgium: the last two digits are 97 less the remainder of the first nine, with a 2 before them for births from 2000.
fn is_belgian(compact: &str) -> bool {
    let (body, check) = (number(&compact[..9]), number(&compact[9..]));
    [body, 2_000_000_000 + body].iter().any(|body| 97 - body % 97 == check)
}

// Russia, SNILS: the sum with weights 9 to 1, modulo 101; 100 is written 00.
fn is_snils(compact: &str) -> bool {
    u64::from(weighted(compact, &[9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101 % 100) == number(&compact[9..])
}

// Mexico, CURP: the letter Ñ counts between N and O, so later letters count one more; weights 18 to 2.
fn is_curp(compact: &str) -> bool {
    let letter = |value: u32| value + u32::from(value > 23);
    let sum: u32 =
        values(compact).take(17).map(letter).zip((2..=18).rev()).map(|(value, weight)| value * weight).sum();
    u64::from((10 - sum % 10) % 10) == number(&compact[17..])
}

// Czechia and Slovakia: to the month, 50 is added for women, and 20 where a day's numbers ran out.
fn is_birth_number(compact: &str) -> bool {
    let (month, day) = (number(&compact[2..4]) as u32, number(&compact[4..6]) as u32);
    is_date(2000, month % 50 % 20, day)
}
