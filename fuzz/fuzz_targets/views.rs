//! Any bytes have views whose places all map into the original.
#![no_main]

use guardengine_engine::{span::Span, text::Text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let original = String::from_utf8_lossy(bytes);
    let text = Text::new(&original);
    for view in text.views().iter().chain([text.folded()]) {
        for window in view.windows() {
            let place = view.original(window);
            assert!(original.is_char_boundary(place.start) && original.is_char_boundary(place.end));
            assert!(view.text.get(window.start..window.end).is_some());
        }
        let whole = view.original(Span::new(0, view.text.len()));
        assert!(whole.start <= whole.end && whole.end <= original.len());
    }
});
