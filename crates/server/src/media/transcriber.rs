//! Who hears a recording: a connector of the organisation's that transcribes, else the recogniser of this machine.

use std::{sync::Arc, time::Duration};

use guardengine_egress::EgressClient;
use guardengine_media::LocatedText;
use guardengine_store::{Connector as Stored, Db};
use serde_json::Value;
use uuid::Uuid;

use super::{MediaWorkers, Transcript};
use crate::{
    connectors::{Category, OpenConnector, describe_error, of_name, open},
    http::Error,
    vault::Vault,
};

mod format;

/// Seconds that are silenced around a word whose time a connector told.
const MARGIN: f32 = 0.1;
/// Bytes of an answer: words with their times.
const LARGEST: usize = 16 << 20;

/// Those who hear recordings.
pub struct Transcriber {
    readers: Arc<MediaWorkers>,
    db: Db,
    vault: Vault,
    outgoing: EgressClient,
    time: Duration,
}

impl Transcriber {
    /// Asks connectors over `outgoing`, each for at most `time`.
    pub const fn new(
        readers: Arc<MediaWorkers>,
        db: Db,
        vault: Vault,
        outgoing: EgressClient,
        time: Duration,
    ) -> Self {
        Self { readers, db, vault, outgoing, time }
    }

    /// The connector that transcribes for an organisation: the one that is named, else the oldest that is active; `None`
    /// where the recogniser of this machine does.
    pub async fn chosen(&self, org_id: Uuid, named: Option<Uuid>) -> Result<Option<OpenConnector>, Error> {
        let connectors = self.db.connectors(org_id).await?;
        if let Some(id) = named {
            let connector = connectors.into_iter().find(|one| one.id == id);
            let connector = connector.ok_or_else(|| Error::not_found("connector"))?;
            return self.able(connector).await.map(Some);
        }
        let able = connectors.into_iter().filter(|one| one.enabled && transcribes(one));
        match able.min_by_key(|one| (one.status != "active", one.created_at, one.id)) {
            Some(connector) => Ok(Some(open(&self.vault, connector).await?)),
            None => Ok(None),
        }
    }

    async fn able(&self, connector: Stored) -> Result<OpenConnector, Error> {
        if !transcribes(&connector) {
            return Err(Error::bad_request("the connector names no model that transcribes"));
        }
        if !connector.enabled {
            return Err(Error::forbidden("connector not active"));
        }
        Ok(open(&self.vault, connector).await?)
    }

    /// What is said in a recording.
    pub async fn heard(&self, recording: &[u8], by: Option<&OpenConnector>) -> Result<Transcript, Error> {
        let Some(connector) = by else {
            let (heard, own) = (self.readers.transcribe(recording).await?, self.readers.recogniser());
            return Ok(Transcript {
                passage: heard.passage(),
                duration: heard.duration,
                recognizer: own.name.clone(),
                margin: own.margin,
                language: heard.language,
            });
        };
        // What goes out is the sound alone, within the limits, and none of the file's metadata.
        let (wav, duration) = self.readers.decode(recording).await?;
        let answer = self.asked(connector, &wav).await?;
        let model = connector.text("transcription_model");
        let transcript = format::Heard::read(&answer, duration).ok_or_else(|| {
            tracing::error!(connector = %connector.stored.id, "not judged: no transcript in the answer");
            Error::unavailable("transcription is unavailable")
        })?;
        Ok(Transcript {
            passage: LocatedText::timed(&transcript.text, &transcript.words),
            duration,
            recognizer: format!("{}:{model}", connector.kind.name),
            margin: MARGIN,
            language: transcript.language,
        })
    }

    /// A server that does not know the detailed format says so with 400 or 422, and is asked for the plain one.
    async fn asked(&self, connector: &OpenConnector, wav: &[u8]) -> Result<Value, Error> {
        let mut answer = self
            .outgoing
            .send(format::request(connector, wav, true).within(self.time).at_most(LARGEST))
            .await;
        if answer.as_ref().is_err_and(|fault| matches!(fault.status(), Some(400 | 422))) {
            let plain = format::request(connector, wav, false).within(self.time).at_most(LARGEST);
            answer = self.outgoing.send(plain).await;
        }
        answer.map(|answer| answer.json()).map_err(|fault| {
            tracing::error!(fault = describe_error(&fault), connector = %connector.stored.id, "not judged: no transcript");
            Error::unavailable("transcription is unavailable")
        })
    }
}

fn transcribes(connector: &Stored) -> bool {
    let settings: Value = serde_json::from_str(&connector.settings).unwrap_or_default();
    let hears = of_name(&connector.connector_type).is_some_and(|kind| kind.is(Category::Audio));
    hears && settings["transcription_model"].as_str().is_some_and(|model| !model.is_empty())
}
