//! A few worker processes, and what the service asks of them.

use std::{
    collections::HashMap,
    path::PathBuf,
    process::Stdio,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    process::{Child, ChildStdin, ChildStdout, Command},
    sync::Semaphore,
    time::timeout,
};

use crate::{
    ENGINES, framing,
    protocol::{Missing, Request, Response, WorkerKind, WorkerLimits},
};

/// Questions that a worker answers before another takes its place: what a library leaks goes with it.
const MAX_REQUESTS_PER_WORKER: u32 = 200;

/// How workers are run.
#[derive(Clone, Debug)]
pub struct PoolConfig {
    /// The program: our own binary.
    pub program: PathBuf,
    /// How many there are at a time, at least one.
    pub count: usize,
    /// Questions that may wait for one.
    pub waiting: usize,
    /// The longest that an answer may take.
    pub time: Duration,
    /// Bytes of an answer, at most.
    pub largest: usize,
    /// The bounds of each.
    pub setup: WorkerLimits,
}

/// Why a file was not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MediaError {
    /// Too many questions wait already.
    #[error("too many wait already")]
    Busy,
    /// Something is not there.
    #[error(transparent)]
    Missing(#[from] Missing),
    /// The file is to blame; why, for whoever sent it.
    #[error("{0}")]
    Unreadable(String),
    /// No answer in time.
    #[error("not read in time")]
    TimedOut,
    /// The worker ended, or said what nobody understands.
    #[error("the worker failed: {0}")]
    Failed(String),
}

/// A few workers of a kind, started when they are needed.
#[derive(Debug)]
pub struct Pool {
    kind: WorkerKind,
    workers: PoolConfig,
    idle: Mutex<Vec<Worker>>,
    at_work: Semaphore,
    places: Semaphore,
}

#[derive(Debug)]
struct Worker {
    // Ends with this value.
    _process: Child,
    input: ChildStdin,
    output: ChildStdout,
    answered: u32,
}

impl Pool {
    /// Workers of a kind; none runs before it is asked something.
    pub fn new(kind: WorkerKind, workers: PoolConfig) -> Self {
        let (at_work, places) = (workers.count, workers.count + workers.waiting);
        let (at_work, places) = (Semaphore::new(at_work), Semaphore::new(places));
        Self { kind, workers, idle: Mutex::default(), at_work, places }
    }

    /// Asks about a file. Whatever goes wrong costs this question alone: its worker is ended, and another takes its place.
    pub async fn send(&self, question: &Request, file: &[u8]) -> Result<(Response, Vec<u8>), MediaError> {
        if !ENGINES {
            return Err(Missing::Engines.into());
        }
        let _place = self.places.try_acquire().map_err(|_| MediaError::Busy)?;
        let _turn = self.at_work.acquire().await.map_err(|_| MediaError::Busy)?;
        let idle = self.idle().pop();
        // A worker that was not asked to the end, or whose caller went away, is dropped here, and ended with that.
        let asked = timeout(self.workers.time, self.asked(idle, question, file))
            .await
            .map_err(|_| MediaError::TimedOut)?;
        let (answer, file, worker) = asked.map_err(|fault| MediaError::Failed(fault.to_string()))?;
        if worker.answered < MAX_REQUESTS_PER_WORKER {
            self.idle().push(worker);
        }
        match answer {
            Response::Missing(missing) => {
                // What is missing may be installed meanwhile: the next worker looks again.
                self.idle().clear();
                Err(missing.into())
            }
            Response::Unreadable(why) => Err(MediaError::Unreadable(why)),
            Response::TimedOut => Err(MediaError::TimedOut),
            answer => Ok((answer, file)),
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn asked(
        &self,
        idle: Option<Worker>,
        question: &Request,
        file: &[u8],
    ) -> std::io::Result<(Response, Vec<u8>, Worker)> {
        let mut worker = match idle {
            Some(worker) => worker,
            None => Worker::start(self.kind, &self.workers).await?,
        };
        framing::send(&mut worker.input, question, file).await?;
        let (answer, file) = framing::receive(&mut worker.output, self.workers.largest).await?;
        worker.answered += 1;
        Ok((answer, file, worker))
    }
}

impl Worker {
    /// A process of our own binary, without our environment, ended when it is dropped.
    async fn start(kind: WorkerKind, workers: &PoolConfig) -> std::io::Result<Self> {
        // Threads of OpenMP only get in each other's way: one picture is read by one processor.
        let environment = HashMap::from([("OMP_THREAD_LIMIT", "1")]);
        let mut process = Command::new(&workers.program)
            .args(["worker", kind.name()])
            .env_clear()
            .envs(environment)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (input, output) = pipes.ok_or_else(|| std::io::Error::other("no pipes"))?;
        let mut worker = Self { _process: process, input, output, answered: 0 };
        framing::send(&mut worker.input, &workers.setup, &[]).await?;
        Ok(worker)
    }
}
