//! Audio of a job, in a sealed file.

use std::{
    fmt, io,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use guardengine_vault::DataKey;

use super::{FileId, JobFiles, SealedFile};
use crate::Error;

/// Progress of a job, from 0 to 1; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<AtomicU32>);

impl Progress {
    /// Sets the share of the audio that is transcribed.
    pub fn set(&self, share: f32) {
        self.0.store(share.clamp(0.0, 1.0).to_bits(), Ordering::Relaxed);
    }

    /// Returns the share of the audio that is transcribed.
    pub fn get(&self) -> f32 {
        f32::from_bits(self.0.load(Ordering::Relaxed))
    }
}

/// Audio of a job.
#[derive(Clone)]
pub struct StoredAudio {
    pub(super) files: JobFiles,
    pub(super) id: FileId,
    pub(super) key: Arc<DataKey>,
    /// Length in seconds.
    pub seconds: f32,
    /// Progress of its transcription.
    pub progress: Progress,
}

impl StoredAudio {
    /// Opens the file from its start.
    pub fn open(&self) -> Result<SealedFile, Error> {
        let unreadable = |error: io::Error| {
            tracing::error!(%error, "could not open the file of a job");
            Error::unavailable("file could not be read")
        };
        let opened = self.files.read(self.id, Arc::clone(&self.key)).map_err(unreadable)?;
        let lost = || Error::InvalidFile {
            field: "file".to_owned(),
            reason: "the upload is lost, send it again".to_owned(),
        };
        opened.ok_or_else(lost)
    }
}

// Not derived: it holds a key.
impl fmt::Debug for StoredAudio {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, seconds, progress, .. } = self;
        let mut output = formatter.debug_struct("StoredAudio");
        output.field("id", id).field("seconds", seconds).field("progress", progress).finish_non_exhaustive()
    }
}
