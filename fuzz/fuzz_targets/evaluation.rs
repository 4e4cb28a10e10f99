//! Any bytes are judged whole, and twice alike.
#![no_main]

use std::sync::LazyLock;

use guardengine_classifiers::{Classifier, Linear};
use guardengine_engine::{
    Evidence, RequestOptions, decide,
    evidence::{Origin, Part},
    guardrail::Direction,
    pii,
    policy::{CompiledPolicy, document::Policy},
    text::Text,
};
use libfuzzer_sys::fuzz_target;

static POLICY: LazyLock<CompiledPolicy> =
    LazyLock::new(|| CompiledPolicy::compile(&Policy::built_in()).expect("the built-in policy compiles"));

fuzz_target!(|bytes: &[u8]| {
    let original = String::from_utf8_lossy(bytes);
    let judge = || {
        let parts = vec![Part::new(Origin::Subject, Text::new(&original))];
        let pii = vec![pii::find_all(&parts[0].text)];
        let scores = Linear::embedded().score(&parts).expect("the embedded model answers");
        decide(&POLICY, &Evidence::new(Direction::Input, parts, pii, scores), RequestOptions::default())
    };
    let verdict = judge();
    assert_eq!(verdict, judge());
    assert!((0.0..=1.0).contains(&verdict.risk) && (0.0..=1.0).contains(&verdict.confidence));
});
