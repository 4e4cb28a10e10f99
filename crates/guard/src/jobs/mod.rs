//! Jobs: calls with long audio, which are answered before they are evaluated.
//!
//! A job is charged when it is accepted, runs where its file is, and writes its log entry before it is done. It survives a
//! restart: a runner leases it, and another runner takes over when the lease ends. A job that fails is refunded.

mod accept;
mod files;
mod request;
mod run;
mod stored_audio;
mod sweep;

use std::{io, path::Path, time::Duration};

use tokio::sync::Notify;
use uuid::Uuid;

pub use files::SealedFile;
pub use stored_audio::{Progress, StoredAudio};

use self::files::{FileId, FileKind, JobFiles};

/// Jobs of an organization that are not finished.
const MAX_OPEN: i64 = 20;
/// Attempts before a job fails.
const MAX_ATTEMPTS: i64 = 3;
/// Time for which a job is kept after its end, and after which it fails if it never ran.
const KEPT: Duration = Duration::from_hours(24);

/// The files and the queue of jobs.
#[derive(Debug)]
pub struct Jobs {
    files: JobFiles,
    /// This process, as the holder of leases.
    runner: Uuid,
    /// Wakes the runner.
    queued: Notify,
}

impl Jobs {
    /// Opens the folder of the files.
    pub fn open(folder: &Path) -> io::Result<Self> {
        Ok(Self { files: JobFiles::open(folder)?, runner: Uuid::now_v7(), queued: Notify::new() })
    }
}

/// Returns the associated data of the sealed call of a job.
fn request_aad(org: Uuid, job: Uuid) -> String {
    format!("organization {org} job {job} request")
}

/// Returns the associated data of the sealed result of a job.
fn result_aad(org: Uuid, job: Uuid) -> String {
    format!("organization {org} job {job} result")
}
