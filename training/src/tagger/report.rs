//! Quality of models on sources left out of their fit, and the sharpness that suits unseen words.

use std::collections::{BTreeMap, BTreeSet};

use guardengine_engine::pii::tagger::{tag::EntityClass, tagged, weights::Weights};
use guardengine_evaluation::{
    pii::{KindReport, kinds},
    suite::Marked,
};

use super::{
    corpus::Text,
    example::Example,
    fit::{Model, fit, surprise},
    scale::quantized,
};

/// Metrics by source and PII type.
pub type Figures = BTreeMap<String, Vec<KindReport>>;

/// Languages whose names begin with a capital letter of the Latin script; the tagger looks at no others.
const LATIN: [&str; 9] = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr"];

/// Lowest confidence of a finding that counts.
const FOUND: f32 = 0.5;

/// Fits a model without each source, measures it there, and returns the sharpness with the lowest loss on unseen words.
pub fn unseen(texts: &[Text], examples: &[Example], seed: u64) -> (Figures, f32) {
    let sources: BTreeSet<&str> = texts.iter().map(|text| text.source.as_str()).collect();
    let mut figures = Figures::new();
    let mut surprises = [0.0; SHARPNESSES.len()];
    for source in sources {
        let model = fit(examples.iter().filter(|example| example.source != source), seed);
        let own: Vec<&Example> = examples.iter().filter(|example| example.source == source).collect();
        add_surprises(&model, &own, &mut surprises);
        let own: Vec<&Text> = texts
            .iter()
            .filter(|text| text.source == source && LATIN.contains(&text.lang.as_str()))
            .collect();
        figures.insert(source.to_owned(), tried(&quantized(&model, 1.0), &own));
    }
    let least = surprises.iter().zip(SHARPNESSES).min_by(|one, other| one.0.total_cmp(other.0));
    (figures, least.map_or(1.0, |(_, sharpness)| sharpness))
}

const SHARPNESSES: [f32; 9] = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// Adds the mean losses of a source. Each source counts the same, whatever its length.
fn add_surprises(model: &Model, own: &[&Example], surprises: &mut [f32]) {
    for (surprise_at, sharpness) in surprises.iter_mut().zip(SHARPNESSES) {
        let all: f32 = own.iter().map(|example| surprise(model, example, sharpness)).sum();
        *surprise_at += all / own.len() as f32;
    }
}

fn tried(file: &[u8], texts: &[&Text]) -> Vec<KindReport> {
    let weights = Weights::read(file).expect("it was just written");
    let spans: Vec<_> = texts.iter().map(|text| (found(&weights, text), wanted(text))).collect();
    let spans: Vec<_> = spans.iter().map(|(found, marked)| (found.as_slice(), marked.as_slice())).collect();
    kinds(&spans)
}

fn found(weights: &Weights<'_>, text: &Text) -> Vec<Marked> {
    let all = tagged(weights, &text.text).into_iter().filter(|one| one.confidence >= FOUND);
    all.map(|one| mark(one.span.start, one.span.end, one.entity)).collect()
}

fn wanted(text: &Text) -> Vec<Marked> {
    let marks = text.marks.iter();
    marks.filter_map(|one| Some(mark(one.span.start, one.span.end, one.entity()?))).collect()
}

fn mark(start: usize, end: usize, entity: EntityClass) -> Marked {
    let kind = match entity {
        EntityClass::Person => "person_name",
        EntityClass::Address => "address",
        EntityClass::Username => "username",
        EntityClass::Organization => "organization",
        EntityClass::Location => "place",
    };
    Marked { start, end, kind: kind.to_owned() }
}
