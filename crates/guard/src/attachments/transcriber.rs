//! Transcription of audio, by a connector of the organization or by the built-in speech engine.

use std::{sync::Arc, time::Duration};

use guardengine_egress::EgressClient;
use guardengine_integrations::connectors::{Category, OpenConnector, describe_error, of_name, open};
use guardengine_media::{Excerpt, LocatedText, TimeSpan, Word, wav};
use guardengine_store::{Connector as Stored, Db};
use guardengine_vault::Vault;
use serde_json::Value;
use uuid::Uuid;

use super::{Audio, MediaWorkers, Transcript};
use crate::Error;

mod format;

/// Seconds to mute before and after a word that a connector timed.
const CONNECTOR_MARGIN: f32 = 0.1;
/// Maximum size of a response in bytes: words with their times.
const MAX_RESPONSE_BYTES: usize = 16 << 20;
/// Longest audio in one request: ten minutes, which are 19 MB. Providers refuse files of more than 25 MB.
const PART: u64 = wav::RATE as u64 * 600;

/// Transcribes audio.
pub struct Transcriber {
    workers: Arc<MediaWorkers>,
    db: Db,
    vault: Vault,
    egress: EgressClient,
    timeout: Duration,
}

impl Transcriber {
    /// Creates a transcriber that waits for connectors at most `timeout`.
    pub const fn new(
        workers: Arc<MediaWorkers>,
        db: Db,
        vault: Vault,
        egress: EgressClient,
        timeout: Duration,
    ) -> Self {
        Self { workers, db, vault, egress, timeout }
    }

    /// Selects the connector that transcribes for an organization: the requested one, else the oldest active one. Returns
    /// `None` for the built-in speech engine, and an error for an unknown connector and one that cannot transcribe.
    pub async fn select(
        &self,
        org_id: Uuid,
        requested: Option<Uuid>,
    ) -> Result<Option<OpenConnector>, Error> {
        let connectors = self.db.connectors(org_id).await?;
        if let Some(id) = requested {
            let connector = connectors.into_iter().find(|one| one.id == id);
            let connector = connector.ok_or(Error::NotFound("connector"))?;
            return self.open_requested(connector).await.map(Some);
        }
        let candidates = connectors.into_iter().filter(|one| one.enabled && transcribes(one));
        match candidates.min_by_key(|one| (one.status != "active", one.created_at, one.id)) {
            Some(connector) => Ok(Some(open(&self.vault, connector).await?)),
            None => Ok(None),
        }
    }

    async fn open_requested(&self, connector: Stored) -> Result<OpenConnector, Error> {
        if !transcribes(&connector) {
            return Err(Error::NoTranscriptionModel);
        }
        if !connector.enabled {
            return Err(Error::InactiveConnector);
        }
        Ok(open(&self.vault, connector).await?)
    }

    /// Transcribes an organization's audio with `connector`, or with the built-in speech engine if `None`.
    pub async fn transcribe(
        &self,
        org_id: Uuid,
        audio: &Audio,
        connector: Option<&OpenConnector>,
    ) -> Result<Transcript, Error> {
        let Some(connector) = connector else {
            let (transcript, engine) = (self.workers.transcribe(org_id, audio).await?, self.workers.engine());
            return Ok(Transcript {
                passage: transcript.located_text(),
                duration: transcript.duration,
                recognizer: engine.name.clone(),
                margin: engine.margin,
                language: transcript.language,
            });
        };
        self.transcribe_parts(org_id, audio, connector).await
    }

    /// Transcribes audio with a connector, part by part. Decoding enforces the limits and removes the file's metadata before
    /// the audio is sent.
    async fn transcribe_parts(
        &self,
        org_id: Uuid,
        audio: &Audio,
        connector: &OpenConnector,
    ) -> Result<Transcript, Error> {
        let (mut texts, mut words, mut language, mut from) = (Vec::new(), Vec::new(), None, 0);
        let samples = loop {
            let part = Excerpt { from, max_samples: PART, muted: Vec::new() };
            let part = self.workers.excerpt(org_id, audio, part).await?;
            let duration = seconds(part.end.saturating_sub(from));
            let parsed = self.transcribe_part(connector, &part.wav, duration).await?;
            texts.push(parsed.text);
            words.extend(parsed.words.into_iter().map(|word| later(word, seconds(from))));
            language = language.or(parsed.language);
            if let Audio::Stored(stored) = audio {
                stored.progress.set(part.end as f32 / part.samples.max(1) as f32);
            }
            if part.end >= part.samples || part.end <= from {
                break part.samples;
            }
            from = part.end;
        };
        texts.retain(|text| !text.is_empty());
        let model = connector.text("transcription_model");
        Ok(Transcript {
            passage: LocatedText::aligned(&texts.join(" "), &words),
            duration: seconds(samples),
            recognizer: format!("{}:{model}", connector.kind.name),
            margin: CONNECTOR_MARGIN,
            language,
        })
    }

    async fn transcribe_part(
        &self,
        connector: &OpenConnector,
        wav: &[u8],
        duration: f32,
    ) -> Result<format::TranscriptionResponse, Error> {
        let response = self.request(connector, wav).await?;
        format::TranscriptionResponse::parse(&response, duration).ok_or_else(|| {
            tracing::error!(connector = %connector.stored.id, "could not transcribe: the response has no transcript");
            Error::unavailable("transcription is unavailable")
        })
    }

    /// Sends the transcription request. A server that answers 400 or 422 to the verbose format is asked for the plain one.
    async fn request(&self, connector: &OpenConnector, wav: &[u8]) -> Result<Value, Error> {
        let mut response = self
            .egress
            .send(format::request(connector, wav, true).within(self.timeout).at_most(MAX_RESPONSE_BYTES))
            .await;
        if response.as_ref().is_err_and(|error| matches!(error.status(), Some(400 | 422))) {
            let plain =
                format::request(connector, wav, false).within(self.timeout).at_most(MAX_RESPONSE_BYTES);
            response = self.egress.send(plain).await;
        }
        response.map(|response| response.json()).map_err(|error| {
            tracing::error!(error = describe_error(&error), connector = %connector.stored.id, "could not transcribe");
            Error::unavailable("transcription is unavailable")
        })
    }
}

fn seconds(samples: u64) -> f32 {
    samples as f32 / wav::RATE as f32
}

/// Returns a word of a part that begins at so many seconds.
fn later(word: Word<TimeSpan>, start: f32) -> Word<TimeSpan> {
    let TimeSpan { start: from, end } = word.position;
    Word { position: TimeSpan { start: from + start, end: end + start }, ..word }
}

fn transcribes(connector: &Stored) -> bool {
    let settings: Value = serde_json::from_str(&connector.settings).unwrap_or_default();
    let is_audio = of_name(&connector.connector_type).is_some_and(|kind| kind.is(Category::Audio));
    is_audio && settings["transcription_model"].as_str().is_some_and(|model| !model.is_empty())
}
