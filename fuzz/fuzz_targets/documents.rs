//! Any bytes are a document within the limits, or a clear error; a masked document is a document.
#![no_main]

use std::time::Duration;

use guardengine_media::{
    Edit, Rewrite,
    document::{Limits, read, rewrite},
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { pixels: 4_000_000, time: Duration::from_secs(20) };
    let Ok((document, images)) = read(bytes, None, limits) else { return };
    let total: usize = document.images.iter().map(|image| image.length).sum();
    assert_eq!(total, images.len(), "every image is announced");
    for segment in &document.segments {
        assert!(document.text.get(segment.span.clone()).is_some(), "a segment is a part of the text");
    }
    let Some(first) = document.segments.first() else { return };
    let edits = vec![Edit { span: first.span.clone(), text: "[MASKED]".to_owned() }];
    if let Ok(masked) = rewrite(bytes, None, limits, Rewrite { edits, areas: Vec::new() }) {
        assert!(read(&masked, None, limits).is_ok(), "a masked document is a document");
    }
});
