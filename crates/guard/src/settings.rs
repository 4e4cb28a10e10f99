//! Settings of the guard.

use std::{path::PathBuf, time::Duration};

use guardengine_api_types::BaseUrl;
use guardengine_custom_models::{Labels, RemoteEndpoint};
use guardengine_media::OcrEngine;

/// Price of each operation, in credits.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// One analyzed prompt.
    pub analyze: i64,
    /// One validated response.
    pub validate: i64,
    /// One masked text.
    pub mask: i64,
    /// One autonomous decision.
    pub autonomous: i64,
    /// One transcribed audio clip.
    pub audio: i64,
    /// One image.
    pub image: i64,
    /// Characters of text for each of which, started, a call costs its price; 0 for a price that does not depend on the
    /// size.
    pub unit: usize,
}

impl Costs {
    /// Returns how often a call with so many characters of text costs its price.
    pub const fn units(&self, characters: usize) -> i64 {
        if self.unit == 0 || characters <= self.unit { 1 } else { characters.div_ceil(self.unit) as i64 }
    }
}

/// Limits of images and audio, and the workers that read them.
#[derive(Clone, Debug)]
pub struct MediaSettings {
    /// Maximum number of images in one request.
    pub max_images: usize,
    /// Maximum number of pixels in one image.
    pub max_pixels: u64,
    /// Longest audio that is accepted.
    pub max_duration: Duration,
    /// Length of audio above which a call becomes a job.
    pub async_above: Duration,
    /// Workers of each kind: images, audio.
    pub workers: usize,
    /// Files that may wait for a worker.
    pub queue: usize,
    /// Memory limit of each worker, in bytes.
    pub memory: u64,
    /// Longest time to read one image.
    pub image_timeout: Duration,
    /// Longest time to transcribe one audio clip.
    pub audio_timeout: Duration,
    /// OCR engine.
    pub ocr: OcrEngine,
    /// Folder of the models, with a folder for each set: `ocr`, `speech`. An absolute path.
    pub models: PathBuf,
    /// Tesseract languages, joined with `+`.
    pub languages: String,
    /// Model file of whisper.cpp, which replaces Whisper in Rust. The workers validate it.
    pub whisper_model: Option<PathBuf>,
    /// True if workers read no files unless the kernel confines them completely.
    pub require_sandbox: bool,
    /// Program that runs the workers. `None` for this binary.
    pub program: Option<PathBuf>,
}

/// Custom models that replace built-in detectors, and the guardrails of their labels.
#[derive(Clone, Default)]
pub struct ModelSettings {
    /// Folder of a local model, and its labels.
    pub encoder: Option<(PathBuf, Labels)>,
    /// Remote classifier, and its labels.
    pub remote: Option<(RemoteEndpoint, Labels)>,
}

// Not derived: the endpoint holds a token.
impl std::fmt::Debug for ModelSettings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let remote = self.remote.as_ref().map(|(_, labels)| labels);
        let mut output = formatter.debug_struct("ModelSettings");
        output.field("encoder", &self.encoder).field("remote", &remote).finish()
    }
}

/// Degraded mode: guard requests while the database is unavailable.
#[derive(Clone, Debug)]
pub struct SpoolSettings {
    /// Lifetime of cached projects and policies.
    pub cache_lifetime: Duration,
    /// Folder of the spool.
    pub folder: PathBuf,
    /// Largest spool on the local disk, in bytes.
    pub max_size: u64,
}

/// Settings of the guard.
#[derive(Clone, Debug)]
pub struct GuardSettings {
    /// Price of each operation.
    pub costs: Costs,
    /// Emits `credits.low` when the balance drops below this value. 0 disables the event.
    pub low_credits: i64,
    /// Time during which similar incidents become comments on one ticket.
    pub ticket_window: Duration,
    /// Address of the service, for links in tickets.
    pub base_url: BaseUrl,
    /// Time after which an undecided review counts as denied.
    pub review_lifetime: Duration,
    /// Longest time that one evaluation may take.
    pub deadline: Duration,
    /// Longest wait for a second opinion.
    pub opinion_timeout: Duration,
    /// Images and audio.
    pub media: MediaSettings,
    /// Custom models.
    pub models: ModelSettings,
    /// Folder of the files of jobs.
    pub jobs_folder: PathBuf,
    /// Degraded mode.
    pub spool: SpoolSettings,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_started_unit_costs_the_price() {
        let costs =
            |unit| Costs { analyze: 1, validate: 1, mask: 1, autonomous: 2, audio: 5, image: 2, unit };
        for (characters, units) in [(0, 1), (1, 1), (10, 1), (11, 2), (20, 2), (21, 3)] {
            assert_eq!(costs(10).units(characters), units, "{characters}");
        }
        assert_eq!(costs(0).units(1_000_000), 1);
    }
}
