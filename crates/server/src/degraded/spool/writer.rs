//! The one who writes the spool, and empties it.

use std::{io, path::PathBuf, time::Duration};

use guardengine_store::Db;
use tokio::{
    sync::mpsc,
    task::spawn_blocking,
    time::{interval, sleep},
};

use super::{Entry, SpoolError, SpoolFile, Waiting, left, replay};
use crate::degraded::StoreHealth;

/// Rows that are flushed together.
const BATCH: usize = 256;
/// After a replay that failed.
const PAUSE: Duration = Duration::from_secs(1);
/// Between two looks for what others left.
const LOOK: Duration = Duration::from_secs(5);

/// What the spool consists of.
pub(super) struct Writer {
    pub db: Db,
    pub watch: StoreHealth,
    /// Where the files are.
    pub folder: PathBuf,
    /// Where this process writes.
    pub own: SpoolFile,
    /// What others left.
    pub left: Vec<SpoolFile>,
    /// Bytes that may wait.
    pub largest: u64,
}

impl Writer {
    /// Writes what comes, and replays what waits whenever the store answers, until nobody is left to send anything.
    pub async fn run(mut self, mut receiver: mpsc::Receiver<Waiting>) {
        let mut waiting = Vec::with_capacity(BATCH);
        let mut looks = interval(LOOK);
        loop {
            self.tell();
            tokio::select! {
                biased;
                received = receiver.recv_many(&mut waiting, BATCH) => {
                    if received == 0 {
                        return;
                    }
                    self.write(std::mem::take(&mut waiting)).await;
                }
                _ = looks.tick() => self.look(),
                () = self.is_due() => self.replay().await,
            }
        }
    }

    fn tell(&self) {
        let rows: u64 = std::iter::once(&self.own).chain(&self.left).map(SpoolFile::waiting).sum();
        metrics::gauge!("guardengine_spool_rows").set(rows as f64);
    }

    /// Takes what processes left that ended.
    fn look(&mut self) {
        match left(&self.folder) {
            Ok(left) => self.left.extend(left),
            Err(fault) => tracing::warn!(%fault, "what other processes spooled is not known"),
        }
    }

    /// Whether something waits and the store answers; never where nothing waits.
    async fn is_due(&self) {
        if self.own.is_empty() && self.left.is_empty() {
            return std::future::pending().await;
        }
        self.watch.up().await;
    }

    async fn write(&mut self, waiting: Vec<Waiting>) {
        let (entries, answers): (Vec<_>, Vec<_>) =
            waiting.into_iter().map(|waiting| (waiting.entry, waiting.answer)).unzip();
        let written = self.append(&entries).await;
        if let Err(fault) = &written {
            tracing::error!(%fault, rows = entries.len(), "rows are not spooled");
        }
        for answer in answers {
            // A caller that has gone away has its row all the same.
            let _gone = answer.send(written.as_ref().copied().map_err(|fault| match fault.kind() {
                io::ErrorKind::StorageFull => SpoolError::Full,
                _ => SpoolError::Failed,
            }));
        }
    }

    async fn append(&mut self, entries: &[Entry]) -> io::Result<()> {
        let contents: Result<Vec<_>, _> = entries.iter().map(serde_json::to_vec).collect();
        let contents = contents?;
        let bytes: usize = contents.iter().map(Vec::len).sum();
        if self.own.len() + bytes as u64 > self.largest {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "spool.max_size is reached"));
        }
        self.with_own(move |file| file.append(&contents)).await
    }

    /// One batch, so that whoever has a row to spool waits for no more.
    async fn replay(&mut self) {
        let is_left = !self.left.is_empty();
        let file = if is_left { &self.left[0] } else { &self.own };
        match replay::batch(&self.db, &self.watch, file).await {
            Ok((frames, end)) => {
                let file = if is_left { &mut self.left[0] } else { &mut self.own };
                if let Err(fault) = file.done(frames, end) {
                    tracing::error!(%fault, "the spool could not be emptied, its rows are known");
                }
                if is_left && self.left[0].is_empty() {
                    self.left.remove(0);
                }
            }
            Err(fault) => {
                tracing::warn!(%fault, "spooled rows are not written yet");
                sleep(PAUSE).await;
            }
        }
    }

    /// Works on the file off the async threads.
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
