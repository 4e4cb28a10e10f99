//! Makes the weights under `models/`: reads labelled texts, fits the linear model, calibrates it on texts of sources
//! that it was not fitted on, and writes the weights with a report.

mod augment;
mod background;
mod calibrate;
mod corpus;
mod example;
mod fit;
mod grammar;
mod join;
mod measure_pii;
mod multilingual;
mod presumed;
mod readings;
mod regression;
mod tagger;
mod topics;
mod variety;
mod weighing;
mod windows;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};
use guardengine_classifiers::{Encoder, Weights};
use guardengine_engine::detectors::DETECTORS;

use corpus::Labelled;

/// The weights of guardengine's linear model.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Fits and calibrates the model and writes `linear.bin` and `training.json`.
    Train(Train),
    /// Writes what the encoder learns from, a line of JSON for each text.
    Windows(Windows),
    /// Weighs the linear model and the encoder together and writes `joint.json` and `joining.json`.
    Join(Join),
    /// Prints how varied the texts of each label are.
    Variety(Texts),
    /// Fits the tagger of names and addresses and writes `tagger.bin` and `tagger.json`.
    Tagger(tagger::Tagger),
    /// Measures on labelled suites what personal data the engine finds.
    Pii(MeasurePii),
    /// Measures the multilingual encoder on labelled suites.
    Multilingual(multilingual::Measure),
    /// Writes what the multilingual encoder and the built-in models say of the windows of texts.
    Readings(readings::WriteReadings),
    /// Makes the vectors of harmless texts to which topics are compared.
    Background(background::MakeBackground),
    /// Measures how well topics are found by a few examples.
    Topics(topics::MeasureTopics),
    /// Prints the default threshold of each guardrail as JSON.
    Thresholds,
}

/// Suites of a measurement of personal data.
#[derive(Args)]
struct MeasurePii {
    /// Directories or files of labelled suites.
    #[arg(long, required = true)]
    data: Vec<PathBuf>,
}

/// Training texts.
#[derive(Args)]
struct Texts {
    /// Directories or files of labelled texts.
    #[arg(long, required = true)]
    data: Vec<PathBuf>,
    /// A directory of grammars, from which more texts are drawn.
    #[arg(long)]
    grammars: Option<PathBuf>,
    /// Seed of everything that is drawn.
    #[arg(long, default_value_t = 7)]
    seed: u64,
}

/// Hyperparameters of the linear model.
#[derive(Args)]
struct Fit {
    /// Passes over the texts.
    #[arg(long, default_value_t = 5)]
    epochs: usize,
    /// Size of the first steps.
    #[arg(long, default_value_t = 0.3)]
    rate: f32,
    /// Pull of each used weight towards zero, before each label's own factor.
    #[arg(long, default_value_t = 7e-4)]
    decay: f32,
    /// Share of features hidden from the model, for half of the examples.
    #[arg(long, default_value_t = 0.2)]
    hidden: f32,
}

/// Inputs and outputs of the linear model's training.
#[derive(Args)]
struct Train {
    #[command(flatten)]
    texts: Texts,
    #[command(flatten)]
    fit: Fit,
    /// Folder for the model.
    #[arg(long)]
    out: PathBuf,
    /// Folds of sources that calibration is fitted on; each costs one more fit.
    #[arg(long, default_value_t = 5)]
    folds: usize,
}

/// Texts whose windows are written, and the file to write.
#[derive(Args)]
struct Windows {
    #[command(flatten)]
    texts: Texts,
    /// The file that is written.
    #[arg(long)]
    out: PathBuf,
}

/// Models to join. The linear model is fitted without the held-out texts.
#[derive(Args)]
struct Join {
    #[command(flatten)]
    texts: Texts,
    #[command(flatten)]
    fit: Fit,
    /// Folder for the joint weights. It contains the shipped encoder.
    #[arg(long)]
    out: PathBuf,
    /// Folder of the encoder trained without the held-out texts, as `export.py` wrote it, and of its vocabulary.
    #[arg(long)]
    encoder: PathBuf,
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Train(how) => train(&how),
        Command::Windows(of) => windows(&of),
        Command::Join(how) => joined(&how),
        Command::Variety(texts) => {
            println!("{}", variety::table(&texts.read(1)?, texts.seed));
            Ok(())
        }
        Command::Tagger(how) => tagger::train(&how),
        Command::Pii(what) => {
            println!("{}", measure_pii::suites(&what.data)?);
            Ok(())
        }
        Command::Multilingual(what) => what.run(),
        Command::Readings(what) => what.run(),
        Command::Background(how) => how.run(),
        Command::Topics(what) => what.run(),
        Command::Thresholds => {
            let guardrails = DETECTORS.iter().map(|detector| detector.guardrail());
            let thresholds: BTreeMap<_, _> =
                guardrails.map(|guardrail| (guardrail.name, guardrail.default_threshold)).collect();
            println!("{}", serde_json::to_string(&thresholds)?);
            Ok(())
        }
    }
}

impl Fit {
    fn settings(&self, seed: u64) -> fit::Settings {
        fit::Settings {
            epochs: self.epochs,
            rate: self.rate,
            decay: weighing::decays(self.decay),
            hidden: self.hidden,
            seed,
        }
    }
}

impl Texts {
    fn read(&self, folds: usize) -> Result<Vec<Labelled>> {
        let mut texts = corpus::read_all(&self.data, folds)?;
        if let Some(folder) = &self.grammars {
            texts.extend(corpus::of_grammars(grammar::read_all(folder, self.seed)?, folds));
        }
        Ok(texts)
    }

    /// Reads the texts and adds augmented ones, in the folds of the encoder.
    fn read_and_make(&self) -> Result<Vec<Labelled>> {
        let mut texts = self.read(windows::FOLDS)?;
        texts.extend(augment::made(&texts, self.seed));
        Ok(texts)
    }
}

fn train(how: &Train) -> Result<()> {
    let seed = how.texts.seed;
    let texts = how.texts.read(how.folds)?;
    let examples = example::all(&texts, seed);
    eprintln!("{} texts, {} examples", texts.len(), examples.len());
    let settings = how.fit.settings(seed);
    let (curves, figures) = calibrate::across_folds(&examples, how.folds, &settings);
    let model = fit::fit(&examples, &settings);
    let version = format!("linear-1-{:016x}", model.fingerprint());
    let weights = Weights::quantized(version, &model.rows, &model.biases, &curves);
    fs::create_dir_all(&how.out)?;
    fs::write(how.out.join("linear.bin"), weights.to_bytes()?).context("writing the weights")?;
    fs::write(how.out.join("training.json"), serde_json::to_vec_pretty(&figures)?)?;
    Ok(())
}

fn joined(how: &Join) -> Result<()> {
    let texts = how.texts.read_and_make()?;
    let file = |folder: &Path, name: &str| {
        let path = folder.join(name);
        fs::read(&path).with_context(|| format!("reading {}", path.display()))
    };
    // Read once, and needed to the end.
    let weights: &'static [u8] = file(&how.encoder, "encoder.safetensors")?.leak();
    let version = format!("encoder-1-{:016x}", corpus::hash(&file(&how.out, "encoder.safetensors")?));
    let vocabulary = String::from_utf8(file(&how.encoder, "vocab.txt")?).context("reading the vocabulary")?;
    let encoder = Encoder::new(weights, &vocabulary)?;
    let (joint, figures) = join::join(&texts, &encoder, &how.fit.settings(how.texts.seed), version)?;
    fs::write(how.out.join("joint.json"), serde_json::to_vec_pretty(&joint)?)?;
    fs::write(how.out.join("joining.json"), serde_json::to_vec_pretty(&figures)?)?;
    Ok(())
}

fn windows(of: &Windows) -> Result<()> {
    windows::write(&of.texts.read_and_make()?, &of.out)
}
