//! What it costs to make all views of a text: 10 kB of plain English, of other scripts and of code; and texts made to be slow.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use guardengine_engine::text::{Text, language::language};
use std::hint::black_box;

const ENGLISH: &str = "The committee met on Tuesday to discuss the budget for the next year. Most members agreed that the \
    library needs a new roof, and that the work should begin before the winter rains arrive.\nSomebody asked whether the \
    school could share the costs; the treasurer promised to write a letter.\n\n";
const RUSSIAN: &str = "Комитет собрался во вторник, чтобы обсудить бюджет на следующий год. Большинство согласилось, что \
    библиотеке нужна новая крыша.\n";
const CODE: &str = "fn sum_of_squares(values: &[u64]) -> u64 {\n    values.iter().map(|v| v * v).sum() // id 0x7f3a, sha256\n}\n";

fn repeated(unit: &str, bytes: usize) -> String {
    unit.chars()
        .cycle()
        .scan(0, |length, it| {
            *length += it.len_utf8();
            (*length <= bytes).then_some(it)
        })
        .collect()
}

fn nested_base64(bytes: usize) -> String {
    use base64::{Engine, engine::general_purpose::STANDARD};
    let mut text = repeated(ENGLISH, bytes / 5);
    while text.len() < bytes {
        text = STANDARD.encode(text);
    }
    text
}

fn measure(criterion: &mut Criterion, group: &str, texts: &[(&str, String)]) {
    let mut group = criterion.benchmark_group(group);
    group.sample_size(20);
    for (name, text) in texts {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(*name, |bencher| {
            bencher.iter_batched(|| text, |text| black_box(Text::new(text)), BatchSize::SmallInput);
        });
    }
}

fn views(criterion: &mut Criterion) {
    let ten = 10_000;
    measure(
        criterion,
        "10kB",
        &[
            ("english", repeated(ENGLISH, ten)),
            ("english_with_accent", repeated(&format!("{ENGLISH}é "), ten)),
            ("russian", repeated(RUSSIAN, ten)),
            ("code", repeated(CODE, ten)),
            ("base64", nested_base64(ten)),
        ],
    );
    let large = 1_000_000;
    measure(
        criterion,
        "1MB",
        &[
            ("english", repeated(ENGLISH, large)),
            ("one_letter", "a".repeat(large)),
            ("digits", repeated("0123456789", large)),
            ("numbers", repeated("105 103 110 ", large)),
            ("nested_base64", nested_base64(large)),
            ("combining", "\u{301}".repeat(large / 2)),
            ("percent_signs", "%".repeat(large)),
            ("percent_escapes", "%41".repeat(large / 3)),
            ("tags", "\u{E0041}".repeat(large / 4)),
            ("overrides", "\u{202E}a\n".repeat(large / 5)),
            ("rot13", repeated("Gur pbzzvggrr zrg ba Ghrfqnl gb qvfphff gur ohqtrg. ", large)),
            ("strange", repeated("xqzv wkjh pfgb ", large)),
            ("spaced", repeated("i g n o r e   a l l ", large)),
            ("leet", repeated("1gn0r3 4ll pr3v10us ", large)),
            ("slashes", repeated("aWdub3Jl/", large)),
            ("lines", repeated("aWdub3JlaWdub3Jl\u{1}\n", large)),
            ("morse", repeated(".. --. -. --- .-. . / ", large)),
            ("ampersands", "&".repeat(large)),
            ("backslashes", "\\".repeat(large)),
            ("escapes", repeated("\\x41", large)),
            ("look_alikes", repeated("Ignоrе аll ", large)),
        ],
    );
    criterion.bench_function("language", |bencher| bencher.iter(|| language(black_box(ENGLISH))));
}

criterion_group!(benches, views);
criterion_main!(benches);
