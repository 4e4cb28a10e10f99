//! Pools of the worker processes that read images, audio and documents.

use std::{
    path::PathBuf,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use bytes::Bytes;
use guardengine_media::{
    Confinement, DocumentImage, Excerpt, Extracted, ImageChecks, MediaError, OcrResult, Payload, Pool,
    PoolConfig, Rect, Request, Response, Rewrite, Transcript, WorkerKind, WorkerLimits,
};
use serde::Serialize;
use tokio_util::io::StreamReader;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Audio, DocumentFile, ImageFile, SpeechEngine};
use crate::{Error, MediaSettings, fair_queue::QueueLoad, jobs::StoredAudio};

/// Maximum size of a response without pixels, in bytes: words and their places.
const MAX_TEXT_BYTES: usize = 64 << 20;
const BYTES_PER_PIXEL: usize = 4;

const COMPLETE: &str = "complete";

/// Time for a request about the audio of a job, as a multiple of its length, in addition to `media.audio_timeout`: its
/// worker leaves the processor to live calls.
const JOB_TIME_FACTOR: u32 = 4;

/// A response of a worker with its file.
type Answered = Result<(Response, Vec<u8>), MediaError>;

/// A part of audio.
#[derive(Debug)]
pub struct AudioPart {
    /// WAV file of 16 kHz.
    pub wav: Vec<u8>,
    /// The sample after its last one.
    pub end: u64,
    /// Samples of the whole audio.
    pub samples: u64,
}

/// A worker that is ready, or the reason why it is not.
type Probed = Result<Confinement, MediaError>;

/// Status of image and audio processing.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct MediaStatus {
    /// `ready`, or the missing component; null before the first check.
    images: Option<String>,
    /// The same for the built-in speech engine.
    audio: Option<String>,
    /// `complete` if the kernel confines the workers, or the mechanisms that are missing; null before the first check.
    sandbox: Option<String>,
}

impl MediaStatus {
    /// Returns whether images and audio can be read; `None` before the first check.
    pub fn are_ready(&self) -> [Option<bool>; 2] {
        [&self.images, &self.audio].map(|status| status.as_deref().map(|status| status == "ready"))
    }

    /// Returns whether the kernel confines the workers completely; `None` where no worker runs.
    pub fn is_confined(&self) -> Option<bool> {
        self.sandbox.as_deref().map(|sandbox| sandbox == COMPLETE)
    }
}

/// Worker pools for images, audio and documents.
#[derive(Debug)]
pub struct MediaWorkers {
    engine: SpeechEngine,
    ocr: Pool,
    speech: Pool,
    /// One worker for the audio of jobs.
    jobs: Pool,
    audio_timeout: Duration,
    documents: Pool,
    status: Mutex<MediaStatus>,
}

impl MediaWorkers {
    /// Creates pools with the limits of `media`. Workers start on first use.
    pub fn new(media: &MediaSettings) -> Self {
        let workers = |time: Duration| PoolConfig {
            program: media.program.clone().unwrap_or_else(own_binary),
            count: media.workers,
            max_waiting: media.queue,
            timeout: time,
            max_response: MAX_TEXT_BYTES + media.max_pixels as usize * BYTES_PER_PIXEL,
            limits: WorkerLimits {
                memory: media.memory,
                pixels: media.max_pixels,
                seconds: media.max_duration.as_secs() as u32,
                processor_seconds: time.as_secs(),
                ocr: media.ocr,
                models: media.models.clone(),
                languages: media.languages.clone(),
                whisper: media.whisper_model.clone(),
                background: false,
                require_sandbox: media.require_sandbox,
            },
        };
        let longest = media.audio_timeout + media.max_duration * JOB_TIME_FACTOR;
        let mut for_jobs = PoolConfig { count: 1, ..workers(longest) };
        for_jobs.limits.background = true;
        Self {
            engine: SpeechEngine::of(media),
            ocr: Pool::new(WorkerKind::Ocr, workers(media.image_timeout)),
            speech: Pool::new(WorkerKind::Speech, workers(media.audio_timeout)),
            jobs: Pool::new(WorkerKind::Speech, for_jobs),
            audio_timeout: media.audio_timeout,
            documents: Pool::new(WorkerKind::Documents, workers(media.image_timeout)),
            status: Mutex::default(),
        }
    }

    /// Starts a worker of each kind and returns how it is confined or the missing component, for images and for audio.
    pub async fn probe(&self) -> (Probed, Probed) {
        let (images, audio) = tokio::join!(
            self.ocr.send(None, &Request::CheckComponents, &[]),
            self.speech.send(None, &Request::CheckComponents, &[])
        );
        let confinement = |answered: (Response, Vec<u8>)| match answered.0 {
            Response::Ready(confinement) => Ok(confinement),
            _ => Err(MediaError::Failed("it sent a response to another request".to_owned())),
        };
        let audio = audio.and_then(confinement).map_err(|error| self.engine.explain(error));
        (images.and_then(confinement), audio)
    }

    /// Checks that all components are installed. Missing ones are logged here, and reported by `/readyz`.
    pub async fn check(&self) {
        let (images, audio) = self.probe().await;
        let sandbox =
            images.as_ref().or(audio.as_ref()).ok().map(|confinement| describe_sandbox(*confinement));
        let describe = |kind: &str, checked: Probed| match checked {
            Ok(_) => "ready".to_owned(),
            Err(error) => {
                tracing::warn!(%error, "{kind} cannot be read");
                error.to_string()
            }
        };
        let (images, audio) = (Some(describe("images", images)), Some(describe("audio", audio)));
        let status = MediaStatus { images, audio, sandbox };
        *self.status.lock().unwrap_or_else(PoisonError::into_inner) = status;
    }

    /// Returns the built-in speech engine.
    pub const fn engine(&self) -> &SpeechEngine {
        &self.engine
    }

    /// Returns what the workers of images and of audio are doing.
    pub fn loads(&self) -> [QueueLoad; 2] {
        [&self.ocr, &self.speech].map(|pool| {
            let (busy, capacity) = pool.running();
            let (waiting, max_waiting) = pool.waiting();
            QueueLoad { busy, capacity, waiting, max_waiting }
        })
    }

    /// Returns the result of the last check.
    pub fn status(&self) -> MediaStatus {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the text of an image, with what else is asked for.
    pub async fn ocr(
        &self,
        org_id: Uuid,
        image: &ImageFile,
        checks: ImageChecks,
    ) -> Result<OcrResult, Error> {
        match self.send(org_id, WorkerKind::Ocr, &Request::Ocr(checks), &image.bytes).await {
            Ok((Response::Ocr(result), _)) => Ok(result),
            other => Err(request_error(&image.field, other)),
        }
    }

    /// Returns the text of an image within a document; `None` if it cannot be read or no engine is installed.
    pub async fn ocr_of_document_image(
        &self,
        org_id: Uuid,
        image: &ImageFile,
        checks: ImageChecks,
    ) -> Result<Option<OcrResult>, Error> {
        match self.send(org_id, WorkerKind::Ocr, &Request::Ocr(checks), &image.bytes).await {
            Ok((Response::Ocr(result), _)) => Ok(Some(result)),
            Err(MediaError::Unreadable(_) | MediaError::Missing(_)) => Ok(None),
            other => Err(request_error(&image.field, other)),
        }
    }

    /// Returns the image as PNG with `areas` redacted.
    pub async fn redact(&self, org_id: Uuid, image: &ImageFile, areas: Vec<Rect>) -> Result<Vec<u8>, Error> {
        match self.send(org_id, WorkerKind::Ocr, &Request::Redact(areas), &image.bytes).await {
            Ok((Response::File, png)) => Ok(png),
            other => Err(request_error(&image.field, other)),
        }
    }

    /// Returns the transcript of audio.
    pub async fn transcribe(&self, org_id: Uuid, audio: &Audio) -> Result<Transcript, Error> {
        match self.send_audio(org_id, &Request::Transcribe, audio).await? {
            Ok((Response::Transcript(transcript), _)) => Ok(transcript),
            other => Err(request_error("file", other)),
        }
    }

    /// Returns the length of audio in seconds.
    pub async fn measure(&self, org_id: Uuid, audio: &[u8]) -> Result<f32, Error> {
        match self.send(org_id, WorkerKind::Speech, &Request::Measure, audio).await {
            Ok((Response::Measured(seconds), _)) => Ok(seconds),
            other => Err(request_error("file", other)),
        }
    }

    /// Returns a part of audio as WAV of 16 kHz.
    pub async fn excerpt(&self, org_id: Uuid, audio: &Audio, excerpt: Excerpt) -> Result<AudioPart, Error> {
        match self.send_audio(org_id, &Request::Excerpt(excerpt), audio).await? {
            Ok((Response::Excerpt { end, samples }, wav)) => Ok(AudioPart { wav, end, samples }),
            other => Err(request_error("file", other)),
        }
    }

    /// Returns the text of a document, and the files of its images.
    pub async fn extract(
        &self,
        org_id: Uuid,
        document: &DocumentFile,
    ) -> Result<(Extracted, Vec<ImageFile>), Error> {
        let request = Request::Extract(document.name.clone());
        match self.send(org_id, WorkerKind::Documents, &request, &document.bytes).await {
            Ok((Response::Document(extracted), files)) => {
                let images = document_images(&document.field, &extracted, files);
                images
                    .map(|images| (extracted, images))
                    .ok_or_else(|| Error::internal("a worker sent other images than it announced"))
            }
            other => Err(request_error(&document.field, other)),
        }
    }

    /// Returns the document in its own format with these changes.
    pub async fn rewrite(
        &self,
        org_id: Uuid,
        document: &DocumentFile,
        rewrite: Rewrite,
    ) -> Result<Vec<u8>, Error> {
        let request = Request::Rewrite(document.name.clone(), rewrite);
        match self.send(org_id, WorkerKind::Documents, &request, &document.bytes).await {
            Ok((Response::File, file)) => Ok(file),
            other => Err(request_error(&document.field, other)),
        }
    }

    /// Ends the worker of jobs that waits for the next one.
    pub fn end_job_workers(&self) {
        self.jobs.end_idle();
    }

    async fn send_audio(&self, org_id: Uuid, request: &Request, audio: &Audio) -> Result<Answered, Error> {
        match audio {
            Audio::Upload(bytes) => Ok(self.send(org_id, WorkerKind::Speech, request, bytes).await),
            Audio::Stored(stored) => self.send_stored(org_id, request, stored).await,
        }
    }

    /// Sends the file of a job to a worker of jobs. The file is never in memory as a whole.
    async fn send_stored(
        &self,
        org_id: Uuid,
        request: &Request,
        audio: &StoredAudio,
    ) -> Result<Answered, Error> {
        let began = Instant::now();
        let file = audio.open()?;
        let length = usize::try_from(file.length()).map_err(Error::internal)?;
        let mut reader = StreamReader::new(Box::pin(file.chunks()));
        let payload = Payload::Stream { length, reader: &mut reader };
        let mut report = |seconds: f32| audio.progress.set(seconds / audio.seconds.max(1.0));
        let time = self.time_of_job(Duration::from_secs_f32(audio.seconds));
        let sent = self.jobs.send_within(time, Some(org_id.as_u128()), request, payload, &mut report);
        let response = sent.await;
        measure(WorkerKind::Speech, began, &response);
        Ok(response)
    }

    /// Returns the time allowed for a request about the audio of a job.
    fn time_of_job(&self, length: Duration) -> Duration {
        self.audio_timeout + length * JOB_TIME_FACTOR
    }

    async fn send(&self, org_id: Uuid, kind: WorkerKind, request: &Request, file: &[u8]) -> Answered {
        let began = Instant::now();
        let pool = match kind {
            WorkerKind::Ocr => &self.ocr,
            WorkerKind::Speech => &self.speech,
            WorkerKind::Documents => &self.documents,
        };
        let response = pool.send(Some(org_id.as_u128()), request, file).await;
        measure(kind, began, &response);
        response
    }
}

/// Splits the files of a document's images.
fn document_images(field: &str, extracted: &Extracted, files: Vec<u8>) -> Option<Vec<ImageFile>> {
    let mut files = Bytes::from(files);
    let total = extracted.images.iter().try_fold(0_usize, |sum, image| sum.checked_add(image.length))?;
    if total != files.len() {
        return None;
    }
    let image = |announced: &DocumentImage| ImageFile {
        field: field.to_owned(),
        bytes: files.split_to(announced.length),
    };
    Some(extracted.images.iter().map(image).collect())
}

/// Counts a response and its time.
fn measure(kind: WorkerKind, began: Instant, response: &Answered) {
    let labels = [("kind", kind.name()), ("outcome", outcome(response))];
    metrics::counter!("guardengine_media_total", &labels).increment(1);
    metrics::histogram!("guardengine_media_duration_seconds", "kind" => kind.name()).record(began.elapsed());
}

/// Returns the sandbox as `/readyz` shows it, counts it, and warns of what is missing.
fn describe_sandbox(confinement: Confinement) -> String {
    for (mechanism, holds) in confinement.mechanisms() {
        metrics::gauge!("guardengine_media_sandbox", "mechanism" => mechanism)
            .set(f64::from(u8::from(holds)));
    }
    let missing = confinement.missing();
    if missing.is_empty() {
        return COMPLETE.to_owned();
    }
    tracing::warn!(missing, "the kernel does not confine the media workers completely");
    format!("not confined by {missing}")
}

const fn outcome(response: &Answered) -> &'static str {
    match response {
        Ok(_) => "read",
        Err(MediaError::Busy) => "busy",
        Err(MediaError::Missing(_)) => "missing",
        Err(MediaError::Unreadable(_)) => "unreadable",
        Err(MediaError::TimedOut) => "timed_out",
        Err(MediaError::Failed(_)) => "failed",
    }
}

/// Returns the path of the running program, which stays valid after an upgrade replaced the file.
fn own_binary() -> PathBuf {
    if cfg!(target_os = "linux") {
        return PathBuf::from("/proc/self/exe");
    }
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from("guardengine"))
}

/// Returns the error for a file that was not read.
fn request_error(field: &str, response: Answered) -> Error {
    match response {
        Err(MediaError::Unreadable(reason)) => Error::InvalidFile { field: field.to_owned(), reason },
        Err(MediaError::Missing(missing)) => Error::unavailable(format!("{field} cannot be read: {missing}")),
        Err(MediaError::Busy) => {
            Error::unavailable(format!("{field} cannot be read now: too many wait, try again later"))
        }
        Err(MediaError::TimedOut) => Error::unavailable(format!("{field} was not read in time")),
        Err(error @ MediaError::Failed(_)) => {
            tracing::error!(%error, field, "could not read the file");
            Error::unavailable(format!("{field} could not be read"))
        }
        Ok(_) => Error::internal("a worker sent a response to another request"),
    }
}
