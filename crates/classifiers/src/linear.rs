//! The fast tier: a linear model over hashed features.

use std::sync::LazyLock;

use guardengine_engine::{
    deadline::Deadline,
    evidence::Part,
    scores::{LABELS, LabelScores, Scores, WindowScores},
    span::Span,
    text::View,
};

use crate::{
    CASCADE_LABELS, Classifier, Unavailable,
    calibration::EPSILON,
    feature_sums::{ChunkSums, Sums},
    format::{FormatError, Weights},
    in_time,
};

static EMBEDDED: LazyLock<Linear> = LazyLock::new(|| {
    let file = include_bytes!("../../../models/linear.bin");
    Linear::from_bytes(file).expect("the weights that are compiled in are read by a test")
});

/// A linear model: one weight for each feature and label, summed over a text and calibrated.
#[derive(Debug)]
pub struct Linear {
    weights: Weights,
}

impl Linear {
    /// Returns the embedded model. The first call inflates its weights (4 MiB).
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// Loads the model from a file of weights.
    pub fn from_bytes(file: &[u8]) -> Result<Self, FormatError> {
        Ok(Self { weights: Weights::from_bytes(file)? })
    }

    /// Returns the sums of each of the contiguous `chunks` that cover `text`.
    pub fn sums<'c>(&self, text: &str, chunks: &'c [Span]) -> ChunkSums<'c> {
        ChunkSums::new(&self.weights.rows, text, chunks)
    }

    /// Returns the value of a label before calibration.
    pub fn raw(&self, sums: &Sums, label: usize) -> f32 {
        let head = &self.weights.described.heads[label];
        head.bias + head.scale * sums.value(label)
    }

    /// Returns calibrated probabilities. An empty text, such as an empty prompt with documents, is not suspicious: a curve's
    /// value for it would be that of an average text.
    pub fn probabilities(&self, sums: &Sums) -> LabelScores {
        if sums.is_empty() {
            return [EPSILON; LABELS.len()];
        }
        self.each_label(|label| self.raw(sums, label))
    }

    /// Returns the calibrated probabilities of a whole text.
    pub fn whole(&self, text: &str) -> LabelScores {
        let chunks = [Span::new(0, text.len())];
        let sums = self.sums(text, &chunks);
        self.probabilities(&sums.whole())
    }

    /// Returns the calibrated probabilities of raw values of another fit of the same features.
    pub fn calibrated(&self, raws: &[f32; CASCADE_LABELS.len()]) -> LabelScores {
        self.each_label(|label| raws[label])
    }

    /// Returns the calibrated probability of each label's raw value.
    fn each_label(&self, raw: impl Fn(usize) -> f32) -> LabelScores {
        let heads = &self.weights.described.heads;
        std::array::from_fn(|label| {
            heads.get(label).map_or(EPSILON, |head| head.curve.probability(raw(label)))
        })
    }

    fn score_view(&self, part: usize, view: usize, read: &View<'_>, scored: &mut Vec<WindowScores>) {
        let chunks = read.chunks();
        let sums = self.sums(&read.text, &chunks);
        let whole = Span::new(0, read.text.len());
        let mut put = |span, sums: &Sums| {
            scored.push(WindowScores { part, view, span, scores: self.probabilities(sums) });
        };
        put(whole, &sums.whole());
        for window in read.windows().into_iter().filter(|window| *window != whole) {
            put(window, &sums.window(window));
        }
    }
}

impl Classifier for Linear {
    fn version(&self) -> &str {
        &self.weights.described.version
    }

    fn score_until(&self, parts: &[Part<'_>], deadline: &Deadline) -> Result<Scores, Unavailable> {
        let mut scored = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            for (view, read) in part.text.views().iter().enumerate() {
                in_time(deadline)?;
                self.score_view(index, view, read, &mut scored);
            }
        }
        Ok(Scores { scored, ..Scores::default() })
    }
}

const _: () = assert!(CASCADE_LABELS.len() <= crate::feature_sums::LANES);
