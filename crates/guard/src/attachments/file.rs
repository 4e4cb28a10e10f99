//! Images in request bodies.

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use bytes::Bytes;
use guardengine_engine::fields::{FieldError, Fields};
use serde_json::Value;

/// Maximum length of `images`, checked before any other limit.
const MAX_IMAGES: usize = 1_000;
const ACCEPTED: &str = "must be a PNG, JPEG or WebP image, or a PDF of one page, in base64 or as a data URL";
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// An image or PDF file, recognized by its first bytes.
#[derive(Clone, Debug)]
pub struct ImageFile {
    /// Field of the request that contained it, for error messages.
    pub field: String,
    /// Contents of the file.
    pub bytes: Bytes,
}

impl ImageFile {
    /// Returns the image if the file has the signature of a PNG, JPEG, WebP or PDF.
    pub fn of(field: impl Into<String>, bytes: Bytes) -> Option<Self> {
        let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
        let signatures = [&b"\x89PNG\r\n\x1a\n"[..], b"\xff\xd8\xff", b"%PDF-"];
        let is_known = is_webp || signatures.iter().any(|signature| bytes.starts_with(signature));
        is_known.then(|| Self { field: field.into(), bytes })
    }
}

impl ImageFile {
    /// Returns the image of a base64 text or a data URL (RFC 2397), if it is of a type that is read.
    pub fn decoded(field: &str, text: &str) -> Option<Self> {
        decode_base64(text).and_then(|bytes| Self::of(field, bytes))
    }

    /// Returns true for an image with several frames, of which only the first is read.
    pub fn is_animated(&self) -> bool {
        is_animated_webp(&self.bytes) || is_animated_png(&self.bytes)
    }
}

/// An extended WebP file (RFC 9649, section 2.7) begins with the chunk `VP8X`. One of its flags marks an animation.
fn is_animated_webp(bytes: &[u8]) -> bool {
    const ANIMATION: u8 = 0b10;
    bytes.get(12..16) == Some(b"VP8X") && bytes.get(20).is_some_and(|flags| flags & ANIMATION != 0)
}

/// An animated PNG has the chunk `acTL` before the image data (PNG, third edition, section 11.3.6.1).
fn is_animated_png(bytes: &[u8]) -> bool {
    let mut rest = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n").unwrap_or_default();
    // A chunk has a length, a type, its data and a checksum.
    while let Some((header, data)) = rest.split_first_chunk::<8>() {
        let [a, b, c, d, kind @ ..] = *header;
        match &kind {
            b"acTL" => return true,
            b"IDAT" => return false,
            _ => rest = data.get(u32::from_be_bytes([a, b, c, d]) as usize + 4..).unwrap_or_default(),
        }
    }
    false
}

/// Parses the field `images`: base64 or data URLs (RFC 2397).
pub fn parse_images(fields: Fields<'_>) -> Result<Vec<ImageFile>, FieldError> {
    let items = fields.array("images", MAX_IMAGES)?.unwrap_or_default();
    let read = |(at, item): (usize, &Value)| {
        let field = format!("images.{at}");
        let image = item.as_str().and_then(|text| ImageFile::decoded(&field, text));
        image.ok_or_else(|| FieldError::value(field, ACCEPTED))
    };
    items.iter().enumerate().map(read).collect()
}

/// Decodes base64 or a data URL (RFC 2397).
pub fn decode_base64(text: &str) -> Option<Bytes> {
    let data = match text.strip_prefix("data:") {
        Some(url) => url.split_once(',').filter(|(kind, _)| kind.ends_with(";base64"))?.1,
        None => text,
    };
    BASE64.decode(data.trim()).ok().map(Bytes::from)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(images: &Value) -> Result<Vec<usize>, String> {
        let body = json!({ "images": images });
        let images = parse_images(Fields::of(&body, "body").unwrap()).map_err(|error| error.to_string())?;
        Ok(images.iter().map(|image| image.bytes.len()).collect())
    }

    #[test]
    fn recognizes_animations() {
        let is_animated =
            |bytes: &[u8]| ImageFile::of("file", Bytes::copy_from_slice(bytes)).unwrap().is_animated();
        let png = |chunks: &[&[u8; 4]]| {
            let chunk = |kind: &&[u8; 4]| [&[0, 0, 0, 1][..], *kind, b"x", b"crc!"].concat();
            [b"\x89PNG\r\n\x1a\n".to_vec(), chunks.iter().flat_map(chunk).collect()].concat()
        };
        assert!(is_animated(&png(&[b"IHDR", b"acTL", b"IDAT"])));
        assert!(!is_animated(&png(&[b"IHDR", b"IDAT", b"acTL"])) && !is_animated(&png(&[])));
        let webp = |flags: u8| [&b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0"[..], &[flags]].concat();
        assert!(is_animated(&webp(0b10)) && is_animated(&webp(0b1010)));
        assert!(
            !is_animated(&webp(0b1000)) && !is_animated(b"RIFF\0\0\0\0WEBPVP8 ") && !is_animated(b"%PDF-")
        );
    }

    #[test]
    fn accepts_base64_and_data_urls() {
        // JPEG's first four bytes, with and without padding.
        let images = json!(["/9j/4A==", "/9j/4A", "data:image/jpeg;base64,/9j/4A=="]);
        assert_eq!(read(&images), Ok(vec![4, 4, 4]));
    }

    #[test]
    fn names_the_item_that_is_not_an_image() {
        for other in [json!(7), json!("aGVsbG8="), json!("&&"), json!("data:image/png,abc"), json!("")] {
            let error = read(&json!(["/9j/4A==", other])).unwrap_err();
            assert_eq!(error, format!("images.1: {ACCEPTED}"));
        }
    }
}
