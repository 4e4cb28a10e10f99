//! Measures topics: how many unseen texts of a topic are found by a few examples, and how many other texts.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    thread,
};

use anyhow::{Context, Result, ensure};
use clap::Args;
use guardengine_classifiers::{MultilingualClassifier, embedded};
use guardengine_engine::topics::{TextVector, Topic, Topics};
use guardengine_evaluation::read;
use serde::Deserialize;

use crate::readings::{in_parallel, origin};

/// Examples that a topic is fitted to, in turn.
const EXAMPLES: [usize; 4] = [3, 5, 10, 20];
/// Confidences at which texts are counted.
const THRESHOLDS: [f32; 3] = [0.3, 0.5, 0.7];
/// Texts of a topic at least.
const LEAST: usize = 40;

/// Texts of known topics, and others.
#[derive(Args)]
pub struct MeasureTopics {
    /// Lines of JSON with `text` and `note`, the name of its topic.
    #[arg(long)]
    topics: PathBuf,
    /// Directories or files of labeled texts, in the same language and about no topic.
    #[arg(long, required = true)]
    harmless: Vec<PathBuf>,
    /// Texts of a file at most, evenly spread.
    #[arg(long, default_value_t = 400)]
    each: usize,
}

#[derive(Deserialize)]
struct Line {
    text: String,
    note: String,
}

/// Sums over topics.
#[derive(Default)]
struct Counts {
    topics: f64,
    recall: f64,
    expected: f64,
    /// Shares of the texts of other topics, then those of each suite of harmless texts.
    flagged: BTreeMap<String, f64>,
}

impl MeasureTopics {
    /// Prints a line for each number of examples and each threshold.
    pub fn run(&self) -> Result<()> {
        let topics = by_topic(&self.topics)?;
        ensure!(!topics.is_empty(), "no topic has {LEAST} texts");
        let classifier = embedded();
        let texts: Vec<_> = topics.values().flatten().map(|text| ("user", text.as_str())).collect();
        let mut vectors = vectors(classifier, &texts)?.into_iter();
        let topics: Vec<(&Vec<String>, Vec<TextVector>)> =
            topics.values().map(|texts| (texts, vectors.by_ref().take(texts.len()).collect())).collect();
        let harmless = self.harmless(classifier)?;
        for count in EXAMPLES {
            for threshold in THRESHOLDS {
                println!(
                    "{count} examples, threshold {threshold}: {}",
                    measure(&topics, &harmless, count, threshold)?
                );
            }
        }
        Ok(())
    }

    /// Returns the vectors of harmless texts by their suites.
    fn harmless(&self, classifier: &MultilingualClassifier) -> Result<BTreeMap<String, Vec<TextVector>>> {
        let mut suites = BTreeMap::new();
        for path in &self.harmless {
            let rows: Vec<_> = read(path)?.into_iter().filter(|row| row.labels.is_empty()).collect();
            let step = rows.len().div_ceil(self.each).max(1);
            let chosen: Vec<_> = rows.iter().step_by(step).map(|row| (&*row.role, &*row.text)).collect();
            suites.insert(path.display().to_string(), vectors(classifier, &chosen)?);
        }
        Ok(suites)
    }
}

/// Returns the texts of each topic that has enough.
fn by_topic(path: &Path) -> Result<BTreeMap<String, Vec<String>>> {
    let lines = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let mut topics: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in lines.lines() {
        let Line { text, note } = serde_json::from_str(line)?;
        topics.entry(note).or_default().push(text);
    }
    topics.retain(|_, texts| texts.len() >= LEAST);
    Ok(topics)
}

/// Returns the vectors of texts in their roles.
fn vectors(classifier: &MultilingualClassifier, texts: &[(&str, &str)]) -> Result<Vec<TextVector>> {
    let cores = thread::available_parallelism()?.get();
    let read = |(role, text): &(&str, &str)| classifier.text_vector(origin(role), text);
    Ok(in_parallel(texts, cores, read).into_iter().collect::<Result<_, _>>()?)
}

fn measure(
    topics: &[(&Vec<String>, Vec<TextVector>)],
    harmless: &BTreeMap<String, Vec<TextVector>>,
    count: usize,
    threshold: f32,
) -> Result<String> {
    let mut counts = Counts::default();
    for (at, (texts, vectors)) in topics.iter().enumerate() {
        let topic =
            Topic { name: String::new(), examples: texts[..count].to_vec(), counterexamples: Vec::new() };
        let mut fitted = Topics::new(vec![topic], threshold);
        fitted.fit(embedded())?;
        let flagged = |vectors: &[TextVector]| share_flagged(&fitted, vectors, threshold);
        counts.topics += 1.0;
        counts.recall += flagged(&vectors[count..]);
        counts.expected += fitted.expected_false_positives().map(|(_, share)| f64::from(share)).sum::<f64>();
        let others = topics.iter().enumerate().filter(|(other, _)| *other != at);
        let others: Vec<_> = others.flat_map(|(_, (_, vectors))| vectors.iter().take(5).cloned()).collect();
        *counts.flagged.entry("other topics".to_owned()).or_default() += flagged(&others);
        for (suite, vectors) in harmless {
            *counts.flagged.entry(suite.clone()).or_default() += flagged(vectors);
        }
    }
    Ok(counts.line())
}

fn share_flagged(topics: &Topics, vectors: &[TextVector], threshold: f32) -> f64 {
    let is_flagged = |vector: &&TextVector| {
        let mut highest: f32 = 0.0;
        topics.score(&vector.numbers, |_, confidence| highest = highest.max(confidence));
        highest >= threshold
    };
    vectors.iter().filter(is_flagged).count() as f64 / vectors.len().max(1) as f64
}

impl Counts {
    fn line(&self) -> String {
        let mean = |sum: f64| 100.0 * sum / self.topics;
        let found = format!("recall {:.1} %, expected {:.2} %", mean(self.recall), mean(self.expected));
        let flagged = self.flagged.iter().map(|(suite, sum)| format!("{suite} {:.2} %", mean(*sum)));
        std::iter::once(found).chain(flagged).collect::<Vec<_>>().join(", ")
    }
}
