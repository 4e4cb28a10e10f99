//! The tagger of names, addresses and user names: its texts, its fit, and its quality on sources left out of the fit.

mod corpus;
mod example;
mod fit;
mod frames;
mod harmless;
mod owners;
mod pools;
mod report;
mod scale;

use std::{fs, path::PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;

/// Inputs and outputs of the tagger's training.
#[derive(Args)]
pub struct Tagger {
    /// Directories or files of texts with marked spans.
    #[arg(long, required = true)]
    data: Vec<PathBuf>,
    /// A directory of frames to fill with names and addresses.
    #[arg(long)]
    frames: PathBuf,
    /// Directories or files of texts without annotations; only words that are in no list are learnt from them.
    #[arg(long)]
    plain: Vec<PathBuf>,
    /// Folder for `tagger.bin` and `tagger.json`.
    #[arg(long)]
    out: PathBuf,
    /// Seed of everything that is drawn.
    #[arg(long, default_value_t = 7)]
    seed: u64,
}

/// Fits the tagger and writes it with its report.
pub fn train(how: &Tagger) -> Result<()> {
    let mut texts = corpus::read_all(&how.data)?;
    let pools = pools::Pools::of(&texts, how.seed);
    texts.extend(frames::draw_all(&how.frames, pools, how.seed)?);
    let mut examples = example::all(&texts);
    examples.extend(harmless::examples(&how.plain)?);
    eprintln!("{} texts with spans, {} words to learn from", texts.len(), examples.len());
    let (figures, sharpness) = report::unseen(&texts, &examples, how.seed);
    let file = scale::quantized(&fit::fit(&examples, how.seed), sharpness);
    fs::create_dir_all(&how.out)?;
    fs::write(how.out.join("tagger.bin"), file).context("writing the weights")?;
    fs::write(how.out.join("tagger.json"), serde_json::to_vec_pretty(&figures)?)?;
    Ok(())
}
