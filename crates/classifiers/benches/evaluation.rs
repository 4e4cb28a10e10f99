//! The whole evaluation of a request, every guardrail on, and its parts, one thread.
//!
//! Texts are 10 kB (the figure that matters: at least 20 MB/s for English) and 100 kB (at most 12 times as long).

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use guardengine_classifiers::{Classifier, Linear};
use guardengine_engine::{
    Evidence, RequestOptions, decide,
    detectors::detector,
    evidence::{Origin, Part},
    guardrail::Direction,
    pii::find_all,
    policy::{
        CompiledPolicy,
        document::{GuardrailConfig, Policy},
    },
    scores::Scores,
    text::Text,
};
use serde_json::json;

const PARAGRAPHS: &str = include_str!("paragraphs.txt");

fn english(length: usize) -> String {
    PARAGRAPHS.chars().cycle().take(length).collect()
}

/// The default policy with terms and a pattern, so that nothing is left out.
fn everything() -> CompiledPolicy {
    let mut policy = Policy::built_in();
    for (guardrail, setting, value) in [
        ("confidential_terms", "terms", json!(["project aurora"])),
        ("custom_regex", "patterns", json!([{ "name": "ticket", "pattern": r"TICKET-\d{6}" }])),
    ] {
        let mut item = GuardrailConfig::of(detector(guardrail).unwrap().guardrail());
        item.settings.set(setting, value);
        policy.guardrails.push(item);
    }
    policy.blocked_keywords = vec!["forbidden word".into()];
    policy.max_prompt_length = 1_000_000;
    CompiledPolicy::compile(&policy).unwrap()
}

fn part(text: &str) -> Part<'_> {
    Part::new(Origin::Subject, Text::new(text))
}

fn evidence(text: &str) -> Evidence<'_> {
    let parts = vec![part(text)];
    let pii = vec![find_all(&parts[0].text)];
    Evidence::new(Direction::Input, parts, pii, Scores::default())
}

fn whole(criterion: &mut Criterion) {
    let policy = everything();
    let mut group = criterion.benchmark_group("evaluation");
    for length in [1_000, 10_000, 100_000] {
        let text = english(length);
        group.throughput(Throughput::Bytes(length as u64));
        group.bench_function(format!("whole/{length}"), |bencher| {
            bencher.iter(|| {
                let mut evidence = evidence(black_box(&text));
                evidence.scores = Linear::embedded().score(&evidence.parts).unwrap();
                decide(&policy, &evidence, RequestOptions::default())
            });
        });
    }
    group.finish();
}

fn parts(criterion: &mut Criterion) {
    let (policy, text) = (everything(), english(10_000));
    let mut group = criterion.benchmark_group("part");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("views", |bencher| bencher.iter(|| Text::new(black_box(&text))));
    let mut read = evidence(&text);
    group.bench_function("pii", |bencher| bencher.iter(|| find_all(black_box(&read.parts[0].text))));
    group.bench_function("scores", |bencher| {
        bencher.iter(|| Linear::embedded().score(black_box(&read.parts)));
    });
    read.scores = Linear::embedded().score(&read.parts).unwrap();
    group.bench_function("decision", |bencher| {
        // What a text remembers once it was read must not be read for free.
        let again =
            || Evidence::new(read.direction, vec![part(&text)], read.pii.clone(), read.scores.clone());
        bencher.iter_batched_ref(
            again,
            |read| decide(&policy, black_box(read), RequestOptions::default()),
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

criterion_group!(benches, whole, parts);
criterion_main!(benches);
