//! Folders that cannot be used are told apart.

use serde_json::json;

use crate::folders::{folder, onnx_folder, open, shapes, tokenizer, write_weights};

fn told(folder: &tempfile::TempDir, labels: &str) -> String {
    let told = open(folder, labels).err().expect("it is refused").to_string();
    assert!(!told.contains('\n'), "{told}");
    told.strip_prefix(&format!("{}/", folder.path().display())).unwrap_or("the folder itself").to_owned()
}

const LABEL: &str = "INJECTION=prompt_injection";

#[test]
fn a_missing_file_is_named() {
    for (file, told_of) in [
        ("config.json", "config.json: No such file or directory (os error 2)"),
        ("tokenizer.json", "tokenizer.json: No such file or directory (os error 2)"),
        ("model.safetensors", "the folder itself"),
    ] {
        let folder = folder("bert", |_| {});
        std::fs::remove_file(folder.path().join(file)).unwrap();
        assert_eq!(told(&folder, LABEL), told_of);
    }
    let nothing = tempfile::tempdir().unwrap();
    assert!(told(&nothing, LABEL).starts_with("config.json: "));
}

#[test]
fn a_folder_without_weights_is_told_what_it_may_hold() {
    let folder = folder("bert", |_| {});
    std::fs::remove_file(folder.path().join("model.safetensors")).unwrap();
    let told = open(&folder, LABEL).err().unwrap().to_string();
    assert!(told.ends_with(": there is none of model.safetensors, model.onnx, onnx/model.onnx"), "{told}");
}

#[test]
fn an_unknown_network_is_told_which_are_known() {
    let folder = folder("bert", |config| config["model_type"] = json!("llama"));
    assert_eq!(
        told(&folder, LABEL),
        "config.json: model_type \"llama\" is unknown; known are bert, roberta, xlm-roberta, distilbert, \
         deberta-v2, modernbert"
    );
}

#[test]
fn a_label_that_the_model_does_not_have_is_told_which_it_has() {
    assert_eq!(
        told(&folder("bert", |_| {}), "JAILBREAK=model_jailbreak"),
        "config.json: the model has no label \"JAILBREAK\"; it has SAFE, INJECTION, TOXIC"
    );
}

#[test]
fn labels_that_config_json_does_not_name_are_missed() {
    let without = folder("bert", |config| config["id2label"] = json!({}));
    assert_eq!(told(&without, LABEL), "config.json: id2label must name the labels");
    let gap = folder("bert", |config| config["id2label"] = json!({ "0": "SAFE", "2": "INJECTION" }));
    assert_eq!(told(&gap, LABEL), "config.json: id2label must number the labels from 0");
    let regression = folder("bert", |config| config["problem_type"] = json!("regression"));
    assert_eq!(told(&regression, LABEL), "config.json: problem_type is regression: this is no classifier");
}

#[test]
fn a_field_that_is_missing_or_makes_no_sense_is_named() {
    let missing = folder("bert", |config| drop(config.as_object_mut().unwrap().remove("hidden_size")));
    assert!(told(&missing, LABEL).starts_with("config.json: missing field `hidden_size`"));
    let heads = folder("deberta-v3", |config| config["num_attention_heads"] = json!(5));
    assert_eq!(
        told(&heads, LABEL),
        "model.safetensors: hidden_size 32 is no multiple of num_attention_heads 5"
    );
    let buckets = folder("deberta-v3", |config| config["position_buckets"] = json!(i64::MAX));
    assert!(
        told(&buckets, LABEL).starts_with("model.safetensors: shape mismatch for deberta.encoder.rel_emb")
    );
}

#[test]
fn a_tensor_that_is_missing_or_of_another_shape_is_named() {
    for kind in ["bert", "roberta", "distilbert", "deberta-v3", "deberta-v2", "modernbert"] {
        for name in shapes(kind).into_keys() {
            let folder = folder(kind, |_| {});
            let mut missing = shapes(kind);
            missing.remove(&name);
            write_weights(folder.path(), &missing);
            assert_eq!(told(&folder, LABEL), format!("model.safetensors: cannot find tensor {name}"));
            let mut other = shapes(kind);
            other.get_mut(&name).unwrap()[0] += 1;
            write_weights(folder.path(), &other);
            let told = told(&folder, LABEL);
            assert!(
                told.starts_with(&format!("model.safetensors: shape mismatch for {name}, expected: [")),
                "{told}"
            );
        }
    }
}

#[test]
fn weights_that_are_damaged_are_refused() {
    let folder = folder("bert", |_| {});
    std::fs::write(folder.path().join("model.safetensors"), [7; 100]).unwrap();
    assert!(told(&folder, LABEL).starts_with("model.safetensors: "));
    let graph = onnx_folder(|_| {});
    std::fs::write(graph.path().join("model.onnx"), [7; 100]).unwrap();
    assert!(told(&graph, LABEL).starts_with("model.onnx: "));
}

#[test]
fn a_tokenizer_of_another_model_is_refused() {
    let folder = folder("bert", |_| {});
    std::fs::write(folder.path().join("tokenizer.json"), tokenizer(50).to_string()).unwrap();
    assert_eq!(told(&folder, LABEL), "tokenizer.json: it has more pieces than the model's vocabulary");
}

#[test]
fn a_graph_with_more_outputs_than_labels_is_refused() {
    let folder = onnx_folder(|config| config["id2label"] = json!({ "0": "SAFE", "1": "INJECTION" }));
    let told = told(&folder, LABEL);
    assert!(told.starts_with("model.onnx: ["), "{told}");
    assert!(told.ends_with("] is no answer for the labels SAFE, INJECTION"), "{told}");
}
