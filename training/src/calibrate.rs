//! Curves from values to probabilities, fitted on texts of sources that the model has not seen.
//!
//! For each fold of sources a model is fitted on the other folds and scores this one. All scores together represent how
//! the final model, fitted on everything, scores unseen texts. They are weighted like traffic, by [`PRIOR`] and [`HARD`].

use std::collections::BTreeMap;

use guardengine_classifiers::CASCADE_LABELS;
use guardengine_classifiers::calibration::{Curve, Sample, log_odds, platt};
use guardengine_evaluation::auc::{auc, threshold_at};
use serde::Serialize;

use crate::{
    example::Example,
    fit::{Settings, fit},
    weighing::{is_hard, is_ours},
};

/// Share of texts that are of a label's kind in the traffic that confidences are meant for.
const PRIOR: f32 = 0.03;
/// Share of the harmless texts that come from sources where such a label is at home (tweets, planted twins).
const HARD: f32 = 0.15;

/// Metrics of a label on unseen sources.
#[derive(Debug, Serialize)]
pub struct Figures {
    /// Wire name.
    pub label: &'static str,
    /// Number of positives.
    pub positives: usize,
    /// Number of negatives.
    pub negatives: usize,
    /// Area under the curve, every text counting alike.
    pub auc: Option<f64>,
    /// Recall at the working point.
    pub recall: f64,
    /// Share of ordinary harmless texts above the working point.
    pub ordinary_false_positives: f64,
    /// Share of texts above the working point among negatives from sources that hold positives.
    pub hard_false_positives: f64,
    /// The least confidence that at most 0.3 % of the ordinary harmless texts reach.
    pub threshold: f32,
    /// Per source: texts, and the share above the working point, positives and negatives apart.
    pub by_source: BTreeMap<String, [(usize, f64); 2]>,
}

/// Folds that are fitted at the same time.
const AT_ONCE: usize = 2;

/// A text with the scores of a model that has not seen it.
pub struct Judged<'e> {
    /// The text.
    pub example: &'e Example,
    /// A value for each label.
    pub values: [f32; CASCADE_LABELS.len()],
}

/// The confidence at which the limits hold: the default threshold of every guardrail that reads scores.
pub const WORKING_POINT: f32 = 0.7;
/// Share of the hard harmless texts that a guardrail may flag at the working point.
const HARD_FALSE_POSITIVES: f64 = 0.05;
/// The same for ordinary ones, all together.
const FALSE_POSITIVES: f64 = 0.003;
/// The same for any single source of ordinary ones that has [`SOME`] texts, so that no kind of traffic suffers.
const FALSE_POSITIVES_OF_ONE: f64 = 0.008;
/// The same for long documents, which have ten windows to be wrong in.
const FALSE_POSITIVES_OF_LONG: f64 = 0.015;
const SOME: usize = 1_000;
/// Sources that are not ordinary traffic although they have no positives of a label: requests for harm, mail with spam.
const UNUSUAL: [&str; 2] = ["catqa", "spam_or_not"];
/// Confidences that become the working point instead, where the limits make a guardrail miss its target on the
/// development suites in either direction.
const CHOSEN: [(&str, f32); 11] = [
    ("prompt_injection", 0.6),
    ("model_jailbreak", 0.8),
    ("model_denial", 0.85),
    ("toxicity", 0.85),
    ("nsfw", 0.65),
    ("self_harm", 0.65),
    ("religious_content", 0.75),
    ("copyright_infringement", 0.6),
    ("fraud", 0.92),
    ("spam", 0.55),
    ("impersonation", 0.92),
];
/// Sources whose labels are too loose to measure with.
const LOOSE: [&str; 3] = ["redditbias", "mlma", "xsafety"];

/// Returns the curves, and the metrics of the models of the folds.
pub fn across_folds(examples: &[Example], folds: usize, settings: &Settings) -> (Vec<Curve>, Vec<Figures>) {
    let all: Vec<usize> = (0..folds).collect();
    let scored: Vec<_> = all.chunks(AT_ONCE).flat_map(|some| together(examples, some, settings)).collect();
    (0..CASCADE_LABELS.len()).map(|label| curve(&scored, label, &CHOSEN)).unzip()
}

fn together<'e>(examples: &'e [Example], folds: &[usize], settings: &Settings) -> Vec<Judged<'e>> {
    std::thread::scope(|scope| {
        let fits: Vec<_> =
            folds.iter().map(|fold| scope.spawn(|| unseen(examples, *fold, settings))).collect();
        fits.into_iter().flat_map(|fit| fit.join().unwrap_or_default()).collect()
    })
}

fn unseen<'e>(examples: &'e [Example], fold: usize, settings: &Settings) -> Vec<Judged<'e>> {
    let model = fit(examples.iter().filter(|example| example.fold != fold), settings);
    let left_out = examples.iter().filter(|example| example.fold == fold);
    left_out.map(|example| Judged { example, values: model.greatest(example) }).collect()
}

/// Returns true for texts as written, and long documents made of them, if the label is known.
fn counts(scored: &Judged<'_>, label: usize) -> bool {
    let target = scored.example.targets[label];
    let made = scored.example.source.starts_with("made_") && scored.example.source != "made_document";
    target.weight >= 0.5 && !made && !LOOSE.contains(&scored.example.source.as_str())
}

/// Returns the texts of which the label is known, weighted like traffic.
fn known<'j, 'e>(scored: &'j [Judged<'e>], label: usize) -> (Vec<&'j Judged<'e>>, Vec<(Sample, Class)>) {
    let known: Vec<_> = scored.iter().filter(|one| counts(one, label)).collect();
    let mut homes: BTreeMap<&str, (f32, f32)> = BTreeMap::new();
    for one in &known {
        let home = homes.entry(&one.example.source).or_default();
        if one.example.targets[label].holds { home.0 += 1.0 } else { home.1 += 1.0 }
    }
    let mut samples: Vec<_> = known.iter().map(|one| sample(one, label, &homes)).collect();
    weigh(&mut samples);
    (known, samples)
}

/// Returns for each text of which the label is known its index in `scored`, whether it holds, and its weight.
pub fn weighed(scored: &[Judged<'_>], label: usize) -> Vec<(usize, bool, f32)> {
    let places = (0..scored.len()).filter(|place| counts(&scored[*place], label));
    let (_, samples) = known(scored, label);
    places.zip(samples).map(|(place, (sample, _))| (place, sample.holds, sample.weight)).collect()
}

/// Returns the curve of a label's values and its metrics. `chosen` holds confidences that become the working point
/// instead of the one that the limits require.
pub fn curve(scored: &[Judged<'_>], label: usize, chosen: &[(&str, f32)]) -> (Curve, Figures) {
    let (known, samples) = known(scored, label);
    let plain: Vec<Sample> = samples.iter().map(|(sample, _)| *sample).collect();
    let curve = anchored(&platt(&plain).unwrap_or_else(fallback), &known, &samples, chosen_of(chosen, label));
    let figures = figures(&curve, &known, &samples, label);
    (curve, figures)
}

/// Returns the curve of a label without positives in any fold, which keeps the model's own values.
fn fallback() -> Curve {
    Curve::new(vec![(-1.0, -1.0), (1.0, 1.0)]).expect("two ascending knots")
}

fn chosen_of(chosen: &[(&str, f32)], label: usize) -> f32 {
    chosen.iter().find(|(of, _)| *of == CASCADE_LABELS[label]).map_or(WORKING_POINT, |(_, at)| *at)
}

/// Returns the curve shifted so that the working point lies where the limits on false positives are reached. Shifting
/// it along the log-odds only changes its prior.
fn anchored(curve: &Curve, known: &[&Judged<'_>], samples: &[(Sample, Class)], chosen: f32) -> Curve {
    let Some(limit) = limit(known, samples) else { return curve.clone() };
    // The limit's own confidence becomes the working point, and then the chosen one does, beyond all doubt if need be.
    let beyond_doubt = |confidence: f32| (confidence / (1.0 - confidence)).ln();
    let shift = log_odds(curve.probability(limit)) + beyond_doubt(chosen) - 2.0 * log_odds(WORKING_POINT);
    let moved = curve.knots().iter().map(|(raw, odds)| (*raw, odds - shift)).collect();
    Curve::new(moved).unwrap_or_else(|| curve.clone())
}

/// Returns the lowest raw value above which all the limits on false positives hold.
fn limit(known: &[&Judged<'_>], samples: &[(Sample, Class)]) -> Option<f32> {
    let of =
        |class| samples.iter().filter(move |one| one.1 == class).map(|one| one.0.raw).collect::<Vec<_>>();
    let mut sources: BTreeMap<&str, Vec<f32>> = BTreeMap::new();
    for (scored, (sample, class)) in known.iter().zip(samples) {
        let source = scored.example.source.as_str();
        if *class == Class::Ordinary && !UNUSUAL.contains(&source) {
            sources.entry(source).or_default().push(sample.raw);
        }
    }
    let large = sources.iter().filter(|(_, raws)| raws.len() >= SOME);
    let single = large.filter_map(|(source, raws)| threshold_at(raws, allowed(source)));
    let hard = threshold_at(&of(Class::Hard), HARD_FALSE_POSITIVES);
    let together = threshold_at(&of(Class::Ordinary), FALSE_POSITIVES);
    single.chain(hard).chain(together).reduce(f32::max)
}

fn allowed(source: &str) -> f64 {
    if source == "made_document" { FALSE_POSITIVES_OF_LONG } else { FALSE_POSITIVES_OF_ONE }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Positive,
    Hard,
    Ordinary,
}

/// Returns the sample and class of a text. Sources count by the square root of their size, so that none dominates.
fn sample(scored: &Judged<'_>, label: usize, homes: &BTreeMap<&str, (f32, f32)>) -> (Sample, Class) {
    let source = scored.example.source.as_str();
    let holds = scored.example.targets[label].holds;
    let (positives, negatives) = homes[source];
    let size = if holds { positives } else { negatives };
    let ours = if is_ours(source) { 2.0 } else { 1.0 };
    // Our own texts resemble attacks everywhere: they share their words even in files without attacks.
    let class = match (holds, positives > 0.0 || is_hard(source)) {
        (true, _) => Class::Positive,
        (false, true) => Class::Hard,
        (false, false) => Class::Ordinary,
    };
    (Sample { raw: scored.values[label], holds, weight: ours / size.sqrt() }, class)
}

/// Scales the classes to their shares of the traffic, and all together to the weight of ten thousand texts.
fn weigh(samples: &mut [(Sample, Class)]) {
    let share = |class| match class {
        Class::Positive => PRIOR,
        Class::Hard => (1.0 - PRIOR) * HARD,
        Class::Ordinary => (1.0 - PRIOR) * (1.0 - HARD),
    };
    for class in [Class::Positive, Class::Hard, Class::Ordinary] {
        let total: f32 = samples.iter().filter(|one| one.1 == class).map(|one| one.0.weight).sum();
        let factor = 10_000.0 * share(class) / total.max(f32::MIN_POSITIVE);
        samples.iter_mut().filter(|one| one.1 == class).for_each(|one| one.0.weight *= factor);
    }
}

fn figures(curve: &Curve, known: &[&Judged<'_>], samples: &[(Sample, Class)], label: usize) -> Figures {
    let of = |class| {
        samples
            .iter()
            .filter(move |one| one.1 == class)
            .map(|one| curve.probability(one.0.raw))
            .collect::<Vec<_>>()
    };
    let (positives, hard, ordinary) = (of(Class::Positive), of(Class::Hard), of(Class::Ordinary));
    let negatives = [hard.as_slice(), &ordinary].concat();
    Figures {
        label: CASCADE_LABELS[label],
        positives: positives.len(),
        negatives: negatives.len(),
        auc: auc(&positives, &negatives),
        recall: share_above(&positives),
        ordinary_false_positives: share_above(&ordinary),
        hard_false_positives: share_above(&hard),
        threshold: threshold_at(&ordinary, 0.003).unwrap_or(1.0),
        by_source: by_source(curve, known, label),
    }
}

fn share_above(probabilities: &[f32]) -> f64 {
    let above = probabilities.iter().filter(|probability| **probability >= WORKING_POINT).count();
    above as f64 / probabilities.len().max(1) as f64
}

fn by_source(curve: &Curve, known: &[&Judged<'_>], label: usize) -> BTreeMap<String, [(usize, f64); 2]> {
    let mut sources: BTreeMap<String, [Vec<f32>; 2]> = BTreeMap::new();
    for one in known {
        let halves = sources.entry(one.example.source.clone()).or_default();
        halves[usize::from(!one.example.targets[label].holds)].push(curve.probability(one.values[label]));
    }
    sources
        .into_iter()
        .map(|(name, halves)| (name, halves.map(|half| (half.len(), share_above(&half)))))
        .collect()
}
