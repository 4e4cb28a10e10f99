//! How long the linear model takes over English texts of 100 characters, 1 kB and 10 kB.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use guardengine_classifiers::{Classifier, Linear};
use guardengine_engine::{
    evidence::{Origin, Part},
    text::Text,
};

const PARAGRAPHS: &str = include_str!("paragraphs.txt");

fn english(length: usize) -> String {
    PARAGRAPHS.chars().cycle().take(length).collect()
}

fn linear(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("linear");
    for length in [100, 1_000, 10_000] {
        let text = english(length);
        let parts = [Part::new(Origin::Subject, Text::new(&text))];
        group.throughput(Throughput::Bytes(length as u64));
        group.bench_with_input(BenchmarkId::from_parameter(length), &parts, |bencher, parts| {
            bencher.iter(|| Linear::embedded().score(black_box(parts)));
        });
    }
    group.finish();
}

criterion_group!(benches, linear);
criterion_main!(benches);
