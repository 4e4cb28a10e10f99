//! Pictures as requests carry them.

use axum::body::Bytes;
use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use guardengine_engine::fields::{Fields, Invalid};
use serde_json::Value;

/// More are refused before any limit is looked up.
const MOST: usize = 1_000;
const ACCEPTED: &str = "must be a PNG, JPEG or WebP image, or a PDF of one page, in base64 or as a data URL";
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A picture that says of itself that it is one.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Which field it came in, for whoever sent it.
    pub field: String,
    /// The file.
    pub bytes: Bytes,
}

impl Picture {
    /// A file that begins as a picture does.
    pub fn of(field: impl Into<String>, bytes: Bytes) -> Option<Self> {
        let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
        let begins = [&b"\x89PNG\r\n\x1a\n"[..], b"\xff\xd8\xff", b"%PDF-"];
        let is_known = is_webp || begins.iter().any(|begin| bytes.starts_with(begin));
        is_known.then(|| Self { field: field.into(), bytes })
    }
}

/// `images`: base64, or data URLs (RFC 2397).
pub fn pictures(fields: Fields<'_>) -> Result<Vec<Picture>, Invalid> {
    let items = fields.array("images", MOST)?.unwrap_or_default();
    let read = |(at, item): (usize, &Value)| {
        let field = format!("images.{at}");
        let bytes = item.as_str().and_then(decoded);
        bytes.and_then(|bytes| Picture::of(&field, bytes)).ok_or_else(|| Invalid::value(field, ACCEPTED))
    };
    items.iter().enumerate().map(read).collect()
}

fn decoded(written: &str) -> Option<Bytes> {
    let data = match written.strip_prefix("data:") {
        Some(url) => url.split_once(',').filter(|(kind, _)| kind.ends_with(";base64"))?.1,
        None => written,
    };
    BASE64.decode(data.trim()).ok().map(Bytes::from)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(images: &Value) -> Result<Vec<usize>, String> {
        let body = json!({ "images": images });
        let pictures = pictures(Fields::of(&body, "body").unwrap()).map_err(|fault| fault.to_string())?;
        Ok(pictures.iter().map(|picture| picture.bytes.len()).collect())
    }

    #[test]
    fn pictures_are_base64_or_data_urls() {
        // JPEG's first four bytes, with and without padding.
        let images = json!(["/9j/4A==", "/9j/4A", "data:image/jpeg;base64,/9j/4A=="]);
        assert_eq!(read(&images), Ok(vec![4, 4, 4]));
    }

    #[test]
    fn what_is_no_picture_is_refused_by_its_place() {
        for other in [json!(7), json!("aGVsbG8="), json!("&&"), json!("data:image/png,abc"), json!("")] {
            let told = read(&json!(["/9j/4A==", other])).unwrap_err();
            assert_eq!(told, format!("images.1: {ACCEPTED}"));
        }
    }
}
