//! The service log: lines for standard error, written by a thread of their own. Logging never waits and never fails. Lines
//! that standard error does not accept are dropped and counted.

use std::{
    fmt::Display,
    io::{self, Write},
    panic::PanicHookInfo,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

/// Maximum size of the lines that wait to be written, in bytes.
const CAPACITY: usize = 4 << 20;
/// Time for which a dropped line counts as a present problem.
const RECENT: Duration = Duration::from_mins(1);
/// Delay before the next attempt while standard error, in non-blocking mode, accepts nothing.
const RETRY_DELAY: Duration = Duration::from_millis(20);

/// The queue of lines; cheap to clone. Writing to it appends one line, or drops the line if the queue is full.
#[derive(Clone)]
pub struct ServiceLog(Arc<Shared>);

struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
    capacity: usize,
}

#[derive(Default)]
struct Queue {
    /// Lines that wait, each with its line feed.
    waiting: Vec<u8>,
    /// True while the thread writes lines that it has taken.
    is_writing: bool,
    /// Lines dropped since the last report.
    dropped: u64,
}

impl ServiceLog {
    /// Starts the thread that writes to standard error.
    pub fn start() -> io::Result<Self> {
        let log = Self::with_capacity(CAPACITY);
        // The series exists before the first drop, so that alerts see the increase.
        metrics::counter!("guardengine_service_log_dropped_total").increment(0);
        let thread_log = log.clone();
        thread::Builder::new().name("service-log".to_owned()).spawn(move || thread_log.run(io::stderr()))?;
        Ok(log)
    }

    fn with_capacity(capacity: usize) -> Self {
        Self(Arc::new(Shared { queue: Mutex::default(), changed: Condvar::new(), capacity }))
    }

    /// Appends a line for the operator.
    pub fn note(&self, note: impl Display) {
        self.push(format!("guardengine: {note}\n").as_bytes());
    }

    /// Logs a panic as an error.
    pub fn log_panic(panic: &PanicHookInfo<'_>) {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, message = panic.payload_as_str().unwrap_or_default(), "panic");
    }

    /// Waits until all lines are written, at most for `limit`.
    pub fn flush(&self, limit: Duration) {
        let until = Instant::now() + limit;
        let mut queue = self.queue();
        while !queue.waiting.is_empty() || queue.is_writing {
            let Some(left) = until.checked_duration_since(Instant::now()) else { return };
            queue = self.0.changed.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, line: &[u8]) {
        let mut queue = self.queue();
        if queue.waiting.len() + line.len() > self.0.capacity {
            queue.drop_lines(1);
        } else {
            queue.waiting.extend_from_slice(line);
        }
        drop(queue);
        self.0.changed.notify_all();
    }

    /// Writes lines as they come, for as long as the process runs.
    fn run(&self, mut output: impl Write) {
        loop {
            let lines = self.take();
            let written = write_all(&mut output, &lines);
            let dropped = self.finish(lines.get(written..).unwrap_or_default());
            if dropped > 0 {
                tracing::warn!(dropped, "standard error did not accept all log lines");
            }
        }
    }

    /// Waits for lines and takes them.
    fn take(&self) -> Vec<u8> {
        let mut queue = self.queue();
        while queue.waiting.is_empty() {
            queue = self.0.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        queue.is_writing = true;
        std::mem::take(&mut queue.waiting)
    }

    /// Ends a write that left `unwritten`. After a complete write, returns the number of lines dropped before it.
    fn finish(&self, unwritten: &[u8]) -> u64 {
        let mut queue = self.queue();
        queue.is_writing = false;
        let lines = unwritten.split(|byte| *byte == b'\n').count() - 1;
        queue.drop_lines(lines as u64);
        let dropped = if lines == 0 { std::mem::take(&mut queue.dropped) } else { 0 };
        drop(queue);
        self.0.changed.notify_all();
        dropped
    }
}

/// Time of the last dropped line. Standard error belongs to the process, and so does its state.
static LAST_DROP: Mutex<Option<Instant>> = Mutex::new(None);

/// Returns true if a line was dropped within the last minute.
pub fn drops_lines() -> bool {
    let last = *LAST_DROP.lock().unwrap_or_else(PoisonError::into_inner);
    last.is_some_and(|last| last.elapsed() < RECENT)
}

impl Queue {
    fn drop_lines(&mut self, lines: u64) {
        self.dropped += lines;
        if lines > 0 {
            *LAST_DROP.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        metrics::counter!("guardengine_service_log_dropped_total").increment(lines);
    }
}

impl Write for ServiceLog {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.push(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes as much as possible and returns the number of bytes written.
fn write_all(output: &mut impl Write, lines: &[u8]) -> usize {
    let mut written = 0;
    while let Some(rest) = lines.get(written..).filter(|rest| !rest.is_empty()) {
        match output.write(rest) {
            Ok(0) => break,
            Ok(count) => written += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(RETRY_DELAY),
            Err(_) => break,
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Accepts a number of bytes, then fails.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let count = bytes.len().min(self.0).min(3);
            self.0 -= count;
            if count == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(count) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn writes_as_much_as_the_output_accepts() {
        assert_eq!(write_all(&mut Full(100), b"one\ntwo\n"), 8);
        assert_eq!(write_all(&mut Full(5), b"one\ntwo\n"), 5);
        assert_eq!(write_all(&mut Full(0), b"one\ntwo\n"), 0);
    }

    #[test]
    fn drops_lines_beyond_the_capacity_and_reports_them_after_the_next_write() {
        let log = ServiceLog::with_capacity(8);
        for line in ["one\n", "two\n", "three\n"] {
            log.push(line.as_bytes());
        }
        assert_eq!(log.take(), b"one\ntwo\n");
        log.push(b"four\n");
        assert_eq!(log.finish(b"two\n"), 0, "the output failed");
        assert_eq!(log.take(), b"four\n");
        assert_eq!(log.finish(b""), 2, "three did not fit, two was not written");
    }

    #[test]
    fn flushing_ends_at_its_limit() {
        let log = ServiceLog::with_capacity(100);
        log.flush(Duration::from_mins(1));
        log.push(b"nobody writes this\n");
        log.flush(Duration::from_millis(10));
    }
}
