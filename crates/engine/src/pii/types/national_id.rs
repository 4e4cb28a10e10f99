//! National identifiers of people that have no type of their own, by a table.

mod check;

use std::{ops::RangeInclusive, sync::LazyLock};

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::{compact, settle},
    shape::{fits, is_placeholder},
};
use check::Check;

/// An identifier that a state gives to people. Forms, checks and labels are in a table, a line for each form.
///
/// A form without a strong check needs a label nearby. Sources: the states' published algorithms; compared with
/// python-stdnum where it has them.
pub struct NationalId;

/// The forms. Its head describes the fields.
const TABLE: &str = include_str!("national_id/table.tsv");

/// Shortest and longest form, in letters and digits.
const LENGTHS: RangeInclusive<usize> = 7..=18;

/// Confidence where the form as written and its checks are distinctive.
const ALONE: f32 = 0.93;
/// Confidence beside a label where checks hold.
const CHECKED: f32 = 0.9;
/// Confidence beside a label where the form has no check. It does not block: the label may be that of another country's
/// form.
const LABELED: f32 = 0.6;

/// One line of the table.
#[derive(Debug)]
struct Form {
    letters: &'static str,
    /// The form with separators in which it needs no label.
    alone: Option<&'static str>,
    checks: Vec<Check>,
}

static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| lines().filter_map(Form::read).collect());

static LABELS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut labels: Vec<_> =
        lines().filter_map(|line| line.rsplit('\t').next()).flat_map(|all| all.split('|')).collect();
    labels.sort_unstable();
    labels.dedup();
    labels
});

fn lines() -> impl Iterator<Item = &'static str> {
    TABLE.lines().filter(|line| !line.starts_with('#'))
}

impl Form {
    fn read(line: &'static str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [_country, letters, alone, checks, _labels] = fields[..] else { return None };
        let named = checks.split(' ').filter(|check| *check != "-");
        let checks = named.map(Check::read).collect::<Option<_>>()?;
        Some(Self { letters, alone: (alone != "-").then_some(alone), checks })
    }

    fn holds(&self, compact: &str) -> bool {
        fits(compact, self.letters) && self.checks.iter().all(|check| check.holds(compact))
    }

    fn certainty(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        self.holds(candidate.compact).then(|| match self.alone {
            Some(alone) if fits(candidate.written, alone) => Certainty::Distinctive(ALONE),
            _ if self.checks.is_empty() => Certainty::WithContext(LABELED),
            _ => Certainty::WithContext(CHECKED),
        })
    }
}

impl PiiType for NationalId {
    fn name(&self) -> &'static str {
        "national_id"
    }

    fn context(&self) -> &'static [&'static str] {
        &LABELS
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(LENGTHS)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        if is_placeholder(candidate.compact) {
            return None;
        }
        let certainties = FORMS.iter().filter_map(|form| form.certainty(candidate));
        certainties.max_by(|one, other| rank(*one).total_cmp(&rank(*other)))
    }

    fn with_checksum(&self, value: String) -> String {
        let Ok(letters) = String::from_utf8(compact(&value)) else { return value };
        let checked = FORMS.iter().find(|form| fits(&letters, form.letters) && !form.places().is_empty());
        let Some(form) = checked else { return value };
        let has_check = |check: &&Check| check.place().is_some();
        settle(value, &form.places(), |compact| {
            form.checks.iter().filter(has_check).all(|check| check.holds(compact))
        })
    }
}

impl Form {
    /// Places of its check characters, the last first, and the one before: some bodies have no check character.
    fn places(&self) -> Vec<usize> {
        let mut places: Vec<usize> = self.checks.iter().filter_map(Check::place).collect();
        places.sort_unstable_by(|one, other| other.cmp(one));
        if let Some(first) = places.last().and_then(|first| first.checked_sub(1)) {
            places.push(first);
        }
        places
    }
}

// A form that stands alone counts more than one that needs a label.
fn rank(certainty: Certainty) -> f32 {
    match certainty {
        Certainty::Distinctive(confidence) => 1.0 + confidence,
        Certainty::WithContext(confidence) => confidence,
    }
}

#[cfg(test)]
mod tests;
