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
    ENGINES, frame,
    protocol::{Answer, Kind, Missing, Question, Setup},
};

/// Questions that a worker answers before another takes its place: what a library leaks goes with it.
const QUESTIONS: u32 = 200;

/// How workers are run.
#[derive(Clone, Debug)]
pub struct Workers {
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
    pub setup: Setup,
}

/// Why a file was not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
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
    kind: Kind,
    workers: Workers,
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
    pub fn new(kind: Kind, workers: Workers) -> Self {
        let (at_work, places) = (workers.count, workers.count + workers.waiting);
        let (at_work, places) = (Semaphore::new(at_work), Semaphore::new(places));
        Self { kind, workers, idle: Mutex::default(), at_work, places }
    }

    /// Asks about a file. Whatever goes wrong costs this question alone: its worker is ended, and another takes its place.
    pub async fn ask(&self, question: &Question, file: &[u8]) -> Result<(Answer, Vec<u8>), Unread> {
        if !ENGINES {
            return Err(Missing::Engines.into());
        }
        let _place = self.places.try_acquire().map_err(|_| Unread::Busy)?;
        let _turn = self.at_work.acquire().await.map_err(|_| Unread::Busy)?;
        let idle = self.idle().pop();
        // A worker that was not asked to the end, or whose caller went away, is dropped here, and ended with that.
        let asked = timeout(self.workers.time, self.asked(idle, question, file))
            .await
            .map_err(|_| Unread::TimedOut)?;
        let (answer, file, worker) = asked.map_err(|fault| Unread::Failed(fault.to_string()))?;
        if worker.answered < QUESTIONS {
            self.idle().push(worker);
        }
        match answer {
            Answer::Missing(missing) => {
                // What is missing may be installed meanwhile: the next worker looks again.
                self.idle().clear();
                Err(missing.into())
            }
            Answer::Unreadable(why) => Err(Unread::Unreadable(why)),
            Answer::TimedOut => Err(Unread::TimedOut),
            answer => Ok((answer, file)),
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn asked(
        &self,
        idle: Option<Worker>,
        question: &Question,
        file: &[u8],
    ) -> std::io::Result<(Answer, Vec<u8>, Worker)> {
        let mut worker = match idle {
            Some(worker) => worker,
            None => Worker::start(self.kind, &self.workers).await?,
        };
        frame::send(&mut worker.input, question, file).await?;
        let (answer, file) = frame::receive(&mut worker.output, self.workers.largest).await?;
        worker.answered += 1;
        Ok((answer, file, worker))
    }
}

impl Worker {
    /// A process of our own binary, without our environment, ended when it is dropped.
    async fn start(kind: Kind, workers: &Workers) -> std::io::Result<Self> {
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
        frame::send(&mut worker.input, &workers.setup, &[]).await?;
        Ok(worker)
    }
}
