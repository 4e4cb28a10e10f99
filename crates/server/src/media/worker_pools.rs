//! The workers, as the service asks them.

use std::{
    path::PathBuf,
    sync::{Mutex, PoisonError},
    time::Instant,
};

use guardengine_media::{
    MediaError, OcrResult, Pool, PoolConfig, Rect, Request, Response, TimeSpan, Transcript, WorkerKind,
    WorkerLimits,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Picture, SpeechEngine};
use crate::{config::Media, http::Error};

/// Bytes of an answer beside those of a picture's pixels: words and their places.
const WORDS: usize = 64 << 20;
const BYTES_A_PIXEL: usize = 4;

/// Whether pictures and recordings can be read.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MediaStatus {
    /// `ready`, or what is missing; null where nobody looked yet.
    images: Option<String>,
    /// Likewise, for the built-in recogniser.
    audio: Option<String>,
}

/// Those who read pictures and recordings.
#[derive(Debug)]
pub struct MediaWorkers {
    recogniser: SpeechEngine,
    ocr: Pool,
    speech: Pool,
    standing: Mutex<MediaStatus>,
}

impl MediaWorkers {
    /// Readers with these bounds; none runs before it is asked.
    pub fn new(media: &Media) -> Self {
        let workers = |time: std::time::Duration| PoolConfig {
            program: media.program.clone().unwrap_or_else(own_binary),
            count: media.workers,
            waiting: media.queue,
            time,
            largest: WORDS + media.max_pixels as usize * BYTES_A_PIXEL,
            setup: WorkerLimits {
                memory: media.memory,
                pixels: media.max_pixels,
                seconds: media.max_duration.as_secs() as u32,
                processor_seconds: time.as_secs(),
                languages: media.languages.clone(),
                model: media.speech_model.clone(),
                whisper: media.whisper_model.clone(),
            },
        };
        Self {
            recogniser: SpeechEngine::of(media),
            ocr: Pool::new(WorkerKind::Ocr, workers(media.image_timeout)),
            speech: Pool::new(WorkerKind::Speech, workers(media.audio_timeout)),
            standing: Mutex::new(MediaStatus { images: None, audio: None }),
        }
    }

    /// Looks whether all is installed; what is missing is told once, on standard error, and in `/readyz`.
    pub async fn look(&self) {
        let (images, audio) =
            tokio::join!(self.ocr.send(&Request::Look, &[]), self.speech.send(&Request::Look, &[]));
        let audio = audio.map_err(|fault| self.recogniser.blamed(fault));
        let told = |what: &str, looked: Result<_, MediaError>| match looked {
            Ok(_) => "ready".to_owned(),
            Err(fault) => {
                tracing::warn!(%fault, "{what} cannot be read");
                fault.to_string()
            }
        };
        let standing =
            MediaStatus { images: Some(told("images", images)), audio: Some(told("audio", audio)) };
        *self.standing.lock().unwrap_or_else(PoisonError::into_inner) = standing;
    }

    /// Who hears recordings.
    pub const fn recogniser(&self) -> &SpeechEngine {
        &self.recogniser
    }

    /// What was found when somebody looked last.
    pub fn standing(&self) -> MediaStatus {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The words of a picture.
    pub async fn ocr(&self, picture: &Picture) -> Result<OcrResult, Error> {
        match self.asked(WorkerKind::Ocr, &Request::Read, &picture.bytes).await {
            Ok((Response::Seen(seen), _)) => Ok(seen),
            other => Err(refused(&picture.field, other)),
        }
    }

    /// The picture as PNG, with `areas` painted over.
    pub async fn redact(&self, picture: &Picture, areas: Vec<Rect>) -> Result<Vec<u8>, Error> {
        match self.asked(WorkerKind::Ocr, &Request::Paint(areas), &picture.bytes).await {
            Ok((Response::File, png)) => Ok(png),
            other => Err(refused(&picture.field, other)),
        }
    }

    /// The words of a recording.
    pub async fn transcribe(&self, recording: &[u8]) -> Result<Transcript, Error> {
        match self.asked(WorkerKind::Speech, &Request::Hear, recording).await {
            Ok((Response::Heard(heard), _)) => Ok(heard),
            other => Err(refused("file", other)),
        }
    }

    /// A recording as WAV of 16 kHz, and its length in seconds.
    pub async fn decode(&self, recording: &[u8]) -> Result<(Vec<u8>, f32), Error> {
        match self.asked(WorkerKind::Speech, &Request::Decode, recording).await {
            Ok((Response::Heard(heard), wav)) => Ok((wav, heard.duration)),
            other => Err(refused("file", other)),
        }
    }

    /// The same with these moments silenced.
    pub async fn mute(&self, recording: &[u8], moments: Vec<TimeSpan>) -> Result<Vec<u8>, Error> {
        match self.asked(WorkerKind::Speech, &Request::Silence(moments), recording).await {
            Ok((Response::File, wav)) => Ok(wav),
            other => Err(refused("file", other)),
        }
    }

    async fn asked(
        &self,
        kind: WorkerKind,
        question: &Request,
        file: &[u8],
    ) -> Result<(Response, Vec<u8>), MediaError> {
        let began = Instant::now();
        let pool = if kind == WorkerKind::Ocr { &self.ocr } else { &self.speech };
        let answered = pool.send(question, file).await;
        let labels = [("kind", kind.name()), ("outcome", outcome(&answered))];
        metrics::counter!("guardengine_media_total", &labels).increment(1);
        metrics::histogram!("guardengine_media_duration_seconds", "kind" => kind.name())
            .record(began.elapsed());
        answered
    }
}

const fn outcome(answered: &Result<(Response, Vec<u8>), MediaError>) -> &'static str {
    match answered {
        Ok(_) => "read",
        Err(MediaError::Busy) => "busy",
        Err(MediaError::Missing(_)) => "missing",
        Err(MediaError::Unreadable(_)) => "unreadable",
        Err(MediaError::TimedOut) => "timed_out",
        Err(MediaError::Failed(_)) => "failed",
    }
}

/// The running program, also when another one was put in its place meanwhile.
fn own_binary() -> PathBuf {
    if cfg!(target_os = "linux") {
        return PathBuf::from("/proc/self/exe");
    }
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from("guardengine"))
}

fn refused(field: &str, answered: Result<(Response, Vec<u8>), MediaError>) -> Error {
    match answered {
        Err(MediaError::Unreadable(why)) => Error::unprocessable(format!("{field}: {why}")),
        Err(MediaError::Missing(missing)) => Error::unavailable(format!("{field} cannot be read: {missing}")),
        Err(MediaError::Busy) => {
            Error::unavailable(format!("{field} cannot be read now: too many wait, try again later"))
        }
        Err(MediaError::TimedOut) => Error::unavailable(format!("{field} was not read in time")),
        Err(fault @ MediaError::Failed(_)) => {
            tracing::error!(%fault, field, "not judged");
            Error::unavailable(format!("{field} could not be read"))
        }
        Ok(_) => Error::internal("a worker answered another question"),
    }
}
