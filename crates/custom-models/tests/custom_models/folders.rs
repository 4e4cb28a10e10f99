//! Folders with small models in the Hugging Face format.

use std::{collections::BTreeMap, fs, path::Path, sync::LazyLock};

use guardengine_custom_models::{Error, LocalModel};
use safetensors::{Dtype, tensor::TensorView};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Logits computed by Hugging Face's code, written by `reference/make.py`.
pub static EXPECTED: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("reference/expected.json")).unwrap());

pub const ONNX: &[u8] = include_bytes!("reference/model.onnx");

/// Creates a folder with a model of `kind`. `change` edits its configuration.
pub fn folder(kind: &str, change: impl FnOnce(&mut Value)) -> TempDir {
    let folder = folder_without_weights(&EXPECTED["kinds"][kind]["config"], change);
    write_weights(folder.path(), &shapes(kind));
    folder
}

/// Creates a folder with a model in ONNX.
pub fn onnx_folder(change: impl FnOnce(&mut Value)) -> TempDir {
    let labels = json!({ "0": "SAFE", "1": "INJECTION", "2": "TOXIC" });
    let folder = folder_without_weights(&json!({ "model_type": "anything", "id2label": labels }), change);
    fs::write(folder.path().join("model.onnx"), ONNX).unwrap();
    folder
}

fn folder_without_weights(config: &Value, change: impl FnOnce(&mut Value)) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config.clone();
    change(&mut config);
    fs::write(folder.path().join("config.json"), config.to_string()).unwrap();
    fs::write(folder.path().join("tokenizer.json"), tokenizer(34).to_string()).unwrap();
    folder
}

pub fn open(folder: &TempDir, labels: &str) -> Result<LocalModel, Error> {
    LocalModel::open(folder.path(), labels.parse().unwrap())
}

/// Returns the shapes of a model's tensors by name.
pub fn shapes(kind: &str) -> BTreeMap<String, Vec<usize>> {
    serde_json::from_value(EXPECTED["kinds"][kind]["tensors"].clone()).unwrap()
}

pub fn write_weights(folder: &Path, shapes: &BTreeMap<String, Vec<usize>>) {
    let bytes: Vec<_> =
        shapes.iter().map(|(name, shape)| (name, shape, weight(name, shape.iter().product()))).collect();
    let views = bytes
        .iter()
        .map(|(name, shape, bytes)| (*name, TensorView::new(Dtype::F32, (*shape).clone(), bytes).unwrap()));
    safetensors::serialize_to_file(views, None, &folder.join("model.safetensors")).unwrap();
}

/// Returns the values of a tensor, generated from its name in the same way as in `reference/make.py`.
fn weight(name: &str, count: usize) -> Vec<u8> {
    let hash = |state: u32, byte: u8| (state ^ u32::from(byte)).wrapping_mul(16_777_619);
    let mut state = name.bytes().fold(2_166_136_261, hash);
    let is_norm = name.to_lowercase().contains("norm") && name.ends_with(".weight");
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let value = (f64::from(state >> 8) / f64::from(1 << 24) - 0.5) * 0.6;
        (f64::from(u8::from(is_norm)) + value) as f32
    };
    (0..count).flat_map(|_| next().to_le_bytes()).collect()
}

/// A tokenizer with the words `w0`, `w1`, …; other words become `w0`. A text starts with token 34 and ends with 35.
pub fn tokenizer(words: usize) -> Value {
    let mut ids: BTreeMap<String, usize> = (0..words).map(|word| (format!("w{word}"), word)).collect();
    ids.extend([("[CLS]".to_owned(), 34), ("[SEP]".to_owned(), 35)]);
    let special = |id: &str| json!({ "SpecialToken": { "id": id, "type_id": 0 } });
    let text = json!({ "Sequence": { "id": "A", "type_id": 0 } });
    let single = json!([special("[CLS]"), text, special("[SEP]")]);
    let special_token = |token: &str, id: usize| json!({ "id": token, "ids": [id], "tokens": [token] });
    json!({
        "version": "1.0",
        "truncation": null,
        "padding": { "strategy": { "Fixed": 48 }, "direction": "Right", "pad_to_multiple_of": null,
            "pad_id": 0, "pad_type_id": 0, "pad_token": "w0" },
        "added_tokens": [],
        "normalizer": null,
        "pre_tokenizer": { "type": "WhitespaceSplit" },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": single,
            "pair": single,
            "special_tokens": { "[CLS]": special_token("[CLS]", 34), "[SEP]": special_token("[SEP]", 35) },
        },
        "decoder": null,
        "model": { "type": "WordLevel", "vocab": ids, "unk_token": "w0" },
    })
}
