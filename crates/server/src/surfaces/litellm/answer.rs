//! The answer to a hook.

use guardengine_engine::{Verdict, pii::mask::MaskKeys};
use guardengine_guard::{evaluate::Evaluation, submission::Submission};
use serde_json::{Value, json};

use super::super::{
    conversation::Place,
    sent_text::{FULL, Masking, SentText},
};

/// Reason of a verdict without one.
const NO_REASON: &str = "blocked by the guardrail policy";

/// An evaluated call.
pub struct Evaluated<'a> {
    /// The texts.
    pub submission: &'a Submission,
    /// The place of each text of the request.
    pub places: &'a [Place],
    /// The result.
    pub evaluation: &'a Evaluation,
    /// The organization's keys.
    pub keys: &'a MaskKeys,
}

impl Evaluated<'_> {
    /// Returns the answer about a request.
    pub fn request_answer(&self) -> Value {
        let verdict = &self.evaluation.verdict;
        if !verdict.outcome.allows() {
            return blocked(verdict);
        }
        let masked = |place: &Place| place.masked(self.evaluation).map(str::to_owned);
        passed(self.originals().zip(self.places).map(|(text, place)| (text, masked(place))))
    }

    /// Returns the answer about a response, of which these texts were `sent` before, and what is sent after it. LiteLLM
    /// does not say whether a response is streamed: without a stream it ignores what is held back.
    pub fn response_answer(&self, sent: &[SentText]) -> (Value, Vec<SentText>) {
        let verdict = &self.evaluation.verdict;
        if !verdict.outcome.allows() {
            return (blocked(verdict), sent.to_vec());
        }
        let (mut texts, mut held_back, mut after) = (Vec::new(), Vec::new(), Vec::new());
        for (at, text) in self.originals().enumerate() {
            let before = sent.get(at).cloned().unwrap_or_default();
            let stream = before.continued(text, self.masking(at));
            texts.push((text, Some(stream.text)));
            held_back.push(stream.held_back);
            after.push(stream.sent);
        }
        let mut answer = passed(texts.into_iter());
        answer["stream_holdback_chars"] = json!(held_back);
        (answer, after)
    }

    fn originals(&self) -> impl Iterator<Item = &str> {
        self.places.iter().map(|place| place.text(self.submission))
    }

    /// Returns what to mask in the response with this index. A place of each subject is the first of its parts.
    fn masking(&self, at: usize) -> Masking<'_> {
        let subject = self.evaluation.subjects.get(at).map(|subject| &subject.verdict);
        let masking = subject.unwrap_or(&self.evaluation.verdict).masking.as_ref();
        Masking {
            found: masking.and_then(|masking| masking.found.first()).map_or(&[], Vec::as_slice),
            strategies: masking.map_or(&FULL, |masking| &masking.strategies),
            keys: self.keys,
        }
    }
}

fn blocked(verdict: &Verdict) -> Value {
    json!({ "action": "BLOCKED", "blocked_reason": verdict.reason.as_deref().unwrap_or(NO_REASON) })
}

/// Returns the answer for texts that pass: all of them if one is changed, else none.
fn passed<'t>(texts: impl Iterator<Item = (&'t str, Option<String>)>) -> Value {
    let mut is_changed = false;
    let mut shown = Vec::new();
    for (original, masked) in texts {
        is_changed |= masked.as_ref().is_some_and(|masked| masked != original);
        shown.push(masked.unwrap_or_else(|| original.to_owned()));
    }
    if is_changed {
        json!({ "action": "GUARDRAIL_INTERVENED", "texts": shown })
    } else {
        json!({ "action": "NONE" })
    }
}
