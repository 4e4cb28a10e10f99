//! A classifier of which a model has the last word.

use guardengine_classifiers::{Classifier, Memory, Unavailable, calibration::DOUBT};
use guardengine_engine::{
    evidence::Part,
    scores::{LabelScores, Scored, Scores},
    span::Span,
};

use crate::{
    LabelProbabilities, Model,
    windows::{Window, select_windows},
};

/// What a model says of the guardrails that its labels are mapped to counts instead of what another classifier said, for
/// the stretches that it reads. What it said of a stretch is remembered.
pub struct OverrideClassifier<C, M> {
    classifier: C,
    model: M,
    version: String,
    known: Memory<LabelProbabilities>,
}

impl<C: Classifier, M: Model> OverrideClassifier<C, M> {
    /// `classifier`, overruled by `model`.
    pub fn new(classifier: C, model: M) -> Self {
        let version = format!("{}+{}", classifier.version(), model.version());
        Self { classifier, model, version, known: Memory::default() }
    }

    /// What the model says of each stretch, in their order.
    fn opinions(&self, stretches: &[&str]) -> Result<Vec<LabelProbabilities>, Unavailable> {
        let known: Vec<Option<LabelProbabilities>> =
            stretches.iter().map(|stretch| self.known.recall(stretch)).collect();
        let unknown = stretches.iter().zip(&known).filter(|(_, known)| known.is_none());
        let unknown: Vec<&str> = unknown.map(|(stretch, _)| *stretch).collect();
        let read = if unknown.is_empty() { Vec::new() } else { self.model.classify(&unknown)? };
        for (stretch, opinion) in unknown.iter().zip(&read) {
            self.known.keep(stretch, *opinion);
        }
        let mut read = read.into_iter();
        Ok(known.into_iter().filter_map(|known| known.or_else(|| read.next())).collect())
    }
}

impl<C: Classifier, M: Model> Classifier for OverrideClassifier<C, M> {
    fn version(&self) -> &str {
        &self.version
    }

    fn score(&self, parts: &[Part<'_>]) -> Result<Scores, Unavailable> {
        let mut scores = self.classifier.score(parts)?;
        let stretches = select_windows(&self.model, parts, &scores.scored);
        let texts: Vec<&str> = stretches.iter().map(|stretch| stretch.of(parts)).collect();
        let opinions = self.opinions(&texts)?;
        for ((stretch, text), opinion) in stretches.iter().zip(&texts).zip(&opinions) {
            let is_read = self.model.fits(text);
            for one in scores.scored.iter_mut().filter(|one| stretch.covers(one)) {
                overrule(&mut one.scores, opinion, is_read);
            }
        }
        for read in &stretches {
            let text = read.text(parts);
            if read.span != text {
                self.judge_whole(text, &mut scores.scored, read);
            }
        }
        Ok(scores)
    }
}

impl<C: Classifier, M: Model> OverrideClassifier<C, M> {
    /// A text that was read in part is as suspicious as its most suspicious window.
    fn judge_whole(&self, text: Span, scored: &mut [Scored], read: &Window) {
        let is_window = |one: &&Scored| read.is_beside(one) && one.span != text;
        let greatest = scored.iter().filter(is_window).map(|one| one.scores).reduce(greater);
        let wholes = scored.iter_mut().filter(|one| read.is_beside(one) && one.span == text);
        for (whole, greatest) in wholes.zip(greatest) {
            for (_, guardrail) in self.model.labels().iter() {
                whole.scores[guardrail] = greatest[guardrail];
            }
        }
    }
}

fn greater(one: LabelScores, other: LabelScores) -> LabelScores {
    std::array::from_fn(|label| one[label].max(other[label]))
}

/// Of a stretch that the model did not read to its end, the greater counts.
fn overrule(scores: &mut LabelScores, opinion: &LabelProbabilities, is_read: bool) {
    for (score, said) in scores.iter_mut().zip(opinion) {
        if let Some(said) = said.map(|said| said.clamp(DOUBT, 1.0 - DOUBT)) {
            *score = if is_read { said } else { said.max(*score) };
        }
    }
}
