//! Weights of the linear model and the encoder in their joint score, fitted on texts that neither has seen.

use std::{borrow::Cow, collections::BTreeMap, thread};

use anyhow::{Context as _, Result};
use guardengine_classifiers::CASCADE_LABELS;
use guardengine_classifiers::{
    Encoder, FusionWeights, Linear, ScoreFusion, calibration::log_odds, in_english,
};
use guardengine_engine::scores::LabelScores;

use crate::{
    calibrate::{Figures, Judged, curve, weighed},
    corpus::Labelled,
    example::Example,
    fit::{Model, Settings, fit},
    regression::logistic_regression,
    windows,
};

/// Maximum number of texts read of a source.
const OF_A_SOURCE: usize = 1_500;
/// Lowest score of the linear model for which the encoder runs.
const FLOOR: f32 = 0.03;
/// The same for English and labels whose words the linear model knows: below this, the encoder found almost no
/// positives.
const FLOORS: [(&str, f32); 7] = [
    ("prompt_injection", 0.1),
    ("model_jailbreak", 0.1),
    ("model_denial", 0.1),
    ("religious_content", 0.1),
    ("copyright_infringement", 0.1),
    ("spam", 0.1),
    ("impersonation", 0.05),
];
/// Factor of the linear model's scores where none reaches its floor. Chosen on the development suites: AUC is greatest
/// between 0.2 and 0.3.
const UNREAD: f32 = 0.3;
/// Lowest joint score of the linear model and the early exit for which the remaining layers run.
const EARLY_EXIT_THRESHOLD: f32 = 0.07;
/// Confidences chosen as the working point where the limits miss a guardrail's target, as in `calibrate::CHOSEN`.
const CHOSEN: [(&str, f32); 14] = [
    ("prompt_injection", 0.7819),
    ("model_jailbreak", 0.175),
    ("model_denial", 0.969),
    ("toxicity", 0.907),
    ("hate_speech", 0.8285),
    ("nsfw", 0.7581),
    ("violence", 0.8514),
    ("self_harm", 0.9583),
    ("religious_content", 0.956),
    ("copyright_infringement", 0.909),
    ("fraud", 0.9558),
    ("spam", 0.8301),
    ("bias", 0.8849),
    ("impersonation", 0.9945),
];

/// The same for glosses.
const CHOSEN_OF_GLOSSES: [(&str, f32); 14] = [
    ("prompt_injection", 0.957),
    ("model_jailbreak", 0.984),
    ("model_denial", 0.974),
    ("toxicity", 0.86),
    ("hate_speech", 0.5995),
    ("nsfw", 0.8),
    ("violence", 0.8565),
    ("self_harm", 0.89),
    ("religious_content", 0.9996),
    ("copyright_infringement", 0.8),
    ("fraud", 0.926),
    ("spam", 0.936),
    ("bias", 0.9359),
    ("impersonation", 0.942),
];

/// Penalty on texts that only the encoder suspects (`Weighed::doubt`). The held-out texts resemble those that it was
/// trained on. Among texts of other kinds, nearly all that only the encoder suspected were harmless, except insults and
/// prejudices: the linear model knows few of their words.
const DOUBTED: [(&str, f32); 5] = [
    ("model_jailbreak", 0.5),
    ("model_denial", 2.0),
    ("copyright_infringement", 2.0),
    ("spam", 2.0),
    ("impersonation", 2.0),
];

/// The same for glosses.
const DOUBTED_OF_GLOSSES: [(&str, f32); 10] = [
    ("prompt_injection", 0.5),
    ("model_jailbreak", 2.0),
    ("model_denial", 2.0),
    ("nsfw", 2.0),
    ("violence", 1.0),
    ("self_harm", 2.0),
    ("copyright_infringement", 2.0),
    ("fraud", 2.0),
    ("spam", 2.0),
    ("impersonation", 2.0),
];

/// Factor by which a guardrail's log-odds move towards those of [`PIVOT`]: of the texts that scored 0.95, 87 % were
/// positive.
const SOFTENED: [(&str, f32); 1] = [("hate_speech", 0.9)];
/// The default threshold of those guardrails, so that the same texts trigger.
const PIVOT: f32 = 0.8;

/// Factor of the encoder's log-odds after the fit: the shipped encoder was trained longer than the fitted one, and is
/// more confident.
const TEMPERED: f32 = 0.9;

/// Corrections of the fitted weights, in English. The held-out texts come from templates that the linear model has
/// seen, so the fit gives the encoder almost no weight. For one line among others, the linear model recognizes less
/// than the encoder.
const ANEW: [(&str, Anew); 1] = [("model_jailbreak", Anew { linear: 0.5, encoder: 3.4, bias: -0.7 })];
/// Further corrections for untrusted content. The linear model does not know that instructions there are not the
/// user's. The factors of its weight and the encoder's were chosen on documents with planted instructions, written
/// separately.
const GIVEN: [(&str, Anew); 1] = [("prompt_injection", Anew { linear: 0.35, encoder: 1.5, bias: -0.5 })];
/// The same for glosses.
const GIVEN_GLOSSES: [(&str, Anew); 1] =
    [("prompt_injection", Anew { linear: 0.6, encoder: 1.2, bias: -0.9 })];
/// Lowest score of the linear model for which the encoder reads untrusted content: nearly any.
const FLOOR_OF_GIVEN: f32 = 0.001;

/// Numbers of some labels.
type Numbers = &'static [(&'static str, f32)];
/// Corrections of some labels.
type Changes = &'static [(&'static str, Anew)];

/// Correction of a label's weights.
struct Anew {
    /// Factor of the linear model's weight.
    linear: f32,
    /// Factor of the encoder's weight.
    encoder: f32,
    /// Number added to the bias.
    bias: f32,
}

/// Settings chosen by hand.
struct ByHand {
    points: Numbers,
    doubts: Numbers,
    floors: Numbers,
    anew: Changes,
}

const ENGLISH: ByHand = ByHand { points: &CHOSEN, doubts: &DOUBTED, floors: &FLOORS, anew: &ANEW };
const GLOSSES: ByHand =
    ByHand { points: &CHOSEN_OF_GLOSSES, doubts: &DOUBTED_OF_GLOSSES, floors: &[], anew: &[] };

/// A held-out text with the log-odds of both models.
struct Read {
    example: Example,
    is_gloss: bool,
    linear: LabelScores,
    encoder: LabelScores,
}

/// Fits the weights. The linear model of the release has seen the texts, so another is fitted without them; its scores
/// go through the curves of the release.
pub fn join(
    texts: &[Labelled],
    encoder: &Encoder,
    settings: &Settings,
    version: String,
) -> Result<(ScoreFusion, [Vec<Figures>; 2])> {
    let seen: Vec<_> = texts.iter().filter(|text| !text.is_held_out()).map(Example::new).collect();
    let linear = fit(&seen, settings);
    let stretches = stretches(texts);
    eprintln!("{} stretches were held out", stretches.len());
    let read = read_all(&stretches, &linear, encoder)?;
    let (glosses, english): (Vec<_>, Vec<_>) = read.into_iter().partition(|one| one.is_gloss);
    let weighed = |read: &[Read], chosen| -> (Vec<_>, Vec<_>) {
        (0..CASCADE_LABELS.len()).map(|label| weigh(read, label, chosen)).unzip()
    };
    let (labels, figures) = weighed(&english, &ENGLISH);
    let (glossed, figures_of_glosses) = weighed(&glosses, &GLOSSES);
    let (given, given_glossed) = (given(&labels, &GIVEN), given(&glossed, &GIVEN_GLOSSES));
    let joint = ScoreFusion {
        version,
        unread: UNREAD,
        early_exit_threshold: EARLY_EXIT_THRESHOLD,
        labels,
        glossed,
        given,
        given_glossed,
    };
    Ok((joint, [figures, figures_of_glosses]))
}

impl Anew {
    /// Returns the corrected weights.
    fn of(&self, by: &FusionWeights) -> FusionWeights {
        FusionWeights {
            linear: by.linear * self.linear,
            encoder: by.encoder * self.encoder,
            bias: by.bias + self.bias,
            ..by.clone()
        }
    }
}

/// Returns the corrected weights of the label, if it has a correction.
fn anew(changes: Changes, by: &FusionWeights) -> Option<FusionWeights> {
    changes.iter().find(|(label, _)| *label == by.label).map(|(_, anew)| anew.of(by))
}

/// Returns the weights for untrusted content, derived from those for user texts.
fn given(said: &[FusionWeights], changes: Changes) -> Vec<FusionWeights> {
    let changed = said.iter().filter_map(|by| anew(changes, by));
    changed.map(|by| FusionWeights { floor: FLOOR_OF_GIVEN, ..by }).collect()
}

/// Returns the windows of the held-out texts that the encoder would read.
fn stretches(texts: &[Labelled]) -> Vec<Labelled> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut stretches = Vec::new();
    for text in texts.iter().filter(|text| text.is_held_out()) {
        let count = counts.entry(&text.source).or_default();
        if *count == OF_A_SOURCE {
            continue;
        }
        if let Some(window) = windows::window(text).filter(|window| in_english(window).is_some()) {
            *count += 1;
            stretches.push(Labelled { text: window, ..text.clone() });
        }
    }
    stretches
}

/// Scores all texts on two threads, because the encoder is slow.
fn read_all(stretches: &[Labelled], linear: &Model, encoder: &Encoder) -> Result<Vec<Read>> {
    let (first, second) = stretches.split_at(stretches.len() / 2);
    let half = |of: &[Labelled]| of.iter().map(|one| read(one, linear, encoder)).collect::<Result<Vec<_>>>();
    thread::scope(|scope| {
        let other = scope.spawn(|| half(second));
        let mut all = half(first)?;
        all.extend(other.join().expect("a panic would have ended the program")?);
        Ok(all)
    })
}

fn read(text: &Labelled, linear: &Model, encoder: &Encoder) -> Result<Read> {
    let example = Example::new(text);
    let values = linear.greatest(&example);
    let calibrated = Linear::embedded().calibrated(&values);
    let english = in_english(&text.text).unwrap_or_default();
    let encoder = encoder.log_odds(&english, text.is_given).context("reading a text held out")?;
    let is_gloss = matches!(english, Cow::Owned(_));
    Ok(Read { example, is_gloss, linear: calibrated.map(log_odds), encoder })
}

fn weigh(read: &[Read], label: usize, chosen: &ByHand) -> (FusionWeights, Figures) {
    let of = |values: &dyn Fn(&Read) -> f32| {
        let scored = |one| {
            let mut all = [0.0; CASCADE_LABELS.len()];
            all[label] = values(one);
            Judged { example: &one.example, values: all }
        };
        read.iter().map(scored).collect::<Vec<_>>()
    };
    let rows: Vec<_> = weighed(&of(&|_| 0.0), label)
        .into_iter()
        .map(|(place, holds, weight)| {
            let inputs = [f64::from(read[place].linear[label]), f64::from(read[place].encoder[label]), 1.0];
            (inputs, holds, f64::from(weight))
        })
        .collect();
    let [linear, encoder, bias] = logistic_regression(&rows).map(|weight| weight as f32);
    let together = of(&|one: &Read| linear * one.linear[label] + encoder * one.encoder[label] + bias);
    let (curve, figures) = curve(&together, label, chosen.points);
    let [first, .., last] = curve.knots() else { unreachable!("a curve has two knots") };
    let slope = (last.1 - first.1) / (last.0 - first.0);
    let of_label =
        |numbers: Numbers| numbers.iter().find(|(name, _)| *name == CASCADE_LABELS[label]).map(|(_, it)| *it);
    let soft = of_label(&SOFTENED).unwrap_or(1.0);
    let weighed = FusionWeights {
        label: CASCADE_LABELS[label].to_owned(),
        linear: linear * slope * soft,
        encoder: encoder * slope * soft * TEMPERED,
        bias: (bias * slope + first.1 - first.0 * slope) * soft + log_odds(PIVOT) * (1.0 - soft),
        floor: of_label(chosen.floors).unwrap_or(FLOOR),
        doubt: of_label(chosen.doubts).unwrap_or_default(),
    };
    (anew(chosen.anew, &weighed).unwrap_or(weighed), figures)
}
