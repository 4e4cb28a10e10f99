//! Encoded request bodies (`Content-Encoding`, RFC 9110, section 8.4).

use std::io::{self, Read as _};

use axum::{
    body::Bytes,
    http::{HeaderMap, header},
};
use brotli_decompressor::Decompressor;
use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use ruzstd::decoding::StreamingDecoder;

use super::Error;

/// Size of the decoder's input buffer for Brotli, in bytes.
const BROTLI_BUFFER: usize = 4_096;

/// Largest window of Zstandard, in bytes (RFC 9659): the decoder allocates it before it has read the data.
const MAX_ZSTD_WINDOW: u64 = 8 << 20;

/// A coding of a request body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentCoding {
    Brotli,
    Deflate,
    Gzip,
    Zstd,
}

impl ContentCoding {
    /// Returns the coding of a body, `None` for one that is not encoded. 415 for other codings and for several at once.
    pub fn of(headers: &HeaderMap) -> Result<Option<Self>, Error> {
        let values = headers.get_all(header::CONTENT_ENCODING).iter();
        let written: Vec<_> = values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
        let codings: Vec<_> = written.iter().flat_map(|value| value.split(',')).map(str::trim).collect();
        let codings: Vec<_> = codings
            .into_iter()
            .filter(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case("identity"))
            .collect();
        match codings.as_slice() {
            [] => Ok(None),
            [coding] => Self::named(coding).map(Some).ok_or_else(|| Error::unsupported_encoding(coding)),
            several => Err(Error::unsupported_encoding(&several.join(", "))),
        }
    }

    fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "br" => Some(Self::Brotli),
            "deflate" => Some(Self::Deflate),
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "zstd" => Some(Self::Zstd),
            _ => None,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Deflate => "deflate",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// Decodes a body to at most `limit` bytes: 413 beyond them, 422 if it is not encoded so.
    pub async fn decode(self, body: Bytes, limit: usize) -> Result<Bytes, Error> {
        if body.is_empty() {
            return Ok(body);
        }
        let decoded =
            tokio::task::spawn_blocking(move || self.decode_up_to(&body, limit.saturating_add(1))).await;
        let decoded = decoded.map_err(Error::internal)?;
        let decoded = decoded.map_err(|_| Error::unprocessable(format!("invalid {} body", self.name())))?;
        if decoded.len() > limit { Err(Error::too_large(limit)) } else { Ok(decoded.into()) }
    }

    /// Returns the first `limit` decoded bytes; never holds many more.
    fn decode_up_to(self, mut body: &[u8], limit: usize) -> io::Result<Vec<u8>> {
        let mut decoded = Vec::new();
        let most = limit as u64;
        match self {
            Self::Brotli => Decompressor::new(body, BROTLI_BUFFER).take(most).read_to_end(&mut decoded)?,
            // Some clients send the data without the wrapper that the coding has (RFC 9110, section 8.4.1.2).
            Self::Deflate if is_zlib(body) => ZlibDecoder::new(body).take(most).read_to_end(&mut decoded)?,
            Self::Deflate => DeflateDecoder::new(body).take(most).read_to_end(&mut decoded)?,
            Self::Gzip => MultiGzDecoder::new(body).take(most).read_to_end(&mut decoded)?,
            Self::Zstd => {
                // A body can have several frames.
                while !body.is_empty() && decoded.len() < limit {
                    let frame = StreamingDecoder::new_with_max_window_size(&mut body, MAX_ZSTD_WINDOW);
                    let frame = frame.map_err(io::Error::other)?;
                    frame.take(most - decoded.len() as u64).read_to_end(&mut decoded)?;
                }
                decoded.len()
            }
        };
        Ok(decoded)
    }
}

/// Returns true for data that begins with the header of zlib (RFC 1950, section 2.2).
fn is_zlib(body: &[u8]) -> bool {
    matches!(body, [method, flags, ..] if method & 0x0f == 8 && u16::from_be_bytes([*method, *flags]).is_multiple_of(31))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use axum::http::{HeaderValue, StatusCode};
    use flate2::{
        Compression,
        write::{DeflateEncoder, GzEncoder, ZlibEncoder},
    };
    use proptest::prelude::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    /// `{"prompt":"hello hello hello hello"}`, encoded by the zlib module of Node.js.
    const BROTLI: [u8; 31] = [
        0x1b, 0x23, 0x00, 0xf8, 0xc5, 0x6d, 0x6c, 0xdd, 0xf0, 0xcc, 0xde, 0x0f, 0x1a, 0x86, 0x11, 0xbd, 0xa8,
        0x24, 0x51, 0x2a, 0x0e, 0xf8, 0x87, 0x1e, 0x55, 0x2f, 0x1c, 0x19, 0xa4, 0x0c, 0x1e,
    ];

    fn coding(values: &[&'static str]) -> Result<Option<ContentCoding>, StatusCode> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::CONTENT_ENCODING, HeaderValue::from_static(value));
        }
        ContentCoding::of(&headers)
            .map_err(|error| axum::response::IntoResponse::into_response(error).status())
    }

    fn encoded(coding: ContentCoding, body: &[u8]) -> Vec<u8> {
        match coding {
            ContentCoding::Brotli => BROTLI.to_vec(),
            ContentCoding::Zstd => compress_to_vec(body, CompressionLevel::Fastest),
            ContentCoding::Deflate => {
                let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
                encoder.write_all(body).unwrap();
                encoder.finish().unwrap()
            }
            ContentCoding::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
                encoder.write_all(body).unwrap();
                encoder.finish().unwrap()
            }
        }
    }

    #[test]
    fn reads_the_coding_of_a_body() {
        assert_eq!(coding(&[]), Ok(None));
        assert_eq!(coding(&["identity"]), Ok(None));
        assert_eq!(coding(&["GZip"]), Ok(Some(ContentCoding::Gzip)));
        assert_eq!(coding(&["identity, zstd"]), Ok(Some(ContentCoding::Zstd)));
        for refused in [&["compress"][..], &["gzip, br"], &["gzip", "gzip"]] {
            assert_eq!(coding(refused), Err(StatusCode::UNSUPPORTED_MEDIA_TYPE), "{refused:?}");
        }
    }

    #[tokio::test]
    async fn decodes_every_coding_and_refuses_what_is_cut_off_or_too_large() {
        let body = br#"{"prompt":"hello hello hello hello"}"#;
        for coding in
            [ContentCoding::Brotli, ContentCoding::Deflate, ContentCoding::Gzip, ContentCoding::Zstd]
        {
            let sent = encoded(coding, body);
            let decode = |bytes: &[u8], limit| coding.decode(Bytes::copy_from_slice(bytes), limit);
            assert_eq!(decode(&sent, body.len()).await.unwrap().as_ref(), body, "{coding:?}");
            assert!(decode(&sent, body.len() - 1).await.is_err(), "{coding:?}: too large");
            assert!(decode(&sent[..sent.len() - 5], 1_000).await.is_err(), "{coding:?}: cut off");
            assert!(decode(b"{\"prompt\":1}", 1_000).await.is_err(), "{coding:?}: not encoded");
            assert!(decode(b"", 1_000).await.unwrap().is_empty(), "{coding:?}: empty");
        }
    }

    #[test]
    fn decodes_bare_deflate_and_several_members() {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(b"text").unwrap();
        let bare = encoder.finish().unwrap();
        assert_eq!(ContentCoding::Deflate.decode_up_to(&bare, 100).unwrap(), b"text");
        for coding in [ContentCoding::Gzip, ContentCoding::Zstd] {
            let twice = [encoded(coding, b"one "), encoded(coding, b"two")].concat();
            assert_eq!(coding.decode_up_to(&twice, 100).unwrap(), b"one two", "{coding:?}");
        }
    }

    #[test]
    fn a_zstd_frame_declares_a_window_of_eight_mebibytes_at_most() {
        // Magic number, no flags, the window's exponent, and one raw block, the last.
        let frame = |window: u8| [&[0x28, 0xb5, 0x2f, 0xfd, 0, window, 0x21, 0, 0], &b"text"[..]].concat();
        assert_eq!(ContentCoding::Zstd.decode_up_to(&frame(13 << 3), 100).unwrap(), b"text");
        assert!(ContentCoding::Zstd.decode_up_to(&frame(14 << 3), 100).is_err());
        assert!(ContentCoding::Zstd.decode_up_to(&frame(20 << 3), 100).is_err());
    }

    #[test]
    fn bombs_are_cut_at_the_limit() {
        let zeros = vec![0; 50 << 20];
        for coding in [ContentCoding::Deflate, ContentCoding::Gzip, ContentCoding::Zstd] {
            let decoded = coding.decode_up_to(&encoded(coding, &zeros), 1_000).unwrap();
            assert_eq!(decoded.len(), 1_000, "{coding:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn never_panics_on_arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            for coding in [ContentCoding::Brotli, ContentCoding::Deflate, ContentCoding::Gzip, ContentCoding::Zstd] {
                drop(coding.decode_up_to(&bytes, 10_000));
            }
        }
    }
}
