//! The workers, as the service asks them.

use std::{
    path::PathBuf,
    sync::{Mutex, PoisonError},
    time::Instant,
};

use guardengine_media::{Answer, Area, Heard, Kind, Moment, Pool, Question, Seen, Setup, Unread, Workers};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Picture, Recogniser};
use crate::{config::Media, http::Error};

/// Bytes of an answer beside those of a picture's pixels: words and their places.
const WORDS: usize = 64 << 20;
const BYTES_A_PIXEL: usize = 4;

/// Whether pictures and recordings can be read.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Standing {
    /// `ready`, or what is missing; null where nobody looked yet.
    images: Option<String>,
    /// Likewise, for the built-in recogniser.
    audio: Option<String>,
}

/// Those who read pictures and recordings.
#[derive(Debug)]
pub struct Readers {
    recogniser: Recogniser,
    ocr: Pool,
    speech: Pool,
    standing: Mutex<Standing>,
}

impl Readers {
    /// Readers with these bounds; none runs before it is asked.
    pub fn new(media: &Media) -> Self {
        let workers = |time: std::time::Duration| Workers {
            program: media.program.clone().unwrap_or_else(own_binary),
            count: media.workers,
            waiting: media.queue,
            time,
            largest: WORDS + media.max_pixels as usize * BYTES_A_PIXEL,
            setup: Setup {
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
            recogniser: Recogniser::of(media),
            ocr: Pool::new(Kind::Ocr, workers(media.image_timeout)),
            speech: Pool::new(Kind::Speech, workers(media.audio_timeout)),
            standing: Mutex::new(Standing { images: None, audio: None }),
        }
    }

    /// Looks whether all is installed; what is missing is told once, on standard error, and in `/readyz`.
    pub async fn look(&self) {
        let (images, audio) =
            tokio::join!(self.ocr.ask(&Question::Look, &[]), self.speech.ask(&Question::Look, &[]));
        let audio = audio.map_err(|fault| self.recogniser.blamed(fault));
        let told = |what: &str, looked: Result<_, Unread>| match looked {
            Ok(_) => "ready".to_owned(),
            Err(fault) => {
                tracing::warn!(%fault, "{what} cannot be read");
                fault.to_string()
            }
        };
        let standing = Standing { images: Some(told("images", images)), audio: Some(told("audio", audio)) };
        *self.standing.lock().unwrap_or_else(PoisonError::into_inner) = standing;
    }

    /// Who hears recordings.
    pub const fn recogniser(&self) -> &Recogniser {
        &self.recogniser
    }

    /// What was found when somebody looked last.
    pub fn standing(&self) -> Standing {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The words of a picture.
    pub async fn see(&self, picture: &Picture) -> Result<Seen, Error> {
        match self.asked(Kind::Ocr, &Question::Read, &picture.bytes).await {
            Ok((Answer::Seen(seen), _)) => Ok(seen),
            other => Err(refused(&picture.field, other)),
        }
    }

    /// The picture as PNG, with `areas` painted over.
    pub async fn paint(&self, picture: &Picture, areas: Vec<Area>) -> Result<Vec<u8>, Error> {
        match self.asked(Kind::Ocr, &Question::Paint(areas), &picture.bytes).await {
            Ok((Answer::File, png)) => Ok(png),
            other => Err(refused(&picture.field, other)),
        }
    }

    /// The words of a recording.
    pub async fn hear(&self, recording: &[u8]) -> Result<Heard, Error> {
        match self.asked(Kind::Speech, &Question::Hear, recording).await {
            Ok((Answer::Heard(heard), _)) => Ok(heard),
            other => Err(refused("file", other)),
        }
    }

    /// A recording as WAV of 16 kHz, and its length in seconds.
    pub async fn decode(&self, recording: &[u8]) -> Result<(Vec<u8>, f32), Error> {
        match self.asked(Kind::Speech, &Question::Decode, recording).await {
            Ok((Answer::Heard(heard), wav)) => Ok((wav, heard.duration)),
            other => Err(refused("file", other)),
        }
    }

    /// The same with these moments silenced.
    pub async fn silence(&self, recording: &[u8], moments: Vec<Moment>) -> Result<Vec<u8>, Error> {
        match self.asked(Kind::Speech, &Question::Silence(moments), recording).await {
            Ok((Answer::File, wav)) => Ok(wav),
            other => Err(refused("file", other)),
        }
    }

    async fn asked(&self, kind: Kind, question: &Question, file: &[u8]) -> Result<(Answer, Vec<u8>), Unread> {
        let began = Instant::now();
        let pool = if kind == Kind::Ocr { &self.ocr } else { &self.speech };
        let answered = pool.ask(question, file).await;
        let labels = [("kind", kind.name()), ("outcome", outcome(&answered))];
        metrics::counter!("guardengine_media_total", &labels).increment(1);
        metrics::histogram!("guardengine_media_duration_seconds", "kind" => kind.name())
            .record(began.elapsed());
        answered
    }
}

const fn outcome(answered: &Result<(Answer, Vec<u8>), Unread>) -> &'static str {
    match answered {
        Ok(_) => "read",
        Err(Unread::Busy) => "busy",
        Err(Unread::Missing(_)) => "missing",
        Err(Unread::Unreadable(_)) => "unreadable",
        Err(Unread::TimedOut) => "timed_out",
        Err(Unread::Failed(_)) => "failed",
    }
}

/// The running program, also when another one was put in its place meanwhile.
fn own_binary() -> PathBuf {
    if cfg!(target_os = "linux") {
        return PathBuf::from("/proc/self/exe");
    }
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from("guardengine"))
}

fn refused(field: &str, answered: Result<(Answer, Vec<u8>), Unread>) -> Error {
    match answered {
        Err(Unread::Unreadable(why)) => Error::unprocessable(format!("{field}: {why}")),
        Err(Unread::Missing(missing)) => Error::unavailable(format!("{field} cannot be read: {missing}")),
        Err(Unread::Busy) => {
            Error::unavailable(format!("{field} cannot be read now: too many wait, try again later"))
        }
        Err(Unread::TimedOut) => Error::unavailable(format!("{field} was not read in time")),
        Err(fault @ Unread::Failed(_)) => {
            tracing::error!(%fault, field, "not judged");
            Error::unavailable(format!("{field} could not be read"))
        }
        Ok(_) => Error::internal("a worker answered another question"),
    }
}
