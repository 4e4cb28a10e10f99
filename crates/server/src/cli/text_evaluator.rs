//! Evaluation of labeled texts by a policy and the shipped models, for `eval` and `attack`.

use std::time::Instant;

use anyhow::Result;
use guardengine_classifiers::fit_topics;
use guardengine_engine::{
    RequestOptions,
    deadline::Deadline,
    evidence::Origin,
    pii::{Entity, mask::MaskKeys},
    policy::{
        CompiledPolicy,
        document::{GuardrailConfig, Policy},
    },
    span::CodePoints,
    text::Text,
};
use guardengine_evaluation::{
    LabeledText, Prediction, Thresholds,
    attack::{Assessment, Variant},
    suite::Marked,
};
use guardengine_guard::{
    evaluate::{Evaluation, EvaluationOptions, LogContent, evaluate},
    submission::{Role, Submission, Turn},
};

use crate::evaluation::cases::submission;

/// Confidence from which an entity counts as found.
const MIN_CONFIDENCE: f32 = 0.5;

/// A policy that evaluates texts without a server or a database.
pub struct TextEvaluator {
    policy: CompiledPolicy,
    keys: MaskKeys,
    /// Threshold of each guardrail of the policy.
    pub thresholds: Thresholds,
}

impl TextEvaluator {
    /// Compiles the policy and fits its topics.
    pub fn new(policy: &Policy) -> Result<Self> {
        let mut compiled = CompiledPolicy::compile(policy)?;
        fit_topics(&mut compiled, guardengine_classifiers::embedded())?;
        let threshold = |item: &GuardrailConfig| (item.guardrail.clone(), item.threshold);
        Ok(Self {
            thresholds: policy.guardrails.iter().map(threshold).collect(),
            policy: compiled,
            keys: MaskKeys::new(&[0; 32]),
        })
    }

    /// Predicts the labels of a text.
    pub fn predict(&self, text: &LabeledText) -> Result<Prediction> {
        let began = Instant::now();
        let evaluation = self.evaluate(&submission(&text.role, text.text.clone()))?;
        let micros = u32::try_from(began.elapsed().as_micros()).unwrap_or(u32::MAX);
        let guardrails = evaluation.verdict.scores.iter();
        Ok(Prediction {
            confidences: guardrails.map(|one| (one.name.to_owned(), one.confidence)).collect(),
            pii: if text.spans.is_some() { self.find_entities(&text.text) } else { Vec::new() },
            flagged: !evaluation.verdict.outcome.allows(),
            micros,
        })
    }

    /// Evaluates a changed attack in the role of `attack`. Its score is the highest confidence above the threshold, less
    /// the threshold, among the guardrails that would stop it.
    pub fn assess(&self, attack: &LabeledText, variant: &Variant) -> Result<Assessment> {
        let mut submission = submission(&attack.role, variant.text.clone());
        let turn = |content: &String| Turn::new(Role::User, content.clone());
        submission.history.extend(variant.turns.iter().map(turn));
        let verdict = self.evaluate(&submission)?.verdict;
        let stops = verdict.scores.iter().filter(|one| !one.outcome.allows());
        let score = stops.map(|one| one.confidence - one.threshold).fold(-1.0, f32::max);
        Ok(Assessment { passed: verdict.outcome.allows(), score })
    }

    fn evaluate(&self, submission: &Submission) -> Result<Evaluation> {
        let options = EvaluationOptions {
            policy: &self.policy,
            shadow: None,
            asked: RequestOptions::default(),
            keys: &self.keys,
            log_content: LogContent::None,
            labels: None,
            deadline: None,
        };
        Ok(evaluate(guardengine_classifiers::embedded(), submission, &options)?)
    }

    fn find_entities(&self, text: &str) -> Vec<Marked> {
        let mut points = CodePoints::new(text);
        let label = |found: Entity| {
            let span = points.span(found.span, Origin::Subject);
            Marked { start: span.start, end: span.end, kind: found.kind.to_string() }
        };
        let found = self.policy.find_pii(&Text::new(text), None, &Deadline::none());
        found.into_iter().filter(|found| found.confidence >= MIN_CONFIDENCE).map(label).collect()
    }
}
