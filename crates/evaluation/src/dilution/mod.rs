//! Recall of attacks that are set into harmless texts.
//!
//! Each attack is evaluated alone, and with harmless text before it, after it and on both sides, at several lengths of
//! the harmless text. An attack is detected if a guardrail that it belongs to triggers; if it belongs to none, if
//! anything does. The harmless texts are evaluated without the attack too, by the same criterion: a high recall that
//! comes with a high rate of false positives is worth little.

pub(crate) mod carriers;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde::{Deserialize, Serialize};

use crate::{
    bootstrap::{Interval, share_interval},
    random::Random,
    report::{Prediction, Thresholds},
    suite::LabeledText,
    table::{percent, range},
};
use carriers::Carriers;

/// Lengths of the harmless text, in Unicode characters. The first is the attack alone.
pub const LENGTHS: [usize; 6] = [0, 150, 700, 2100, 8000, 60_000];

/// Side of the attack on which the harmless text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Position {
    /// There is none: the attack alone.
    Alone,
    /// Before the attack.
    Before,
    /// After the attack.
    After,
    /// Half before and half after.
    Both,
}

impl Position {
    const WITH_CARRIER: [Self; 3] = [Self::Before, Self::After, Self::Both];

    const fn name(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::Before => "before",
            Self::After => "after",
            Self::Both => "both",
        }
    }
}

/// Number of texts, those of them that were detected, and the share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Detected {
    /// Number of texts.
    pub texts: usize,
    /// Detected ones.
    pub detected: usize,
    /// Share of them.
    pub share: Option<f64>,
    /// 95 % interval of the share.
    pub interval: Option<Interval>,
}

impl Detected {
    fn new(detections: impl IntoIterator<Item = bool>) -> Self {
        let (mut texts, mut detected) = (0, 0);
        for is_detected in detections {
            texts += 1;
            detected += usize::from(is_detected);
        }
        let share = (texts > 0).then(|| detected as f64 / texts as f64);
        Self { texts, detected, share, interval: share_interval(detected, texts) }
    }
}

/// Attacks at one length and position of the harmless text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DilutionCell {
    /// Length of the harmless text.
    pub length: usize,
    /// Its position.
    pub position: Position,
    /// Recall.
    pub attacks: Detected,
}

/// All positions of one length together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DilutionLength {
    /// Length of the harmless text.
    pub length: usize,
    /// Recall.
    pub attacks: Detected,
    /// The harmless texts without the attack; empty for the attack alone.
    pub harmless: Detected,
}

/// One guardrail's attacks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DilutionGuardrail {
    /// Wire name.
    pub guardrail: String,
    /// Recall at each of [`LENGTHS`], all positions together.
    pub lengths: Vec<Detected>,
    /// Lowest recall of a length, divided by the recall alone.
    pub worst_to_alone: Option<f64>,
}

/// Recall by length and position of the harmless text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DilutionReport {
    /// Seed of the sample and of the harmless texts.
    pub seed: u64,
    /// Attacks in the suites.
    pub attacks_in_suites: usize,
    /// Attacks that were evaluated.
    pub attacks: usize,
    /// Harmless texts of the suites from which carriers were built, beside the built-in ones.
    pub harmless_in_suites: usize,
    /// By length, all positions together.
    pub lengths: Vec<DilutionLength>,
    /// By length and position.
    pub cells: Vec<DilutionCell>,
    /// Lowest recall of a length and position, divided by the recall alone.
    pub worst_to_alone: Option<f64>,
    /// By guardrail.
    pub guardrails: Vec<DilutionGuardrail>,
}

/// A planned dilution: the sampled attacks, and harmless texts to set them into.
#[derive(Debug)]
pub struct Dilution<'t> {
    seed: u64,
    attacks_in_suites: usize,
    attacks: Vec<&'t LabeledText>,
    carriers: Carriers<'t>,
}

/// Evaluation of one attack at one length and position.
struct Sample<'t> {
    attack: &'t LabeledText,
    length: usize,
    position: Position,
    is_detected: bool,
}

impl<'t> Dilution<'t> {
    /// Samples at most `max_attacks` of the attacks, evenly over the guardrails that they belong to.
    pub fn new(texts: &'t [LabeledText], seed: u64, max_attacks: usize) -> Self {
        let attacks = texts.iter().filter(|text| text.is_attack());
        Self {
            seed,
            attacks_in_suites: attacks.clone().count(),
            attacks: sample(attacks, seed, max_attacks),
            carriers: Carriers::new(texts),
        }
    }

    /// Returns the number of evaluations of [`Dilution::run`].
    pub fn evaluations(&self) -> usize {
        self.attacks.len() * (1 + (LENGTHS.len() - 1) * (Position::WITH_CARRIER.len() + 1))
    }

    /// Evaluates every attack at every length and position.
    pub fn run(
        &self,
        thresholds: &Thresholds,
        mut evaluate: impl FnMut(&LabeledText) -> Prediction,
    ) -> DilutionReport {
        let (mut samples, mut harmless) = (Vec::new(), Vec::new());
        let mut is_detected = |attack: &LabeledText, text: String| {
            let prediction = evaluate(&LabeledText { text, ..attack.clone() });
            is_detected(attack, &prediction, thresholds)
        };
        for &attack in &self.attacks {
            let mut random = Random::for_item(self.seed, &attack.key());
            let alone = is_detected(attack, attack.text.clone());
            samples.push(Sample { attack, length: 0, position: Position::Alone, is_detected: alone });
            for length in &LENGTHS[1..] {
                let carrier = self.carriers.build(attack, *length, &mut random);
                for position in Position::WITH_CARRIER {
                    let is_detected = is_detected(attack, set_into(&carrier, &attack.text, position));
                    samples.push(Sample { attack, length: *length, position, is_detected });
                }
                harmless.push((*length, is_detected(attack, carrier)));
            }
        }
        self.report(&samples, &harmless)
    }

    fn report(&self, samples: &[Sample<'_>], harmless: &[(usize, bool)]) -> DilutionReport {
        let lengths = LENGTHS.map(|length| DilutionLength {
            length,
            attacks: of_length(samples.iter(), length),
            harmless: Detected::new(harmless.iter().filter(|one| one.0 == length).map(|one| one.1)),
        });
        let cells: Vec<_> = cells(samples);
        DilutionReport {
            seed: self.seed,
            attacks_in_suites: self.attacks_in_suites,
            attacks: self.attacks.len(),
            harmless_in_suites: self.carriers.texts_in_suites(),
            worst_to_alone: worst_to_alone(cells.iter().map(|cell| cell.attacks)),
            lengths: lengths.to_vec(),
            cells,
            guardrails: guardrails(samples),
        }
    }
}

/// True if a guardrail of the attack triggers; if it has none, if anything does.
fn is_detected(attack: &LabeledText, prediction: &Prediction, thresholds: &Thresholds) -> bool {
    if attack.labels.is_empty() {
        return prediction.flagged;
    }
    attack.labels.iter().any(|label| {
        let confidence = prediction.confidences.get(label).copied().unwrap_or(0.0);
        thresholds.get(label).is_some_and(|threshold| confidence > 0.0 && confidence >= *threshold)
    })
}

/// Returns the attack with the carrier before it, after it or around it, in paragraphs of their own.
fn set_into(carrier: &str, attack: &str, position: Position) -> String {
    match position {
        Position::Alone => attack.to_owned(),
        Position::Before => format!("{carrier}\n\n{attack}"),
        Position::After => format!("{attack}\n\n{carrier}"),
        Position::Both => {
            let (before, after) = carriers::halves(carrier);
            format!("{before}\n\n{attack}\n\n{after}")
        }
    }
}

/// Returns at most `max` attacks: in turn one of each guardrail, in a seeded order.
fn sample<'t>(attacks: impl Iterator<Item = &'t LabeledText>, seed: u64, max: usize) -> Vec<&'t LabeledText> {
    let mut by_guardrail: BTreeMap<&str, Vec<&LabeledText>> = BTreeMap::new();
    for attack in attacks {
        by_guardrail.entry(attack.labels.first().map_or("", String::as_str)).or_default().push(attack);
    }
    let mut random = Random::new(seed);
    let mut queues: Vec<_> = by_guardrail.into_values().collect();
    for queue in &mut queues {
        random.shuffle(queue);
    }
    let longest = queues.iter().map(Vec::len).max().unwrap_or(0);
    (0..longest)
        .flat_map(|at| queues.iter().filter_map(move |queue| queue.get(at).copied()))
        .take(max)
        .collect()
}

fn of_length<'s>(samples: impl Iterator<Item = &'s Sample<'s>>, length: usize) -> Detected {
    Detected::new(samples.filter(|one| one.length == length).map(|one| one.is_detected))
}

fn cells(samples: &[Sample<'_>]) -> Vec<DilutionCell> {
    let keys: BTreeSet<_> = samples.iter().map(|one| (one.length, one.position)).collect();
    let cell = |(length, position)| {
        let those = samples.iter().filter(|one| (one.length, one.position) == (length, position));
        DilutionCell { length, position, attacks: Detected::new(those.map(|one| one.is_detected)) }
    };
    keys.into_iter().map(cell).collect()
}

fn guardrails(samples: &[Sample<'_>]) -> Vec<DilutionGuardrail> {
    let names: BTreeSet<&String> = samples.iter().flat_map(|one| &one.attack.labels).collect();
    let guardrail = |name: &String| {
        let those = || samples.iter().filter(|one| one.attack.labels.contains(name));
        let lengths = LENGTHS.map(|length| of_length(those(), length)).to_vec();
        let worst_to_alone = worst_to_alone(lengths.iter().copied());
        DilutionGuardrail { guardrail: name.clone(), lengths, worst_to_alone }
    };
    names.into_iter().map(guardrail).collect()
}

/// Returns the lowest share divided by the first, which is the recall alone; `None` if that is missing or zero.
fn worst_to_alone(mut recalls: impl Iterator<Item = Detected>) -> Option<f64> {
    let alone = recalls.next()?.share.filter(|share| *share > 0.0)?;
    let worst = recalls.filter_map(|one| one.share).fold(alone, f64::min);
    Some(worst / alone)
}

impl fmt::Display for DilutionReport {
    /// Writes a line for each length, then one for each guardrail; shares in percent.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "{} of {} attacks set into harmless text; recall with the harmless text before, after, on both sides",
            self.attacks, self.attacks_in_suites
        )?;
        writeln!(
            out,
            "{:<28} {:>6} {:>13} {:>7} {:>7} {:>7} {:>17}",
            "characters of harmless text", "recall", "95 %", "before", "after", "both", "flagged without"
        )?;
        for one in &self.lengths {
            write!(
                out,
                "{:<28} {:>6} {:>13}",
                one.length,
                percent(one.attacks.share),
                range(one.attacks.interval)
            )?;
            for position in Position::WITH_CARRIER {
                write!(out, " {:>7}", percent(self.cell(one.length, position)))?;
            }
            writeln!(out, " {:>17}", percent(one.harmless.share))?;
        }
        writeln!(out, "{:<28} {:>6}", "worst / alone", percent(self.worst_to_alone))?;
        write!(out, "{:<28} {:>6}", "guardrail", "pos")?;
        LENGTHS.iter().try_for_each(|length| write!(out, " {length:>6}"))?;
        writeln!(out, " {:>13}", "worst / alone")?;
        for one in &self.guardrails {
            write!(out, "{:<28} {:>6}", one.guardrail, one.lengths.first().map_or(0, |alone| alone.texts))?;
            one.lengths.iter().try_for_each(|length| write!(out, " {:>6}", percent(length.share)))?;
            writeln!(out, " {:>13}", percent(one.worst_to_alone))?;
        }
        Ok(())
    }
}

impl DilutionReport {
    fn cell(&self, length: usize, position: Position) -> Option<f64> {
        self.cells.iter().find(|cell| (cell.length, cell.position) == (length, position))?.attacks.share
    }
}

impl fmt::Display for Position {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

#[cfg(test)]
mod tests;
