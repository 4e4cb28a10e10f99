//! Rows on the local disk, until the store is back.
//!
//! An answer goes out when its row is flushed. Rows are replayed in the order in which they were answered, and what is
//! replayed twice is written once: the row's id tells. Each process writes a file of its own under `{data_dir}/spool`,
//! which it holds locked; what a process left behind that is no more, the next one that starts replays.

mod entry;
mod file;
mod replay;
mod writer;

use std::{
    io,
    path::{Path, PathBuf},
};

use guardengine_store::Db;
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use super::StoreHealth;
use crate::{config::Settings, data_dir};
pub use entry::Entry;
use file::SpoolFile;
use writer::Writer;

/// Rows that may wait to be flushed; beyond, callers are told to come back later.
const WAITING: usize = 1024;
/// Processes that share a data directory, at most.
const FILES: u32 = 64;

/// Why a row is not spooled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpoolError {
    /// There is no room for it.
    #[error("the spool is full")]
    Full,
    /// The disk did not take it, or the service is stopping.
    #[error("the spool could not write")]
    Failed,
}

struct Waiting {
    entry: Entry,
    answer: oneshot::Sender<Result<(), SpoolError>>,
}

/// A way to the spool; cheap to clone. It ends, with everything flushed, when the last one is dropped.
#[derive(Clone)]
pub struct Spool(mpsc::Sender<Waiting>);

impl Spool {
    /// Opens a file of this process's own, and whatever others left; writes and replays as one of `tasks`.
    pub fn open(db: Db, watch: StoreHealth, settings: &Settings, tasks: &TaskTracker) -> io::Result<Self> {
        let folder = settings.data_dir.join("spool");
        data_dir::make_private(&folder)?;
        let own = own(&folder)?;
        let (sender, receiver) = mpsc::channel(WAITING);
        let writer = Writer { db, watch, folder, own, left: Vec::new(), largest: settings.spool.max_size };
        tasks.spawn(writer.run(receiver));
        Ok(Self(sender))
    }

    /// Keeps the row; answers when it is durable.
    pub async fn keep(&self, entry: Entry) -> Result<(), SpoolError> {
        let (answer, kept) = oneshot::channel();
        self.0.try_send(Waiting { entry, answer }).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => SpoolError::Full,
            mpsc::error::TrySendError::Closed(_) => SpoolError::Failed,
        })?;
        kept.await.map_err(|_| SpoolError::Failed)?
    }
}

fn paths(folder: &Path) -> impl Iterator<Item = PathBuf> {
    (0..FILES).map(|number| folder.join(format!("rows-{number}")))
}

/// The first file that no other process holds.
fn own(folder: &Path) -> io::Result<SpoolFile> {
    let free = paths(folder).find_map(|path| SpoolFile::open(&path).transpose());
    free.unwrap_or_else(|| Err(io::Error::other("too many processes share the data directory")))
}

/// Files with rows that nobody holds: their processes are no more.
fn left(folder: &Path) -> io::Result<Vec<SpoolFile>> {
    let mut left = Vec::new();
    for path in paths(folder).filter(|path| path.exists()) {
        left.extend(SpoolFile::open(&path)?.filter(|file| !file.is_empty()));
    }
    Ok(left)
}
