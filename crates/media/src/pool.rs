//! Pool of worker processes.

use std::{
    collections::HashMap,
    os::unix::process::ExitStatusExt as _,
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

pub use crate::framing::Payload;
use crate::{
    ENGINES, framing,
    protocol::{Missing, Request, Response, WorkerKind, WorkerLimits},
};

/// Requests after which a worker is replaced, to free memory that a native library leaks.
const MAX_REQUESTS_PER_WORKER: u32 = 200;
/// Time for a worker that broke off to end.
const TIME_TO_END: Duration = Duration::from_secs(1);
/// Signal of a process that ends itself, as on a failed allocation and on a stack that overflows (signal(7)).
const SIGABRT: i32 = 6;

/// Settings of a worker pool.
#[derive(Clone, Debug)]
pub struct PoolConfig {
    /// Program to run: the service's own binary.
    pub program: PathBuf,
    /// Concurrent workers, at least one.
    pub count: usize,
    /// Requests that may wait for a worker.
    pub max_waiting: usize,
    /// Time allowed for a response.
    pub timeout: Duration,
    /// Accepted response size in bytes.
    pub max_response: usize,
    /// Limits of each worker.
    pub limits: WorkerLimits,
}

/// Reason why a file was not processed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MediaError {
    /// The queue is full.
    #[error("too many requests are waiting")]
    Busy,
    /// A component is missing.
    #[error(transparent)]
    Missing(#[from] Missing),
    /// The file is invalid or not accepted. Holds the reason, for the sender.
    #[error("{0}")]
    Unreadable(String),
    /// No response in time.
    #[error("not read in time")]
    TimedOut,
    /// The worker ended or sent an invalid response.
    #[error("the worker failed: {0}")]
    Failed(String),
}

/// A pool of workers of one kind, started on demand.
#[derive(Debug)]
pub struct Pool {
    kind: WorkerKind,
    config: PoolConfig,
    idle: Mutex<Vec<Worker>>,
    /// Limits the workers that run.
    running: Semaphore,
    /// Limits the requests that run or wait.
    admitted: Semaphore,
}

#[derive(Debug)]
struct Worker {
    // Dropping it ends the process.
    process: Child,
    input: ChildStdin,
    output: ChildStdout,
    responses: u32,
    /// The tenant whose files it read; none before the first.
    tenant: Option<u128>,
}

impl Pool {
    /// Creates a pool without starting a worker.
    pub fn new(kind: WorkerKind, config: PoolConfig) -> Self {
        let (running, admitted) = (config.count, config.count + config.max_waiting);
        let (running, admitted) = (Semaphore::new(running), Semaphore::new(admitted));
        Self { kind, config, idle: Mutex::default(), running, admitted }
    }

    /// Returns how many workers are busy, and how many there may be.
    pub fn running(&self) -> (usize, usize) {
        (self.config.count - self.running.available_permits(), self.config.count)
    }

    /// Returns how many requests wait for a worker, and how many may.
    pub fn waiting(&self) -> (usize, usize) {
        let admitted = self.config.count + self.config.max_waiting - self.admitted.available_permits();
        (admitted.saturating_sub(self.running().0), self.config.max_waiting)
    }

    /// Sends a request about a tenant's file and returns the response. An error ends the worker, so that it affects only
    /// this request. A worker that read a tenant's file reads no other tenant's, which a file could attack through it. A
    /// request without a file has no tenant.
    pub async fn send(
        &self,
        tenant: Option<u128>,
        request: &Request,
        file: &[u8],
    ) -> Result<(Response, Vec<u8>), MediaError> {
        self.send_within(self.config.timeout, tenant, request, Payload::Bytes(file), &mut |_| ()).await
    }

    /// As [`Pool::send`], within a time of its own. `progress` gets the seconds of audio that are transcribed.
    pub async fn send_within(
        &self,
        time: Duration,
        tenant: Option<u128>,
        request: &Request,
        file: Payload<'_>,
        progress: &mut (dyn FnMut(f32) + Send),
    ) -> Result<(Response, Vec<u8>), MediaError> {
        if !ENGINES {
            return Err(Missing::Engines.into());
        }
        let _admission = self.admitted.try_acquire().map_err(|_| MediaError::Busy)?;
        let _slot = self.running.acquire().await.map_err(|_| MediaError::Busy)?;
        let idle = self.take_idle(tenant);
        // If the exchange does not complete or the caller gives up, the worker is dropped, which ends its process.
        let exchanged = timeout(time, self.exchange(idle, tenant, request, file, progress))
            .await
            .map_err(|_| MediaError::TimedOut)?;
        let (response, file, worker) = exchanged?;
        if worker.responses < MAX_REQUESTS_PER_WORKER {
            self.idle().push(worker);
        }
        match response {
            Response::Missing(missing) => {
                // The component may be installed meanwhile: a new worker looks for it again.
                self.idle().clear();
                Err(missing.into())
            }
            Response::Unreadable(why) => Err(MediaError::Unreadable(why)),
            Response::TimedOut => Err(MediaError::TimedOut),
            response => Ok((response, file)),
        }
    }

    /// Ends the workers that wait for a request.
    pub fn end_idle(&self) {
        self.idle().clear();
    }

    /// Takes a worker that this tenant, or nobody, used. Ends one of the others if it would be one too many.
    fn take_idle(&self, tenant: Option<u128>) -> Option<Worker> {
        let (running, _) = self.running();
        let mut idle = self.idle();
        let is_own = |worker: &Worker| tenant.is_none() || worker.tenant == tenant;
        let found =
            idle.iter().rposition(is_own).or_else(|| idle.iter().position(|worker| worker.tenant.is_none()));
        if let Some(place) = found {
            return Some(idle.remove(place));
        }
        if idle.len() + running > self.config.count {
            idle.remove(0);
        }
        None
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn exchange(
        &self,
        idle: Option<Worker>,
        tenant: Option<u128>,
        request: &Request,
        file: Payload<'_>,
        progress: &mut (dyn FnMut(f32) + Send),
    ) -> Result<(Response, Vec<u8>, Worker), MediaError> {
        let mut worker = match idle {
            Some(worker) => worker,
            None => Worker::start(self.kind, &self.config).await.map_err(|error| failed(&error))?,
        };
        worker.tenant = tenant.or(worker.tenant);
        match worker.answer(request, file, self.config.max_response, progress).await {
            Ok((response, file)) => Ok((response, file, worker)),
            Err(error) => Err(worker.explain(error).await),
        }
    }
}

impl Worker {
    /// Starts a worker process with an empty environment and sends it its limits.
    async fn start(kind: WorkerKind, config: &PoolConfig) -> std::io::Result<Self> {
        // A worker uses one processor; OpenMP threads would only compete with other workers.
        let environment = HashMap::from([("OMP_THREAD_LIMIT", "1")]);
        let mut process = Command::new(&config.program)
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
        let mut worker = Self { process, input, output, responses: 0, tenant: None };
        framing::send(&mut worker.input, &config.limits, Payload::Bytes(&[])).await?;
        Ok(worker)
    }

    async fn answer(
        &mut self,
        request: &Request,
        file: Payload<'_>,
        max_response: usize,
        progress: &mut (dyn FnMut(f32) + Send),
    ) -> std::io::Result<(Response, Vec<u8>)> {
        framing::send(&mut self.input, request, file).await?;
        loop {
            let (response, file) = framing::receive(&mut self.output, max_response).await?;
            if let Response::Progress(seconds) = response {
                progress(seconds);
                continue;
            }
            self.responses += 1;
            return Ok((response, file));
        }
    }

    /// Returns the reason for a broken exchange. A worker that ended itself ran out of memory or stack, which is a
    /// property of the file.
    async fn explain(mut self, error: std::io::Error) -> MediaError {
        let ended = timeout(TIME_TO_END, self.process.wait()).await;
        match ended {
            Ok(Ok(status)) if status.signal() == Some(SIGABRT) => {
                MediaError::Unreadable("the file needs more memory than is allowed (media.memory)".to_owned())
            }
            _ => failed(&error),
        }
    }
}

fn failed(error: &std::io::Error) -> MediaError {
    MediaError::Failed(error.to_string())
}
