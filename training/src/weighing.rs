//! Weights of the examples for each label.

use std::collections::BTreeMap;

use guardengine_classifiers::CASCADE_LABELS;

use crate::{corpus::Labelled, example::Example};

/// Sources that count more or less than their size suggests, with the reason.
const SOURCES: [(&str, f32, &str); 12] = [
    ("mlma", 0.3, "loose labels, toxicity over-marked"),
    ("t_davidson", 0.5, "loose offensive class"),
    ("madlibs_templates", 0.4, "templates"),
    ("xsafety", 0.6, "translated by machine; labels approximate"),
    ("cold_zh", 0.6, "opinions marked as offensive"),
    ("redditbias", 0.4, "votes on single sentences"),
    ("hatemoji_build", 1.5, "written against shortcuts, with counter-cases"),
    ("corpus_near_misses", 3.0, "harmless words that other sources have in attacks alone"),
    ("synthetic_hard_benign", 1.5, "harmless texts with alarming words"),
    ("made_document", 0.7, "made from texts that count already"),
    ("made_planted", 0.7, "made from texts that count already"),
    ("made_mistyped", 0.4, "made from texts that count already"),
];

/// Number of texts above which those of a source count less.
const MANY: f32 = 3_000.0;

/// Weight of texts that we wrote ourselves: each is a case of its own, with its harmless twins.
const OURS: f32 = 2.5;

/// Labels for which a source counts more or less than for others, with the reason.
const SOURCE_AND_LABEL: [(&str, &str, f32, &str); 9] = [
    ("mlma", "toxicity", 0.2, "nearly every tweet is marked"),
    ("t_davidson", "toxicity", 0.4, "offensive where only coarse"),
    ("vicomtech_stormfront", "toxicity", 0.3, "marked because hateful, often in polite words"),
    ("edos", "toxicity", 0.5, "marked because sexist, often in polite words"),
    ("cold_zh", "toxicity", 0.4, "opinions on groups"),
    ("redditbias", "bias", 0.6, "votes on single sentences"),
    ("xsafety", "toxicity", 0.4, "requests to insult somebody, seldom insults"),
    ("teleantifraud", "fraud", 0.6, "dialogues of one make"),
    ("vicomtech_stormfront", "hate_speech", 1.5, "written by people, judged sentence by sentence"),
];

/// Labels that single words barely indicate, so that their many small weights need less decay.
const DECAYS: [(&str, f32); 4] =
    [("bias", 0.15), ("hate_speech", 0.15), ("toxicity", 0.5), ("violence", 0.5)];

/// Returns the decay of each label's weights.
pub fn decays(decay: f32) -> [f32; CASCADE_LABELS.len()] {
    CASCADE_LABELS
        .map(|label| decay * DECAYS.iter().find(|(of, _)| *of == label).map_or(1.0, |(_, factor)| *factor))
}

/// Returns the weight of each label for each example: knowledge, source, and rarity of the label.
pub fn weights(examples: &[&Example]) -> Vec<[f32; CASCADE_LABELS.len()]> {
    let by_source = shares(examples.iter().map(|example| example.source.as_str()));
    let rarity = rarity(examples, &by_source);
    let weigh = |(example, source): (&&Example, &f32)| {
        std::array::from_fn(|label| {
            let target = example.targets[label];
            let special = special(&example.source, CASCADE_LABELS[label]);
            source * special * target.weight * if target.holds { rarity[label] } else { 1.0 }
        })
    };
    examples.iter().zip(&by_source).map(weigh).collect()
}

/// Returns the sampling rate of each text according to its source; 1 is one draw per text.
pub fn shares<'s>(sources: impl Iterator<Item = &'s str> + Clone) -> Vec<f32> {
    let mut sizes: BTreeMap<&str, f32> = BTreeMap::new();
    for source in sources.clone() {
        *sizes.entry(source).or_default() += 1.0;
    }
    sources.map(|name| source(name, sizes[name])).collect()
}

/// Returns the weight of the knowledge about a label for a text, regardless of its sampling rate.
pub fn known(text: &Labelled, label: usize) -> f32 {
    special(&text.source, CASCADE_LABELS[label]) * text.targets[label].weight
}

fn special(source: &str, label: &str) -> f32 {
    let listed = SOURCE_AND_LABEL.iter().find(|(from, of, ..)| *from == source && *of == label);
    listed.map_or(1.0, |(.., factor, _)| *factor)
}

fn source(name: &str, size: f32) -> f32 {
    let listed = SOURCES.iter().find(|(source, ..)| *source == name).map_or(1.0, |(_, weight, _)| *weight);
    let ours = if is_ours(name) { OURS } else { 1.0 };
    listed * ours * (MANY / size).sqrt().min(1.0)
}

/// Returns true if a source is one of the files that we wrote text by text.
pub fn is_ours(source: &str) -> bool {
    const FILES: [&str; 7] =
        ["commerce", "conduct", "documents", "everyday", "harm", "injection", "jailbreak"];
    const FAMILIES: [&str; 5] = ["corpus_", "attacks_", "commerce_", "conduct_", "harm_"];
    FILES.contains(&source) || FAMILIES.iter().any(|family| source.starts_with(family))
}

/// Returns true if the harmless texts of a source are near misses: twins of attacks.
pub fn is_hard(source: &str) -> bool {
    is_ours(source) || source.starts_with("grammar_")
}

/// Returns the factor of each label's positives: the square root of a twentieth of all texts over the label's
/// positives.
fn rarity(examples: &[&Example], by_source: &[f32]) -> [f32; CASCADE_LABELS.len()] {
    let total: f32 = by_source.iter().sum();
    std::array::from_fn(|label| {
        let those = examples.iter().zip(by_source).filter(|(example, _)| example.targets[label].holds);
        let sum: f32 = those.map(|(_, weight)| weight).sum();
        (total / 20.0 / sum.max(1.0)).sqrt().clamp(1.0, 4.0)
    })
}
