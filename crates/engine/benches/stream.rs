//! Cost of masking 100 kB that arrive in chunks of 20 characters, beside masking them as a whole.

use std::{hint::black_box, sync::Arc};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use guardengine_engine::{
    pii::{
        Entity, find_all,
        mask::{MaskKeys, Strategy, mask},
    },
    stream::{Incremental as _, MaskOptions, MaskStream},
    text::Text,
};

#[path = "../src/stream/tests/samples.rs"]
mod samples;

use samples::{PROSE, SENTENCES};

const SIZE: usize = 100_000;
const CHUNK: usize = 20;

fn is_certain(entity: &Entity) -> bool {
    entity.confidence >= 0.5
}

fn keys() -> MaskKeys {
    MaskKeys::new(&[7; 32])
}

fn whole(text: &str) -> String {
    let found: Vec<_> = find_all(&Text::new(text)).into_iter().filter(is_certain).collect();
    mask(text, &found, Strategy::Full, &keys()).text
}

fn streamed(chunks: &[String]) -> String {
    let mut stream = MaskStream::new(MaskOptions {
        strategies: Strategy::Full.into(),
        keys: keys(),
        selects: Box::new(is_certain),
        custom: Arc::default(),
    });
    let mut text: String = chunks.iter().map(|chunk| stream.feed(chunk).text).collect();
    text.push_str(&stream.finish().text);
    text
}

fn masking(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stream");
    group.sample_size(10);
    let (prose, mixed) = (PROSE.concat(), [PROSE.concat(), SENTENCES.concat()].concat());
    for (name, sample) in [("prose", prose), ("mixed", mixed)] {
        let characters: Vec<char> = sample.chars().cycle().take(SIZE).collect();
        let chunks: Vec<String> = characters.chunks(CHUNK).map(|chunk| chunk.iter().collect()).collect();
        let text = chunks.concat();
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(format!("{name}/whole"), |bencher| bencher.iter(|| whole(black_box(&text))));
        group.bench_function(format!("{name}/arriving"), |bencher| {
            bencher.iter(|| streamed(black_box(&chunks)));
        });
    }
    group.finish();
}

criterion_group!(benches, masking);
criterion_main!(benches);
