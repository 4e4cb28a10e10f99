//! `worker`: a process that the service starts to read what strangers send. No part of the product's help.

use anyhow::Result;
use clap::{Args, ValueEnum};
use guardengine_media::{WorkerKind, worker};

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// Pictures
    Ocr,
    /// Recordings
    Speech,
}

#[derive(Debug, Args)]
pub struct Worker {
    what: What,
}

impl Worker {
    pub fn run(&self) -> Result<()> {
        let kind = match self.what {
            What::Ocr => WorkerKind::Ocr,
            What::Speech => WorkerKind::Speech,
        };
        Ok(worker::run(kind)?)
    }
}
