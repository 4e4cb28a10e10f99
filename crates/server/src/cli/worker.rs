//! `worker`: process that the service starts to read untrusted images, documents and audio. Hidden from the help.

use anyhow::Result;
use clap::{Args, ValueEnum};
use guardengine_media::{WorkerKind, worker};

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// Images
    Ocr,
    /// Audio
    Speech,
    /// Documents
    Documents,
}

#[derive(Debug, Args)]
pub struct Worker {
    kind: Kind,
}

impl Worker {
    pub fn run(&self) -> Result<()> {
        let kind = match self.kind {
            Kind::Ocr => WorkerKind::Ocr,
            Kind::Speech => WorkerKind::Speech,
            Kind::Documents => WorkerKind::Documents,
        };
        Ok(worker::run(kind)?)
    }
}
