//! The work of the processor behind every guard call: views, personal data, scores, verdict, masks.

use guardengine_classifiers::{Classifier, Unavailable};
use guardengine_engine::{
    Asked, Evidence, Verdict,
    evidence::Origin,
    inspect,
    pii::mask::{MaskKeys, Token, mask},
    policy::{Compiled, written::Strategy},
    text::language,
};

use super::submission::Submission;

/// What is kept of a judged text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogContent {
    /// All of it.
    Full,
    /// The text with every kind of personal data masked, whatever the policy selects.
    #[default]
    Masked,
    /// Nothing.
    None,
}

impl LogContent {
    /// The setting of that name; an unknown one keeps least risk: the masked text.
    pub fn named(name: &str) -> Self {
        match name {
            "full" => Self::Full,
            "none" => Self::None,
            _ => Self::Masked,
        }
    }
}

/// What judging needs besides the text.
#[derive(Clone, Copy)]
pub struct Terms<'a> {
    /// The policy.
    pub policy: &'a Compiled,
    /// What the request asks for.
    pub asked: Asked,
    /// The organisation's keys for masks.
    pub keys: &'a MaskKeys,
    /// What the log keeps.
    pub log_content: LogContent,
}

/// A judged submission.
#[derive(Debug)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// The subject with its personal data masked, when the verdict is to mask.
    pub masked: Option<String>,
    /// The documents likewise.
    pub masked_documents: Option<Vec<String>>,
    /// Tokens that stand in masked texts, to be sealed in the vault.
    pub tokens: Vec<Token>,
    /// What the log keeps of the subject.
    pub log_text: Option<String>,
    /// The subject's language (ISO 639-1), when it can be told.
    pub language: Option<&'static str>,
}

/// Judges `submission`; an error means that nothing was judged, and nothing may be allowed.
pub fn judge(
    classifier: &dyn Classifier,
    submission: &Submission,
    terms: &Terms<'_>,
) -> Result<Judged, Unavailable> {
    let earlier = submission.earlier();
    let joined = format!("{earlier} {}", submission.subject);
    let mut evidence = submission.evidence(&earlier, &joined);
    if terms.policy.guards(submission.direction) && terms.policy.needs_scores() {
        evidence.scores = classifier.score(&evidence.parts)?;
    }
    let verdict = inspect(terms.policy, &evidence, terms.asked);
    let mut judged = Judged {
        masked: None,
        masked_documents: None,
        tokens: Vec::new(),
        log_text: log_text(&evidence, terms),
        language: language::language(&submission.subject),
        verdict,
    };
    judged.mask(&evidence, terms.keys);
    Ok(judged)
}

impl Judged {
    fn mask(&mut self, evidence: &Evidence<'_>, keys: &MaskKeys) {
        let Some(masking) = &self.verdict.masking else { return };
        let mut documents = Vec::new();
        for (part, found) in evidence.parts.iter().zip(&masking.found) {
            let masked = mask(part.text.original(), found, masking.strategy, keys);
            match part.origin {
                Origin::Subject => self.masked = Some(masked.text),
                Origin::Document(_) => documents.push(masked.text),
                _ => continue,
            }
            self.tokens.extend(masked.tokens);
        }
        self.masked_documents = (!documents.is_empty()).then_some(documents);
    }
}

fn log_text(evidence: &Evidence<'_>, terms: &Terms<'_>) -> Option<String> {
    let original = evidence.parts[0].text.original();
    match terms.log_content {
        LogContent::None => None,
        LogContent::Full => Some(original.to_owned()),
        LogContent::Masked => Some(mask(original, &evidence.pii[0], Strategy::Full, terms.keys).text),
    }
}
