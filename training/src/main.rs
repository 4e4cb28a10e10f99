//! Makes the weights under `models/`: reads labelled texts, fits the linear model, calibrates it on texts of sources
//! that it was not fitted on, and writes the weights with a report.

mod augment;
mod calibrate;
mod corpus;
mod example;
mod fit;
mod grammar;
mod measure;
mod measure_pii;
mod presumed;
mod tagger;
mod weighing;

use std::{collections::BTreeMap, fs, path::PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};
use guardengine_classifiers::{Linear, Weights};
use guardengine_engine::scores::LABELS;

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
    /// Measures a model on labelled suites and writes `report.json`.
    Report(Measure),
    /// Fits the tagger of names and addresses and writes `tagger.bin` and `tagger.json`.
    Tagger(tagger::Tagger),
    /// Measures on labelled suites what personal data the engine finds.
    Pii(MeasurePii),
}

/// What to measure of personal data.
#[derive(Args)]
struct MeasurePii {
    /// Directories or files of labelled suites.
    #[arg(long, required = true)]
    data: Vec<PathBuf>,
}

/// What to train on, and how.
#[derive(Args)]
struct Train {
    /// Directories or files of labelled texts.
    #[arg(long, required = true)]
    data: Vec<PathBuf>,
    /// A directory of grammars, from which more texts are drawn.
    #[arg(long)]
    grammars: Option<PathBuf>,
    /// Where the model goes.
    #[arg(long)]
    out: PathBuf,
    /// Passes over the texts.
    #[arg(long, default_value_t = 5)]
    epochs: usize,
    /// Folds of sources that calibration is fitted on; each costs one more fit.
    #[arg(long, default_value_t = 5)]
    folds: usize,
    /// Size of the first steps.
    #[arg(long, default_value_t = 0.3)]
    rate: f32,
    /// Pull of each used weight towards zero, before each label's own factor.
    #[arg(long, default_value_t = 7e-4)]
    decay: f32,
    /// Share of features hidden from the model, for half of the examples.
    #[arg(long, default_value_t = 0.2)]
    hidden: f32,
    /// Seed of everything that is drawn.
    #[arg(long, default_value_t = 7)]
    seed: u64,
}

/// What to measure.
#[derive(Args)]
struct Measure {
    /// Directories or files of labelled suites.
    #[arg(long, required = true)]
    data: Vec<PathBuf>,
    /// The weights.
    #[arg(long)]
    model: PathBuf,
    /// Where the report goes.
    #[arg(long)]
    out: PathBuf,
    /// The threshold that decides.
    #[arg(long, default_value_t = calibrate::WORKING_POINT)]
    threshold: f32,
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Train(how) => train(&how),
        Command::Report(what) => report(&what),
        Command::Tagger(how) => tagger::train(&how),
        Command::Pii(what) => {
            println!("{}", measure_pii::suites(&what.data)?);
            Ok(())
        }
    }
}

fn train(how: &Train) -> Result<()> {
    let mut texts = corpus::read_all(&how.data, how.folds)?;
    if let Some(folder) = &how.grammars {
        texts.extend(corpus::of_grammars(grammar::read_all(folder, how.seed)?, how.folds));
    }
    let examples = example::all(&texts, how.seed);
    eprintln!("{} texts, {} examples", texts.len(), examples.len());
    let settings = fit::Settings {
        epochs: how.epochs,
        rate: how.rate,
        decay: weighing::decays(how.decay),
        hidden: how.hidden,
        seed: how.seed,
    };
    let (curves, figures) = calibrate::across_folds(&examples, how.folds, &settings);
    let model = fit::fit(&examples, &settings);
    let version = format!("linear-1-{:016x}", model.fingerprint());
    let weights = Weights::quantized(version, &model.rows, &model.biases, &curves);
    fs::create_dir_all(&how.out)?;
    fs::write(how.out.join("linear.bin"), weights.to_bytes()?).context("writing the weights")?;
    fs::write(how.out.join("training.json"), serde_json::to_vec_pretty(&figures)?)?;
    Ok(())
}

fn report(what: &Measure) -> Result<()> {
    let file = fs::read(&what.model).with_context(|| format!("reading {}", what.model.display()))?;
    let linear = Linear::from_bytes(&file)?;
    let thresholds: BTreeMap<_, _> =
        LABELS.iter().map(|label| ((*label).to_owned(), what.threshold)).collect();
    let report = measure::suites(&linear, &what.data, &thresholds)?;
    println!("{report}");
    fs::write(&what.out, serde_json::to_vec_pretty(&report)?)?;
    Ok(())
}
