//! The time that the multilingual encoder takes for English texts, beside today's encoder for the same texts in stretches
//! of 500 characters.
//!
//! Its weights are no part of the repository yet: `GUARDENGINE_MULTILINGUAL=FILE`, which
//! `training/multilingual/export.py` wrote.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use guardengine_classifiers::{Encoder, MultilingualEncoder, ScoreOptions};

const PARAGRAPHS: &str = include_str!("paragraphs.txt");
const WEIGHTS: &[u8] = include_bytes!("../../../models/encoder/encoder.safetensors");
const VOCABULARY: &str = include_str!("../../../models/encoder/vocab.txt");
/// Characters that today's encoder reads at a time.
const STRETCH: usize = 500;

fn english(length: usize) -> String {
    PARAGRAPHS.chars().cycle().take(length).collect()
}

fn stretches(text: &str) -> Vec<String> {
    text.chars().collect::<Vec<_>>().chunks(STRETCH).map(|stretch| stretch.iter().collect()).collect()
}

fn multilingual(criterion: &mut Criterion) {
    let Ok(path) = std::env::var("GUARDENGINE_MULTILINGUAL") else {
        eprintln!("multilingual: set GUARDENGINE_MULTILINGUAL to a weights file");
        return;
    };
    let file = std::fs::read(path).unwrap();
    let encoder = MultilingualEncoder::from_bytes(&file).unwrap();
    let today = Encoder::new(WEIGHTS, VOCABULARY).unwrap();
    let whole = ScoreOptions { exit_below: Some(f32::NEG_INFINITY), ..ScoreOptions::default() };
    let early = ScoreOptions { exit_below: Some(f32::INFINITY), ..whole };
    let mut group = criterion.benchmark_group("multilingual");
    group.sample_size(10);
    for length in [50, 1_000, 10_000, 100_000] {
        let text = english(length);
        group.throughput(Throughput::Bytes(text.len() as u64));
        for (name, options) in [("whole", whole), ("early", early)] {
            group.bench_with_input(BenchmarkId::new(name, length), &text, |bencher, text| {
                bencher.iter(|| encoder.score(&encoder.encode(black_box(text)), 0, options));
            });
        }
        group.bench_with_input(BenchmarkId::new("pieces", length), &text, |bencher, text| {
            bencher.iter(|| encoder.encode(black_box(text)));
        });
        let stretches = stretches(&text);
        group.bench_with_input(BenchmarkId::new("today", length), &stretches, |bencher, stretches| {
            bencher.iter(|| {
                stretches.iter().map(|stretch| today.log_odds(black_box(stretch), false)).collect::<Vec<_>>()
            });
        });
    }
    group
        .bench_function("load", |bencher| bencher.iter(|| MultilingualEncoder::from_bytes(black_box(&file))));
    group.finish();
}

criterion_group!(benches, multilingual);
criterion_main!(benches);
