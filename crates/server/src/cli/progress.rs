//! Progress line on a terminal.

use std::{
    io::{IsTerminal as _, Write as _},
    sync::atomic::{AtomicUsize, Ordering},
};

/// Steps between two updates of the line.
const STEPS: usize = 500;

/// Number of finished texts, shown on standard error if that is a terminal.
pub struct Progress {
    total: usize,
    done: AtomicUsize,
    is_terminal: bool,
}

impl Progress {
    /// Creates a progress line for so many texts.
    pub fn new(total: usize) -> Self {
        Self { total, done: AtomicUsize::new(0), is_terminal: std::io::stderr().is_terminal() }
    }

    /// Counts a text.
    pub fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.is_terminal && (done.is_multiple_of(STEPS) || done == self.total) {
            let end = if done == self.total { "\n" } else { "" };
            let mut out = std::io::stderr().lock();
            // A lost progress line does no harm.
            let _lost =
                write!(out, "\r{done} of {} texts evaluated{end}", self.total).and_then(|()| out.flush());
        }
    }
}
