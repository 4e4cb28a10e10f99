//! Tokens in any text are restored by what is known alone, and text without tokens stays as it is.
#![no_main]

use guardengine_engine::pii::mask::{restore, tokens_in};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let found = tokens_in(&text);
    let (unknown, count) = restore(&text, |_| None);
    assert_eq!((unknown.as_str(), count), (&*text, 0));
    let (known, count) = restore(&text, |_| Some("value".to_owned()));
    assert!(count <= found.len());
    if found.is_empty() {
        assert_eq!(known, text);
    }
});
