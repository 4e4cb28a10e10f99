//! Errors of folders that cannot be loaded.

use serde_json::json;

use crate::folders::{folder, onnx_folder, open, shapes, tokenizer, write_weights};

/// Returns the error without the folder's path, or "the folder itself" if the error is about the folder.
fn load_error(folder: &tempfile::TempDir, labels: &str) -> String {
    let error = open(folder, labels).err().expect("an error").to_string();
    assert!(!error.contains('\n'), "{error}");
    error.strip_prefix(&format!("{}/", folder.path().display())).unwrap_or("the folder itself").to_owned()
}

const LABEL: &str = "INJECTION=prompt_injection";

#[test]
fn names_a_missing_file() {
    for (file, expected) in [
        ("config.json", "config.json: No such file or directory (os error 2)"),
        ("tokenizer.json", "tokenizer.json: No such file or directory (os error 2)"),
        ("model.safetensors", "the folder itself"),
    ] {
        let folder = folder("bert", |_| {});
        std::fs::remove_file(folder.path().join(file)).unwrap();
        assert_eq!(load_error(&folder, LABEL), expected);
    }
    let empty = tempfile::tempdir().unwrap();
    assert!(load_error(&empty, LABEL).starts_with("config.json: "));
}

#[test]
fn lists_the_weight_files_it_expects() {
    let folder = folder("bert", |_| {});
    std::fs::remove_file(folder.path().join("model.safetensors")).unwrap();
    let error = open(&folder, LABEL).err().unwrap().to_string();
    assert!(error.ends_with(": expected one of model.safetensors, model.onnx, onnx/model.onnx"), "{error}");
}

#[test]
fn lists_the_supported_networks() {
    let folder = folder("bert", |config| config["model_type"] = json!("llama"));
    assert_eq!(
        load_error(&folder, LABEL),
        "config.json: model_type: expected one of bert, roberta, xlm-roberta, distilbert, deberta-v2, \
         modernbert, got \"llama\""
    );
}

#[test]
fn lists_the_model_labels_when_a_mapped_label_is_unknown() {
    assert_eq!(
        load_error(&folder("bert", |_| {}), "JAILBREAK=model_jailbreak"),
        "config.json: the model has no label \"JAILBREAK\"; it has SAFE, INJECTION, TOXIC"
    );
}

#[test]
fn rejects_missing_labels_and_regression_models() {
    let without = folder("bert", |config| config["id2label"] = json!({}));
    assert_eq!(load_error(&without, LABEL), "config.json: id2label: expected at least one label");
    let gap = folder("bert", |config| config["id2label"] = json!({ "0": "SAFE", "2": "INJECTION" }));
    assert_eq!(load_error(&gap, LABEL), "config.json: id2label: expected labels numbered from 0");
    let regression = folder("bert", |config| config["problem_type"] = json!("regression"));
    assert_eq!(
        load_error(&regression, LABEL),
        "config.json: problem_type: expected a classification model, got \"regression\""
    );
}

#[test]
fn names_a_field_that_is_missing_or_invalid() {
    let missing = folder("bert", |config| drop(config.as_object_mut().unwrap().remove("hidden_size")));
    assert!(load_error(&missing, LABEL).starts_with("config.json: missing field `hidden_size`"));
    let heads = folder("deberta-v3", |config| config["num_attention_heads"] = json!(5));
    assert_eq!(
        load_error(&heads, LABEL),
        "model.safetensors: hidden_size 32 is not a multiple of num_attention_heads 5"
    );
    let buckets = folder("deberta-v3", |config| config["position_buckets"] = json!(i64::MAX));
    assert!(
        load_error(&buckets, LABEL)
            .starts_with("model.safetensors: shape mismatch for deberta.encoder.rel_emb")
    );
}

#[test]
fn names_a_tensor_that_is_missing_or_has_the_wrong_shape() {
    for kind in ["bert", "roberta", "distilbert", "deberta-v3", "deberta-v2", "modernbert"] {
        for name in shapes(kind).into_keys() {
            let folder = folder(kind, |_| {});
            let mut missing = shapes(kind);
            missing.remove(&name);
            write_weights(folder.path(), &missing);
            assert_eq!(load_error(&folder, LABEL), format!("model.safetensors: cannot find tensor {name}"));
            let mut wrong = shapes(kind);
            wrong.get_mut(&name).unwrap()[0] += 1;
            write_weights(folder.path(), &wrong);
            let error = load_error(&folder, LABEL);
            assert!(
                error.starts_with(&format!("model.safetensors: shape mismatch for {name}, expected: [")),
                "{error}"
            );
        }
    }
}

#[test]
fn rejects_damaged_weights() {
    let folder = folder("bert", |_| {});
    std::fs::write(folder.path().join("model.safetensors"), [7; 100]).unwrap();
    assert!(load_error(&folder, LABEL).starts_with("model.safetensors: "));
    let graph = onnx_folder(|_| {});
    std::fs::write(graph.path().join("model.onnx"), [7; 100]).unwrap();
    assert!(load_error(&graph, LABEL).starts_with("model.onnx: "));
}

#[test]
fn rejects_a_tokenizer_of_another_model() {
    let folder = folder("bert", |_| {});
    std::fs::write(folder.path().join("tokenizer.json"), tokenizer(50).to_string()).unwrap();
    assert_eq!(
        load_error(&folder, LABEL),
        "tokenizer.json: expected no more tokens than the model's vocabulary"
    );
}

#[test]
fn rejects_a_graph_with_more_outputs_than_labels() {
    let folder = onnx_folder(|config| config["id2label"] = json!({ "0": "SAFE", "1": "INJECTION" }));
    let error = load_error(&folder, LABEL);
    assert!(error.starts_with("model.onnx: the logits ["), "{error}");
    assert!(error.ends_with("] do not match the labels SAFE, INJECTION"), "{error}");
}
