//! The spool: decisions on the local disk until the store is back.
//!
//! A response is sent after its entry is flushed. Entries are replayed in the order of the responses. An entry replayed
//! twice is written once, because the store knows its id. Each process locks and writes its own file under
//! `{data_dir}/spool`. Files of ended processes are replayed by the processes that run.

mod entry;
mod file;
mod replay;
mod writer;

use std::{
    fs::DirBuilder,
    io,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
};

use guardengine_store::{Db, StoreHealth};
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use crate::SpoolSettings;
pub use entry::Entry;
use file::SpoolFile;
use writer::Writer;

/// Entries that may wait to be flushed. Further requests are refused with 503.
const MAX_QUEUED: usize = 1024;
/// Maximum number of processes that share a data directory.
const MAX_FILES: u32 = 64;

/// Reason why a decision was not spooled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpoolError {
    /// The spool or its queue is full.
    #[error("the spool is full")]
    Full,
    /// The disk write failed, or the service is stopping.
    #[error("the spool could not write")]
    Failed,
}

struct QueuedEntry {
    entry: Entry,
    answer: oneshot::Sender<Result<(), SpoolError>>,
}

/// A handle to the spool; cheap to clone. The writer flushes everything and ends when the last handle is dropped.
#[derive(Clone)]
pub struct Spool(mpsc::Sender<QueuedEntry>);

impl Spool {
    /// Opens a file for this process, and starts the writer as one of `tasks`.
    pub fn open(
        db: Db,
        store: StoreHealth,
        settings: &SpoolSettings,
        tasks: &TaskTracker,
    ) -> io::Result<Self> {
        let folder = settings.folder.clone();
        DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        let own = open_own(&folder)?;
        let (sender, receiver) = mpsc::channel(MAX_QUEUED);
        let writer = Writer { db, store, folder, own, orphaned: Vec::new(), max_size: settings.max_size };
        tasks.spawn(writer.run(receiver));
        Ok(Self(sender))
    }

    /// Spools an entry; returns when it is durable.
    pub async fn write(&self, entry: Entry) -> Result<(), SpoolError> {
        let (answer, written) = oneshot::channel();
        self.0.try_send(QueuedEntry { entry, answer }).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => SpoolError::Full,
            mpsc::error::TrySendError::Closed(_) => SpoolError::Failed,
        })?;
        written.await.map_err(|_| SpoolError::Failed)?
    }
}

fn paths(folder: &Path) -> impl Iterator<Item = PathBuf> {
    (0..MAX_FILES).map(|number| folder.join(format!("rows-{number}")))
}

/// Opens the first file that no other process holds.
fn open_own(folder: &Path) -> io::Result<SpoolFile> {
    let free = paths(folder).find_map(|path| SpoolFile::open(&path).transpose());
    free.unwrap_or_else(|| Err(io::Error::other("too many processes share the data directory")))
}

/// Opens the files with entries whose processes have ended.
fn open_orphaned(folder: &Path) -> io::Result<Vec<SpoolFile>> {
    let mut orphaned = Vec::new();
    for path in paths(folder).filter(|path| path.exists()) {
        orphaned.extend(SpoolFile::open(&path)?.filter(|file| !file.is_empty()));
    }
    Ok(orphaned)
}
