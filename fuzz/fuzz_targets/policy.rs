//! Any JSON is a policy or a clear fault; what is accepted, compiles and can be stored.
#![no_main]

use guardengine_engine::policy::{CompiledPolicy, document::Policy};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(json) = serde_json::from_slice(bytes) else { return };
    let Ok(policy) = Policy::parse(&json) else { return };
    assert!(CompiledPolicy::compile(&policy).is_ok());
    let stored = serde_json::to_value(&policy).expect("a policy is JSON");
    assert_eq!(Policy::parse(&stored).expect("what was stored can be read"), policy);
});
