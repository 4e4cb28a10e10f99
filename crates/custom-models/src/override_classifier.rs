//! Classifier whose scores a custom model overrides.

use guardengine_classifiers::{Classifier, ScoreCache, Unavailable, calibration::EPSILON, in_time};
use guardengine_engine::{
    deadline::Deadline,
    evidence::Part,
    scores::{LabelScores, Scores, WindowScores, WindowVector},
    span::Span,
    topics::TopicEncoder,
};

use crate::{
    LabelProbabilities, Model,
    windows::{Window, select_windows},
};

/// A classifier and a custom model. The model's probabilities replace the classifier's scores for the mapped
/// guardrails, in the windows that the model reads. Results are cached by text.
pub struct OverrideClassifier<C, M> {
    classifier: C,
    model: M,
    version: String,
    cache: ScoreCache<LabelProbabilities>,
}

impl<C: Classifier, M: Model> OverrideClassifier<C, M> {
    /// Combines `classifier` with the `model` that overrides it.
    pub fn new(classifier: C, model: M) -> Self {
        let version = format!("{}+{}", classifier.version(), model.version());
        Self { classifier, model, version, cache: ScoreCache::default() }
    }

    /// Returns the model's probabilities for each text, in the same order. Asks the model only about texts that are not
    /// cached.
    fn probabilities(&self, texts: &[&str]) -> Result<Vec<LabelProbabilities>, Unavailable> {
        let cached: Vec<Option<LabelProbabilities>> = texts.iter().map(|text| self.cache.get(text)).collect();
        let missing = texts.iter().zip(&cached).filter(|(_, cached)| cached.is_none());
        let missing: Vec<&str> = missing.map(|(text, _)| *text).collect();
        let computed = if missing.is_empty() { Vec::new() } else { self.model.classify(&missing)? };
        for (text, probabilities) in missing.iter().zip(&computed) {
            self.cache.insert(text, *probabilities);
        }
        let mut computed = computed.into_iter();
        Ok(cached.into_iter().filter_map(|cached| cached.or_else(|| computed.next())).collect())
    }
}

impl<C: Classifier, M: Model> Classifier for OverrideClassifier<C, M> {
    fn version(&self) -> &str {
        &self.version
    }

    fn score_until(&self, parts: &[Part<'_>], deadline: &Deadline) -> Result<Scores, Unavailable> {
        let mut scores = self.classifier.score_until(parts, deadline)?;
        let windows = select_windows(&self.model, parts, &scores.scored);
        let texts: Vec<&str> = windows.iter().map(|window| window.of(parts)).collect();
        in_time(deadline)?;
        let probabilities = self.probabilities(&texts)?;
        for ((window, text), probabilities) in windows.iter().zip(&texts).zip(&probabilities) {
            let is_complete = self.model.fits(text);
            for scored in scores.scored.iter_mut().filter(|scored| window.covers(scored)) {
                override_scores(&mut scored.scores, probabilities, is_complete);
            }
        }
        for window in &windows {
            let view = window.view_span(parts);
            if window.span != view {
                self.raise_view_scores(view, &mut scores.scored, window);
            }
        }
        Ok(scores)
    }

    fn vectors(&self, parts: &[Part<'_>], deadline: &Deadline) -> Result<Vec<WindowVector>, Unavailable> {
        self.classifier.vectors(parts, deadline)
    }

    fn topic_encoder(&self) -> Result<&dyn TopicEncoder, Unavailable> {
        self.classifier.topic_encoder()
    }
}

impl<C: Classifier, M: Model> OverrideClassifier<C, M> {
    /// Gives a view of which the model read only some windows the highest scores of its windows.
    fn raise_view_scores(&self, view: Span, scored: &mut [WindowScores], read: &Window) {
        let is_window = |one: &&WindowScores| read.is_same_view(one) && one.span != view;
        let highest = scored.iter().filter(is_window).map(|one| one.scores).reduce(max_scores);
        let whole_views = scored.iter_mut().filter(|one| read.is_same_view(one) && one.span == view);
        for (whole, highest) in whole_views.zip(highest) {
            for (_, guardrail) in self.model.labels().iter() {
                whole.scores[guardrail] = highest[guardrail];
            }
        }
    }
}

fn max_scores(one: LabelScores, other: LabelScores) -> LabelScores {
    std::array::from_fn(|label| one[label].max(other[label]))
}

/// Replaces scores by the model's probabilities. If the model truncated the text, the higher of both counts, because
/// the rest of the text may be what the classifier found.
fn override_scores(scores: &mut LabelScores, probabilities: &LabelProbabilities, is_complete: bool) {
    for (score, probability) in scores.iter_mut().zip(probabilities) {
        if let Some(probability) = probability.map(|value| value.clamp(EPSILON, 1.0 - EPSILON)) {
            *score = if is_complete { probability } else { probability.max(*score) };
        }
    }
}
