//! What it costs to look for every kind of personal data in 10 kB of prose, figures and code.

use std::{fmt::Write, hint::black_box};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use guardengine_engine::{pii::find_all, text::Text};

const SIZE: usize = 10_000;

fn prose() -> String {
    let paragraph = "The committee met on a rainy afternoon to talk about the garden behind the library. Nobody had \
        expected so many people, and some had to stand (three of them on the stairs). The treasurer explained: seeds \
        cost little, but tools do not. In 1998 a first attempt had failed; this time, she said, it would be different.\n\n";
    paragraph.repeat(SIZE / paragraph.len() + 1)
}

fn table() -> String {
    (0..SIZE as u64 / 50).fold(String::new(), |mut rows, row| {
        let _ = writeln!(
            rows,
            "{},{},{:.2},2024-{:02}-{:02},{}",
            100_000 + row * 7919,
            row * 104_729 % 999_983_777,
            row as f64 * 3.37,
            row % 12 + 1,
            row % 28 + 1,
            row * 31
        );
        rows
    })
}

fn code() -> String {
    let function = "pub fn settle(&mut self, order: &Order) -> Result<Receipt, Error> {\n    let total: u64 = order.lines.iter().map(|line| line.price * 100).sum();\n    \
        if total == 0 {\n        return Err(Error::new(\"nothing to settle\"));\n    }\n    self.ledger.push(Entry { id: 42, amount: total });\n    Ok(Receipt::from(total))\n}\n\n";
    function.repeat(SIZE / function.len() + 1)
}

fn every_kind(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pii");
    for (name, text) in [("prose", prose()), ("table", table()), ("code", code())] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| find_all(black_box(&Text::new(&text)))));
    }
    group.finish();
}

criterion_group!(benches, every_kind);
criterion_main!(benches);
