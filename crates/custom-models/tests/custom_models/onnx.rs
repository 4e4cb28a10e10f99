//! Models in ONNX.

use guardengine_custom_models::Model as _;

use crate::folders::{ONNX, onnx_folder, open};

#[test]
fn a_graph_is_given_the_inputs_that_it_asks_for() {
    let model = open(&onnx_folder(|_| {}), "INJECTION=prompt_injection").unwrap();
    let logits = model.logits("w5 w9").unwrap();
    let mean = (34.0 + 5.0 + 9.0 + 35.0) / 40.0;
    assert!((logits[0] - mean).abs() < 1e-5 && (logits[1] - 1.0).abs() < 1e-5, "{logits:?}");
}

#[test]
fn a_graph_may_stand_in_a_folder_of_its_own() {
    let folder = onnx_folder(|_| {});
    std::fs::create_dir(folder.path().join("onnx")).unwrap();
    std::fs::rename(folder.path().join("model.onnx"), folder.path().join("onnx/model.onnx")).unwrap();
    assert!(open(&folder, "TOXIC=toxicity").is_ok());
}

#[test]
fn a_graph_that_asks_for_something_else_is_refused() {
    let folder = onnx_folder(|_| {});
    let (known, other) = (b"token_type_ids", b"token_type_idx");
    let mut graph = ONNX.to_vec();
    while let Some(at) = graph.windows(known.len()).position(|window| window == known) {
        graph[at..at + known.len()].copy_from_slice(other);
    }
    std::fs::write(folder.path().join("model.onnx"), graph).unwrap();
    let told = open(&folder, "TOXIC=toxicity").err().unwrap().to_string();
    assert!(told.ends_with(
        "model.onnx: the graph asks for token_type_idx; known are input_ids, token_type_ids and attention_mask"
    ));
}

#[test]
fn many_threads_get_the_answers_of_one() {
    let model = open(&onnx_folder(|_| {}), "TOXIC=toxicity").unwrap();
    let texts: Vec<String> = (0..12).map(|number| format!("w1 w{number}")).collect();
    let together: Vec<_> = std::thread::scope(|scope| {
        let asked: Vec<_> =
            texts.iter().map(|text| scope.spawn(|| model.classify(&[text]).unwrap())).collect();
        asked.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let one_by_one: Vec<_> = texts.iter().map(|text| model.classify(&[text]).unwrap()).collect();
    assert_eq!(together, one_by_one);
}
