//! Any bytes are scanned and masked; what a mask leaves outside its places is untouched.
#![no_main]

use guardengine_engine::{
    pii::{
        find_all,
        mask::{MaskKeys, Strategy, mask},
    },
    text::Text,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let original = String::from_utf8_lossy(bytes);
    let found = find_all(&Text::new(&original));
    for one in &found {
        assert!(original.get(one.span.start..one.span.end).is_some());
    }
    let keys = MaskKeys::new(&[7; 32]);
    for (_, strategy) in Strategy::ALL {
        let masked = mask(&original, &found, strategy, &keys);
        if found.is_empty() {
            assert_eq!(masked.text, original);
        }
    }
});
