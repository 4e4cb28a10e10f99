//! ONNX models.

use guardengine_custom_models::Model as _;

use crate::folders::{ONNX, onnx_folder, open};

#[test]
fn provides_the_inputs_of_the_graph() {
    let model = open(&onnx_folder(|_| {}), "INJECTION=prompt_injection").unwrap();
    let logits = model.logits("w5 w9").unwrap();
    let mean = (34.0 + 5.0 + 9.0 + 35.0) / 40.0;
    assert!((logits[0] - mean).abs() < 1e-5 && (logits[1] - 1.0).abs() < 1e-5, "{logits:?}");
}

#[test]
fn finds_the_graph_in_the_onnx_folder() {
    let folder = onnx_folder(|_| {});
    std::fs::create_dir(folder.path().join("onnx")).unwrap();
    std::fs::rename(folder.path().join("model.onnx"), folder.path().join("onnx/model.onnx")).unwrap();
    assert!(open(&folder, "TOXIC=toxicity").is_ok());
}

#[test]
fn rejects_a_graph_with_an_unknown_input() {
    let folder = onnx_folder(|_| {});
    let (known, unknown) = (b"token_type_ids", b"token_type_idx");
    let mut graph = ONNX.to_vec();
    while let Some(at) = graph.windows(known.len()).position(|window| window == known) {
        graph[at..at + known.len()].copy_from_slice(unknown);
    }
    std::fs::write(folder.path().join("model.onnx"), graph).unwrap();
    let error = open(&folder, "TOXIC=toxicity").err().unwrap().to_string();
    assert!(error.ends_with(
        "model.onnx: expected the inputs input_ids, token_type_ids and attention_mask, got token_type_idx"
    ));
}

#[test]
fn concurrent_calls_return_the_same_results_as_sequential_ones() {
    let model = open(&onnx_folder(|_| {}), "TOXIC=toxicity").unwrap();
    let texts: Vec<String> = (0..12).map(|number| format!("w1 w{number}")).collect();
    let concurrent: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            texts.iter().map(|text| scope.spawn(|| model.classify(&[text]).unwrap())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let sequential: Vec<_> = texts.iter().map(|text| model.classify(&[text]).unwrap()).collect();
    assert_eq!(concurrent, sequential);
}
