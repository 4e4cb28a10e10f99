//! The task that writes and replays the spool.

use std::{io, path::PathBuf, time::Duration};

use guardengine_store::{Db, StoreHealth};
use tokio::{
    sync::mpsc,
    task::spawn_blocking,
    time::{interval, sleep},
};

use super::{Entry, QueuedEntry, SpoolError, SpoolFile, open_orphaned, replay};

/// Maximum number of entries flushed together.
const BATCH: usize = 256;
/// Pause after a failed replay.
const RETRY_PAUSE: Duration = Duration::from_secs(1);
/// Interval between searches for files of ended processes.
const SEARCH_INTERVAL: Duration = Duration::from_secs(5);

/// State of the task that writes and replays the spool.
pub(crate) struct Writer {
    pub db: Db,
    pub store: StoreHealth,
    /// Folder of the spool files.
    pub folder: PathBuf,
    /// File of this process.
    pub own: SpoolFile,
    /// Files of ended processes.
    pub orphaned: Vec<SpoolFile>,
    /// Maximum size of the spool in bytes.
    pub max_size: u64,
}

impl Writer {
    /// Writes incoming entries and replays waiting ones while the store answers. Ends when the last sender is dropped.
    pub async fn run(mut self, mut receiver: mpsc::Receiver<QueuedEntry>) {
        let mut queued = Vec::with_capacity(BATCH);
        let mut searches = interval(SEARCH_INTERVAL);
        loop {
            self.report();
            tokio::select! {
                biased;
                received = receiver.recv_many(&mut queued, BATCH) => {
                    if received == 0 {
                        return;
                    }
                    self.write(std::mem::take(&mut queued)).await;
                }
                _ = searches.tick() => self.search(),
                () = self.replay_due() => self.replay().await,
            }
        }
    }

    fn report(&self) {
        let entries: u64 = std::iter::once(&self.own).chain(&self.orphaned).map(SpoolFile::waiting).sum();
        metrics::gauge!("guardengine_spool_rows").set(entries as f64);
    }

    /// Opens files of ended processes.
    fn search(&mut self) {
        match open_orphaned(&self.folder) {
            Ok(files) => self.orphaned.extend(files),
            Err(error) => tracing::warn!(%error, "could not open the spool files of ended processes"),
        }
    }

    /// Waits until there are entries to replay and the store answers.
    async fn replay_due(&self) {
        if self.own.is_empty() && self.orphaned.is_empty() {
            return std::future::pending().await;
        }
        self.store.up().await;
    }

    async fn write(&mut self, queued: Vec<QueuedEntry>) {
        let (entries, answers): (Vec<_>, Vec<_>) =
            queued.into_iter().map(|queued| (queued.entry, queued.answer)).unzip();
        let written = self.append(&entries).await;
        if let Err(error) = &written {
            tracing::error!(%error, entries = entries.len(), "could not write entries to the spool");
        }
        for answer in answers {
            // The entry stays even if the caller has gone away.
            let _gone = answer.send(written.as_ref().copied().map_err(|error| match error.kind() {
                io::ErrorKind::StorageFull => SpoolError::Full,
                _ => SpoolError::Failed,
            }));
        }
    }

    async fn append(&mut self, entries: &[Entry]) -> io::Result<()> {
        let contents: Result<Vec<_>, _> = entries.iter().map(serde_json::to_vec).collect();
        let contents = contents?;
        let bytes: usize = contents.iter().map(Vec::len).sum();
        if self.own.len() + bytes as u64 > self.max_size {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "spool.max_size reached"));
        }
        self.with_own(move |file| file.append(&contents)).await
    }

    /// Replays one batch, so that new entries wait for at most one batch.
    async fn replay(&mut self) {
        let has_orphaned = !self.orphaned.is_empty();
        let file = if has_orphaned { &self.orphaned[0] } else { &self.own };
        match replay::batch(&self.db, &self.store, file).await {
            Ok((frames, end)) => {
                let file = if has_orphaned { &mut self.orphaned[0] } else { &mut self.own };
                if let Err(error) = file.mark_replayed(frames, end) {
                    tracing::error!(%error, "could not truncate the spool file; its entries are already in the store");
                }
                if has_orphaned && self.orphaned[0].is_empty() {
                    self.orphaned.remove(0);
                }
            }
            Err(error) => {
                tracing::warn!(%error, "could not replay the spool; retrying");
                sleep(RETRY_PAUSE).await;
            }
        }
    }

    /// Runs `work` on the file on a blocking thread.
    async fn with_own(
        &mut self,
        work: impl FnOnce(&mut SpoolFile) -> io::Result<()> + Send + 'static,
    ) -> io::Result<()> {
        let mut file = self.own.try_clone()?;
        let (file, done) = spawn_blocking(move || {
            let done = work(&mut file);
            (file, done)
        })
        .await
        .map_err(io::Error::other)?;
        self.own = file;
        done
    }
}
