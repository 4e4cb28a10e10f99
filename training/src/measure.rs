//! The model on labelled suites, judged as detectors judge: by the greatest score among whole texts and windows.

use std::path::PathBuf;

use anyhow::Result;
use guardengine_classifiers::Classifier;
use guardengine_engine::{
    evidence::{Origin, Part},
    scores::{LABELS, LabelScores},
    text::Text,
};
use guardengine_evaluation::{Judgement, Report, Row, Thresholds, evaluate, read};

/// Judges every row of the suites.
pub fn suites(classifier: &dyn Classifier, data: &[PathBuf], thresholds: &Thresholds) -> Result<Report> {
    let mut rows = Vec::new();
    for path in data {
        rows.extend(read(path)?);
    }
    Ok(evaluate(&rows, thresholds, |row| judge(classifier, row, thresholds)))
}

fn judge(classifier: &dyn Classifier, row: &Row, thresholds: &Thresholds) -> Judgement {
    let greatest = greatest(classifier, &row.text);
    let confidences = LABELS.iter().zip(greatest).map(|(label, score)| ((*label).to_owned(), score));
    let triggers = |(label, score): (&&str, f32)| thresholds.get(*label).is_some_and(|at| score >= *at);
    Judgement {
        flagged: LABELS.iter().zip(greatest).any(triggers),
        confidences: confidences.collect(),
        pii: Vec::new(),
    }
}

fn greatest(classifier: &dyn Classifier, text: &str) -> LabelScores {
    let parts = [Part::new(Origin::Subject, Text::new(text))];
    let mut greatest = LabelScores::default();
    for one in classifier.score(&parts).map(|scores| scores.scored).unwrap_or_default() {
        for (most, score) in greatest.iter_mut().zip(one.scores) {
            *most = most.max(score);
        }
    }
    greatest
}
