//! Encodings of text files.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// A decoded text and how to write it again.
pub struct Decoded {
    /// The text without a byte order mark.
    pub text: String,
    encoding: &'static Encoding,
    mark: &'static [u8],
}

/// Decodes a file by its byte order mark, by `declared`, as UTF-8, or else as Windows-1252, as browsers do. Returns `None`
/// for a file that is no text.
pub fn decode(file: &[u8], declared: Option<&str>) -> Option<Decoded> {
    let (encoding, mark): (_, &[u8]) = match Encoding::for_bom(file) {
        Some((encoding, _)) if encoding == UTF_8 => (encoding, b"\xef\xbb\xbf"),
        Some((encoding, _)) if encoding == UTF_16LE => (encoding, b"\xff\xfe"),
        Some((encoding, _)) => (encoding, b"\xfe\xff"),
        None => {
            let declared = declared.and_then(|label| Encoding::for_label(label.trim().as_bytes()));
            // A declaration of UTF-16 in a file without its mark is wrong: it could be read to be found.
            let declared = declared.filter(|encoding| *encoding != UTF_16LE && *encoding != UTF_16BE);
            let guessed = if std::str::from_utf8(file).is_ok() { UTF_8 } else { WINDOWS_1252 };
            (declared.unwrap_or(guessed), b"")
        }
    };
    let (text, _) = encoding.decode_without_bom_handling(&file[mark.len()..]);
    let is_text = !text.chars().any(|letter| letter == '\0');
    is_text.then(|| Decoded { text: text.into_owned(), encoding, mark })
}

impl Decoded {
    /// Writes a changed text in the encoding of the file. Letters that it lacks become numeric entities.
    pub fn encode(&self, text: &str) -> Vec<u8> {
        let body = if self.encoding == UTF_16LE {
            text.encode_utf16().flat_map(u16::to_le_bytes).collect()
        } else if self.encoding == UTF_16BE {
            text.encode_utf16().flat_map(u16::to_be_bytes).collect()
        } else {
            self.encoding.encode(text).0.into_owned()
        };
        [self.mark, &body].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_a_text_as_it_was_encoded() {
        for (file, declared, text) in [
            (&b"\xef\xbb\xbfM\xc3\xbcller"[..], None, "Müller"),
            (b"M\xc3\xbcller", None, "Müller"),
            (b"M\xfcller", None, "Müller"),
            (b"\xff\xfeM\0\xfc\0", None, "Mü"),
            (b"\xfe\xff\0M\0\xfc", None, "Mü"),
            (b"\xcc\xf0", Some("windows-1251"), "Мр"),
        ] {
            let decoded = decode(file, declared).unwrap();
            assert_eq!(decoded.text, text);
            assert_eq!(decoded.encode(text), file);
        }
        assert!(decode(b"GIF89a\0\0", None).is_none());
    }
}
