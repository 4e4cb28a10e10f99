//! The decision on audio, as the API returns it.

use guardengine_api_types::{GuardDecision, rounded};
use guardengine_engine::evidence::PublicSpan;
use guardengine_media::{Excerpt, TimeSpan};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    Error, Guard, GuardRequest, PendingDecision, RecordedDecision,
    attachments::{MediaText, Transcript},
    evaluate::MaskedTurn,
};

/// A word of a transcript.
#[derive(Debug, Serialize, ToSchema)]
pub struct HeardWord {
    /// The word.
    word: String,
    /// Time from the start, seconds.
    start: f64,
    /// Time from the start, seconds.
    end: f64,
}

/// A match in a transcript with its time.
#[derive(Debug, Serialize, ToSchema)]
pub struct TimedMatch {
    /// Guardrail that triggered.
    guardrail: &'static str,
    /// Time from the start of the audio, seconds.
    start: f64,
    /// Time from the start of the audio, seconds.
    end: f64,
}

/// A guard decision on audio.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RecordingDecision)]
pub struct AudioDecision {
    #[serde(flatten)]
    decision: GuardDecision,
    /// Transcript. Spans with `transcript` refer to it.
    transcript: String,
    /// Transcript with personal data masked; null unless the action is `mask`.
    masked_transcript: Option<String>,
    /// Prompt with personal data masked; null without a prompt.
    masked_prompt: Option<String>,
    /// Documents with personal data masked; absent without documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    masked_documents: Option<Vec<String>>,
    /// Turns with personal data masked, of those that were evaluated; absent if none has any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    masked_turns: Vec<MaskedTurn>,
    /// Duration of the audio, seconds.
    duration_seconds: f64,
    /// Language (ISO 639-1); `und` if unknown.
    lang_code: String,
    /// Words with their times.
    words: Vec<HeardWord>,
    /// Matches in the transcript with their times, one for each span of `triggered_guardrails`.
    timed_matches: Vec<TimedMatch>,
    /// Recognizer: `whisper:base`, `whisper:` and the model file, or the connector's type and model.
    recognizer: String,
    /// Audio with personal data muted, as WAV in base64; null unless the action is `mask` and `silence_pii` is true. Null in
    /// the result of a job.
    pub silenced_audio: Option<String>,
    /// Path of the audio with personal data muted, as WAV; only in the result of a job with `silence_pii`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audio_url: Option<String>,
    /// Log entry identifier.
    log_id: Uuid,
}

impl AudioDecision {
    /// Describes the recorded decision on a call.
    pub fn of(call: &GuardRequest, recorded: &RecordedDecision) -> Result<Self, Error> {
        let transcript = transcript(call)?;
        let (evaluation, took) = (&recorded.evaluation, recorded.processing_time_ms);
        let language = transcript.language.as_deref().or(evaluation.language);
        let heard = |(word, moment): (&str, TimeSpan)| HeardWord {
            word: word.to_owned(),
            start: rounded(moment.start),
            end: rounded(moment.end),
        };
        Ok(Self {
            decision: GuardDecision::of(&evaluation.verdict, took, &recorded.model_version),
            words: transcript.passage.words().map(heard).collect(),
            timed_matches: timed_matches(transcript, recorded),
            transcript: transcript.passage.text.clone(),
            masked_transcript: evaluation.masked_media.first().map(|masked| masked.text.clone()),
            masked_prompt: evaluation.masked.clone().filter(|prompt| !prompt.is_empty()),
            masked_documents: evaluation.masked_documents.clone(),
            masked_turns: evaluation.masked_turns.clone(),
            duration_seconds: rounded(transcript.duration),
            lang_code: language.unwrap_or("und").to_owned(),
            recognizer: transcript.recognizer.clone(),
            silenced_audio: None,
            audio_url: None,
            log_id: recorded.log_id,
        })
    }
}

impl Guard {
    /// Returns the audio of a call as WAV with masked passages muted; `None` if nothing is masked.
    pub async fn muted_audio(&self, pending: &PendingDecision) -> Result<Option<Vec<u8>>, Error> {
        let (Some(audio), Some(muted)) = (&pending.call.attached.audio, muted_spans(pending)?) else {
            return Ok(None);
        };
        let org_id = pending.call.caller.org_id;
        Ok(Some(self.media_workers.excerpt(org_id, audio, Excerpt::whole(muted)).await?.wav))
    }
}

fn transcript(call: &GuardRequest) -> Result<&Transcript, Error> {
    let mut transcripts = call.submission.media.iter().filter_map(|medium| match medium {
        MediaText::Speech(transcript) => Some(transcript),
        MediaText::Image(..) => None,
    });
    transcripts.next().ok_or_else(|| Error::internal("audio without a transcript"))
}

/// Returns the spans of guardrails in the transcript as times.
fn timed_matches(transcript: &Transcript, recorded: &RecordedDecision) -> Vec<TimedMatch> {
    let text = &transcript.passage.text;
    let offsets: Vec<usize> = text.char_indices().map(|(offset, _)| offset).collect();
    let offset = |point: usize| offsets.get(point).copied().unwrap_or(text.len());
    let triggered = recorded.evaluation.verdict.triggered.iter();
    let spans = triggered.flat_map(|one| one.spans.iter().map(|span| (one.name, span)));
    let timed = |(guardrail, span): (&'static str, &PublicSpan)| {
        let moment = transcript.passage.time_span(offset(span.start)..offset(span.end), 0.0)?;
        Some(TimedMatch { guardrail, start: rounded(moment.start), end: rounded(moment.end) })
    };
    spans.filter(|(_, span)| span.transcript).filter_map(timed).collect()
}

/// Returns the time spans of masked passages; `None` if nothing is masked. A passage without a known time mutes everything.
pub(crate) fn muted_spans(pending: &PendingDecision) -> Result<Option<Vec<TimeSpan>>, Error> {
    let Some(masked) = pending.evaluation.masked_media.first() else { return Ok(None) };
    let heard = transcript(&pending.call)?;
    let whole = TimeSpan { start: 0.0, end: heard.duration };
    let moment = |range| heard.passage.time_span(range, heard.margin).unwrap_or(whole);
    Ok(Some(masked.found.iter().map(|found| moment(found.span.start..found.span.end)).collect()))
}
