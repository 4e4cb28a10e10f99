//! How long the encoder takes over English texts, and its WordPiece beside the one of the `tokenizers` crate.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use guardengine_classifiers::{Encoder, in_english, wordpiece::WordPiece};
use tokenizers::{
    NormalizerWrapper, Tokenizer, models::wordpiece, normalizers::BertNormalizer,
    pre_tokenizers::bert::BertPreTokenizer,
};

const PARAGRAPHS: &str = include_str!("paragraphs.txt");
const FIRST: &[u8] = include_bytes!("../../../models/encoder/first.onnx");
const REST: &[u8] = include_bytes!("../../../models/encoder/rest.onnx");
const VOCABULARY: &str = include_str!("../../../models/encoder/vocab.txt");
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/encoder/vocab.txt");

const TONGUES: [(&str, &str); 4] = [
    ("english", "The committee met on Tuesday to go through the budget for the coming year. "),
    ("german", "Der Ausschuss traf sich am Dienstag, um den Haushalt für das kommende Jahr zu beraten. "),
    ("chinese", "委员会周二开会讨论明年的预算，并决定推迟购买新设备。"),
    ("russian", "Комитет собрался во вторник, чтобы обсудить бюджет на следующий год. "),
];

fn english(length: usize) -> String {
    PARAGRAPHS.chars().cycle().take(length).collect()
}

fn encoder(criterion: &mut Criterion) {
    let encoder = Encoder::new(FIRST.into(), REST.into(), VOCABULARY).unwrap();
    let mut group = criterion.benchmark_group("encoder");
    for length in [50, 100, 250, 500] {
        let text = english(length);
        group.throughput(Throughput::Bytes(length as u64));
        group.bench_with_input(BenchmarkId::from_parameter(length), &text, |bencher, text| {
            bencher.iter(|| encoder.log_odds(black_box(text)));
        });
        group.bench_with_input(BenchmarkId::new("early", length), &text, |bencher, text| {
            bencher.iter(|| encoder.begin(black_box(text)));
        });
    }
    group.finish();
}

fn theirs() -> Tokenizer {
    let pieces = wordpiece::WordPiece::from_file(FILE).build().unwrap();
    let mut tokenizer = Tokenizer::new(pieces);
    let normalizer = NormalizerWrapper::BertNormalizer(BertNormalizer::new(true, true, None, true));
    tokenizer.with_normalizer(Some(normalizer)).unwrap();
    tokenizer.with_pre_tokenizer(Some(BertPreTokenizer));
    tokenizer
}

fn pieces(criterion: &mut Criterion) {
    let (ours, theirs) = (WordPiece::new(VOCABULARY).unwrap(), theirs());
    let mut group = criterion.benchmark_group("pieces");
    for length in [100, 1_000, 10_000] {
        let text = english(length);
        group.throughput(Throughput::Bytes(length as u64));
        group.bench_with_input(BenchmarkId::new("ours", length), &text, |bencher, text| {
            bencher.iter(|| ours.encode(black_box(text), usize::MAX));
        });
        group.bench_with_input(BenchmarkId::new("tokenizers", length), &text, |bencher, text| {
            bencher.iter(|| theirs.encode(black_box(text.as_str()), true));
        });
    }
    group.finish();
}

/// What stands in the way of the encoder: telling the language, and the gloss.
fn gloss(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("gloss");
    for (language, sentence) in TONGUES {
        let text: String =
            sentence.chars().cycle().take(sentence.chars().count() * 500 / sentence.len()).collect();
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(language), &text, |bencher, text| {
            bencher.iter(|| in_english(black_box(text)));
        });
    }
    group.finish();
}

criterion_group!(benches, encoder, pieces, gloss);
criterion_main!(benches);
