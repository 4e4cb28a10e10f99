//! Evaluation of a submission: views, PII, scores, verdict and masking. Pure computation without I/O.

use std::{
    cell::OnceCell,
    time::{Duration, Instant},
};

use guardengine_classifiers::{Classifier, Unavailable, in_time};
use guardengine_engine::{
    Evidence, RequestOptions, Verdict,
    deadline::Deadline,
    evidence::{Origin, Part, PublicSpan},
    guardrail::Direction,
    inspection_times::InspectionTimes,
    pii::{
        Entity, EntityType,
        mask::{MaskKeys, Replacement, Strategy, Token, mask},
    },
    policy::{CompiledPolicy, Opinion, Outcome, decide_with_opinion},
    span::{CodePoints, Span},
    text::{Text, language},
};

use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    ClientInfo, labels,
    scoring::score,
    several,
    split_turns::{JoinedTurns, Suspicion, suspicions},
    submission::Submission,
    timing::{Stage, StageTimings, Stopwatch},
};

/// Amount of an evaluated text that the log keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogContent {
    /// The whole text.
    Full,
    /// The text with PII of every type masked, whatever the policy selects.
    #[default]
    Masked,
    /// The masked text, and the whole text encrypted for users who may reveal it.
    Sealed,
    /// Nothing.
    None,
}

impl LogContent {
    /// Returns the setting with this name; unknown names keep the masked text.
    pub fn named(name: &str) -> Self {
        match name {
            "full" => Self::Full,
            "sealed" => Self::Sealed,
            "none" => Self::None,
            _ => Self::Masked,
        }
    }
}

/// Options of an evaluation: policies, request options, keys and log content.
#[derive(Clone, Copy)]
pub struct EvaluationOptions<'a> {
    /// The policy that decides.
    pub policy: &'a CompiledPolicy,
    /// The shadow policy, evaluated on the same evidence.
    pub shadow: Option<&'a CompiledPolicy>,
    /// Options of the request.
    pub asked: RequestOptions,
    /// The organization's masking keys.
    pub keys: &'a MaskKeys,
    /// Amount of the text that the log keeps.
    pub log_content: LogContent,
    /// Labels of the request for the log.
    pub labels: Option<&'a ClientInfo>,
    /// Longest time that the evaluation may take. `None` for no limit.
    pub deadline: Option<Duration>,
}

/// Text of an image or audio with its PII masked.
#[derive(Debug)]
pub struct MaskedMedium {
    /// The masked text.
    pub text: String,
    /// The masked entities, with their places in the original text.
    pub found: Vec<Entity>,
}

/// An entity that is masked, with its place.
#[derive(Clone, Debug)]
pub struct FoundEntity {
    /// Name of the PII type.
    pub kind: EntityType,
    /// Place in code points, with the text that it is in.
    pub span: PublicSpan,
    /// Place in bytes of that text.
    pub bytes: Span,
    /// Calibrated confidence, 0 to 1.
    pub confidence: f32,
}

/// A turn of the conversation with its PII masked.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MaskedTurn {
    /// Index of the turn in `conversation_history`.
    pub turn: usize,
    /// Its text with personal data masked.
    pub content: String,
}

/// The result of evaluating one of several subjects.
#[derive(Debug)]
pub struct SubjectEvaluation {
    /// The verdict on this subject, and on what was sent with it.
    pub verdict: Verdict,
    /// The masked subject, if the verdict is to mask.
    pub masked: Option<String>,
}

/// The result of evaluating a submission.
#[derive(Debug)]
pub struct Evaluation {
    /// The verdict. Of several subjects: the most severe, with what triggered in any.
    pub verdict: Verdict,
    /// The result of each subject, if there are several.
    pub subjects: Vec<SubjectEvaluation>,
    /// Outcome of the shadow policy, if it guards this direction.
    pub shadow: Option<Outcome>,
    /// The masked entities of every text, if the verdict is to mask.
    pub entities: Vec<FoundEntity>,
    /// The masked subject, if there is one and the verdict is to mask.
    pub masked: Option<String>,
    /// The masked documents, if the verdict is to mask.
    pub masked_documents: Option<Vec<String>>,
    /// The masked turns, if the verdict is to mask and evaluated turns have PII.
    pub masked_turns: Vec<MaskedTurn>,
    /// The masked texts of images and audio, in their order.
    pub masked_media: Vec<MaskedMedium>,
    /// Replacements in the subject and in each document, if the verdict is to mask.
    pub replacements: Vec<(Origin, Vec<Replacement>)>,
    /// Tokens in the masked texts, to be sealed in the vault.
    pub tokens: Vec<Token>,
    /// The labels that the log keeps.
    pub labels: ClientInfo,
    /// The text that the log keeps.
    pub log_text: Option<String>,
    /// The text that the log keeps encrypted.
    pub sealed_text: Option<String>,
    /// The subject's language (ISO 639-1), if detected.
    pub language: Option<&'static str>,
    /// The language model that gave a second opinion.
    pub advised_by: Option<String>,
    /// Suspicions of the texts of the user.
    pub suspicions: Vec<(Origin, Suspicion)>,
    /// Time spent on each stage.
    pub spent: StageTimings,
    /// Time that each guardrail took within its stage, in the order in which they ran.
    pub inspected: Vec<(&'static str, Duration)>,
}

/// Evaluates `submission`. On an error nothing was evaluated, and nothing may be allowed.
pub fn evaluate(
    classifier: &dyn Classifier,
    submission: &Submission,
    options: &EvaluationOptions<'_>,
) -> Result<Evaluation, Unavailable> {
    if !submission.further.is_empty() {
        return several::evaluate(classifier, submission, options);
    }
    evaluate_one(classifier, submission, options)
}

/// Evaluates the first subject of a submission with what was sent with it.
pub(crate) fn evaluate_one(
    classifier: &dyn Classifier,
    submission: &Submission,
    options: &EvaluationOptions<'_>,
) -> Result<Evaluation, Unavailable> {
    with_evidence(submission, options, |mut evidence, joined, mut stopwatch| {
        let shadow = score(classifier, &mut evidence, (submission, joined), options)?;
        stopwatch.lap(Stage::Scores);
        conclude(&evidence, options, shadow, None, stopwatch)
    })
}

/// Runs `work` on the evidence of a submission before it is scored. The evidence carries the end of the time. `work` also
/// gets the place of the turns that are joined once scores are known.
pub(crate) fn with_evidence<T>(
    submission: &Submission,
    options: &EvaluationOptions<'_>,
    work: impl for<'a> FnOnce(Evidence<'a>, &'a OnceCell<JoinedTurns>, Stopwatch) -> Result<T, Unavailable>,
) -> Result<T, Unavailable> {
    let began = Instant::now();
    let joined = OnceCell::new();
    let mut stopwatch = Stopwatch::since(began, StageTimings::default());
    let prior_turns = submission.prior_turns();
    let with_subject = format!("{prior_turns} {}", submission.subject);
    let guards_responses = options.policy.guards(Direction::Output);
    let deadline = options
        .deadline
        .map_or_else(Deadline::none, |longest| Deadline::new(move || began.elapsed() >= longest));
    let find = |text: &Text<'_>, deadline: &Deadline| options.policy.find_pii(text, options.shadow, deadline);
    let mut evidence =
        submission.evidence_until(&prior_turns, &with_subject, guards_responses, deadline, find);
    evidence.times = InspectionTimes::measured_by(move || began.elapsed());
    in_time(&evidence.deadline)?;
    stopwatch.lap(Stage::Reading);
    work(evidence, &joined, stopwatch)
}

/// Decides on scored evidence, with the second opinion if there is one. Returns an error when the time is over.
pub(crate) fn conclude(
    evidence: &Evidence<'_>,
    options: &EvaluationOptions<'_>,
    shadow: Option<&CompiledPolicy>,
    opinion: Option<&Opinion>,
    mut stopwatch: Stopwatch,
) -> Result<Evaluation, Unavailable> {
    in_time(&evidence.deadline)?;
    let verdict = |policy| decide_with_opinion(policy, evidence, options.asked, opinion);
    let shadow = shadow.map(|shadow| verdict(shadow).outcome);
    // Those of the policy that decides count alone.
    drop(evidence.times.take());
    let decided = verdict(options.policy);
    let mut evaluation = Evaluation {
        shadow,
        subjects: Vec::new(),
        entities: Vec::new(),
        masked: None,
        masked_documents: None,
        masked_turns: Vec::new(),
        masked_media: Vec::new(),
        replacements: Vec::new(),
        tokens: Vec::new(),
        labels: options.labels.map_or_else(ClientInfo::default, |sent| labels::kept(sent, options)),
        log_text: log_text(evidence, options, options.log_content),
        sealed_text: match options.log_content {
            LogContent::Sealed => log_text(evidence, options, LogContent::Full),
            LogContent::Full | LogContent::Masked | LogContent::None => None,
        },
        language: user_parts(evidence).find_map(|part| language::language(part.text.original())),
        advised_by: None,
        suspicions: suspicions(evidence),
        spent: StageTimings::default(),
        inspected: evidence.times.take(),
        verdict: decided,
    };
    evaluation.mask(evidence, options.keys);
    stopwatch.lap(Stage::Verdict);
    in_time(&evidence.deadline)?;
    Ok(Evaluation { spent: stopwatch.spent, ..evaluation })
}

/// Returns the entities of a part with their places.
fn entities<'e>(part: &'e Part<'_>, found: &'e [Entity]) -> impl Iterator<Item = FoundEntity> + 'e {
    let mut points = CodePoints::new(part.text.original());
    found.iter().map(move |entity| FoundEntity {
        kind: entity.kind.clone(),
        span: points.span(entity.span, part.origin),
        bytes: entity.span,
        confidence: entity.confidence,
    })
}

impl Evaluation {
    /// Returns the verdict on each subject.
    pub fn verdicts(&self) -> impl Iterator<Item = &Verdict> {
        let one = self.subjects.is_empty().then_some(&self.verdict);
        self.subjects.iter().map(|subject| &subject.verdict).chain(one)
    }

    /// Adds the pages of documents to the spans that point into them.
    pub(crate) fn add_pages(&mut self, submission: &Submission) {
        for file in &submission.files {
            let triggered = self.verdict.triggered.iter_mut().flat_map(|one| &mut one.spans);
            file.add_pages(triggered.chain(self.entities.iter_mut().map(|entity| &mut entity.span)));
        }
    }

    fn mask(&mut self, evidence: &Evidence<'_>, keys: &MaskKeys) {
        let Some(masking) = &self.verdict.masking else { return };
        let mut documents = Vec::new();
        for (part, found) in evidence.parts.iter().zip(&masking.found) {
            if part.origin.is_evaluated() {
                self.entities.extend(entities(part, found));
            }
            let masked = mask(part.text.original(), found, &masking.strategies, keys);
            if matches!(part.origin, Origin::Subject | Origin::Document(_)) {
                self.replacements.push((part.origin, masked.replacements));
            }
            match part.origin {
                Origin::Subject => self.masked = Some(masked.text),
                Origin::Document(_) => documents.push(masked.text),
                Origin::Image(_) | Origin::Audio => {
                    self.masked_media.push(MaskedMedium { text: masked.text, found: found.clone() });
                }
                Origin::Turn(turn, _) if !found.is_empty() => {
                    self.masked_turns.push(MaskedTurn { turn, content: masked.text });
                }
                Origin::Turn(..) | Origin::PriorTurns(_) | Origin::PriorTurnsAndSubject(_) => continue,
            }
            self.tokens.extend(masked.tokens);
        }
        self.masked_documents = (!documents.is_empty()).then_some(documents);
    }
}

/// Returns the parts that the user sent: the subject, and the texts of images and audio.
fn user_parts<'e, 'a>(evidence: &'e Evidence<'a>) -> impl Iterator<Item = &'e Part<'a>> {
    evidence.parts.iter().filter(|part| part.origin.is_sent())
}

/// Returns the text to log at this level of content.
fn log_text(evidence: &Evidence<'_>, options: &EvaluationOptions<'_>, content: LogContent) -> Option<String> {
    let text = |(part, found): (&Part<'_>, &Vec<Entity>)| {
        let original = part.text.original();
        match content {
            LogContent::Full => original.to_owned(),
            LogContent::Masked | LogContent::Sealed => {
                mask(original, found, Strategy::Full, options.keys).text
            }
            LogContent::None => String::new(),
        }
    };
    let is_kept = |(part, _): &(&Part<'_>, _)| part.origin.is_sent();
    let parts = evidence.parts.iter().zip(&evidence.pii).filter(is_kept).map(text);
    let texts: Vec<_> = parts.filter(|text| !text.is_empty()).collect();
    (content != LogContent::None).then(|| texts.join("\n\n"))
}

#[cfg(test)]
mod tests;
