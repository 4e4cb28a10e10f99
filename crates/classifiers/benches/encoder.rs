//! How long the encoder takes over English texts, and its WordPiece beside the one of the `tokenizers` crate.
//!
//! With `GUARDENGINE_ONNX=DIR`, the folder that `training/encoder/onnx.py` wrote, beside the same weights run by `rten`.

use std::{hint::black_box, path::Path, sync::Arc};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use guardengine_classifiers::{Encoder, PIECES, in_english, wordpiece};
use rten::{Model, ModelOptions, RunOptions, ThreadPool};
use rten_tensor::NdTensor;
use tokenizers::{
    NormalizerWrapper, Tokenizer, models::wordpiece::WordPiece, normalizers::BertNormalizer,
    pre_tokenizers::bert::BertPreTokenizer,
};

const PARAGRAPHS: &str = include_str!("paragraphs.txt");
const WEIGHTS: &[u8] = include_bytes!("../../../models/encoder/encoder.safetensors");
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
    let encoder = Encoder::new(WEIGHTS, VOCABULARY).unwrap();
    let graphs = std::env::var("GUARDENGINE_ONNX").ok().map(|folder| Graphs::new(Path::new(&folder)));
    let mut group = criterion.benchmark_group("encoder");
    for length in [50, 100, 250, 500] {
        let text = english(length);
        group.throughput(Throughput::Bytes(length as u64));
        group.bench_with_input(BenchmarkId::from_parameter(length), &text, |bencher, text| {
            bencher.iter(|| encoder.log_odds(black_box(text), false));
        });
        group.bench_with_input(BenchmarkId::new("early", length), &text, |bencher, text| {
            bencher.iter(|| encoder.begin(black_box(text), false));
        });
        if let Some(graphs) = &graphs {
            group.bench_with_input(BenchmarkId::new("rten", length), &text, |bencher, text| {
                bencher.iter(|| graphs.log_odds(black_box(text)));
            });
        }
    }
    group.finish();
}

/// The same network as ONNX.
struct Graphs {
    first: Model,
    rest: Model,
    pieces: wordpiece::WordPiece,
    alone: Arc<ThreadPool>,
}

impl Graphs {
    fn new(folder: &Path) -> Self {
        let mut options = ModelOptions::with_all_ops();
        options.prepack_weights(true);
        let load = |name| options.load_file(folder.join(name)).unwrap();
        Self {
            first: load("first.onnx"),
            rest: load("rest.onnx"),
            pieces: wordpiece::WordPiece::new(VOCABULARY).unwrap(),
            alone: Arc::new(ThreadPool::with_num_threads(1)),
        }
    }

    fn log_odds(&self, text: &str) -> NdTensor<f32, 2> {
        let pieces: Vec<_> =
            self.pieces.encode(text, false, PIECES).into_iter().map(u32::cast_signed).collect();
        let ids = NdTensor::from_data([1, pieces.len()], pieces);
        let options = || Some(RunOptions::default().with_thread_pool(Some(Arc::clone(&self.alone))));
        let outputs = ["early", "states"].map(|name| self.first.node_id(name).unwrap());
        let inputs = vec![(self.first.node_id("ids").unwrap(), ids.into())];
        let [_early, states] = self.first.run_n(inputs, outputs, options()).unwrap();
        let inputs = vec![(self.rest.node_id("states").unwrap(), states.into())];
        let outputs = [self.rest.node_id("logits").unwrap()];
        let [logits] = self.rest.run_n(inputs, outputs, options()).unwrap();
        logits.try_into().unwrap()
    }
}

fn theirs() -> Tokenizer {
    let pieces = WordPiece::from_file(FILE).build().unwrap();
    let mut tokenizer = Tokenizer::new(pieces);
    let normalizer = NormalizerWrapper::BertNormalizer(BertNormalizer::new(true, true, None, true));
    tokenizer.with_normalizer(Some(normalizer)).unwrap();
    tokenizer.with_pre_tokenizer(Some(BertPreTokenizer));
    tokenizer
}

fn pieces(criterion: &mut Criterion) {
    let (ours, theirs) = (wordpiece::WordPiece::new(VOCABULARY).unwrap(), theirs());
    let mut group = criterion.benchmark_group("pieces");
    for length in [100, 1_000, 10_000] {
        let text = english(length);
        group.throughput(Throughput::Bytes(length as u64));
        group.bench_with_input(BenchmarkId::new("ours", length), &text, |bencher, text| {
            bencher.iter(|| ours.encode(black_box(text), false, usize::MAX));
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
