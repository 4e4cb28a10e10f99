//! The API key in the body of a request without a key header.
//!
//! Credentials are checked before the body size, and the key may be anywhere in the body: it is searched for
//! while the body is read. No more is buffered than the endpoint accepts.

use axum::body::{Body, Bytes};
use futures::StreamExt as _;

use super::{
    Error,
    body_budget::BodyShare,
    body_limits::{BODY_TIME, DRAINED},
};

const FIELD: &str = "API-key";
/// Maximum length of a name or value, bytes; keys are shorter.
const MAX_LENGTH: usize = 1_024;

/// A buffered body and its API key.
pub(super) struct BufferedBody {
    /// The body, or the error for one that is too large.
    pub body: Result<Bytes, Error>,
    /// The key.
    pub key: Option<String>,
}

/// Reads a body of at most `limit` bytes. Of a larger body, only the key.
pub(super) async fn take(body: Body, limit: usize, share: &mut BodyShare) -> Result<BufferedBody, Error> {
    tokio::time::timeout(BODY_TIME, read(body, limit, share)).await.map_err(|_| Error::body_timeout())?
}

/// Searches a body that was read and decoded elsewhere.
pub(super) fn search(body: Result<Bytes, Error>) -> BufferedBody {
    let mut search = Search::default();
    search.feed(body.as_deref().unwrap_or_default());
    BufferedBody { body, key: search.found }
}

async fn read(body: Body, limit: usize, share: &mut BodyShare) -> Result<BufferedBody, Error> {
    let (mut search, mut kept, mut length) = (Search::default(), Vec::new(), 0);
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| Error::unreadable_body())?;
        length += chunk.len();
        search.feed(&chunk);
        if length <= limit {
            share.grow(chunk.len())?;
            kept.extend_from_slice(&chunk);
        } else {
            kept = Vec::new();
        }
        if length > limit.max(DRAINED) {
            break;
        }
    }
    let body = if length <= limit { Ok(kept.into()) } else { Err(Error::too_large(limit)) };
    Ok(BufferedBody { body, key: search.found })
}

/// Searches a JSON stream for the key field of the outermost object.
#[derive(Default)]
struct Search {
    /// Number of open objects and arrays.
    depth: usize,
    /// True if the next string is a value of the outermost object; otherwise it is a name.
    is_value: bool,
    /// The last name.
    name: Vec<u8>,
    /// The string being read.
    string: Option<Text>,
    found: Option<String>,
}

/// A raw string, without its quotes.
#[derive(Default)]
struct Text {
    written: Vec<u8>,
    is_escaped: bool,
}

impl Search {
    fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
    }

    fn step(&mut self, byte: u8) {
        match (&mut self.string, byte) {
            (Some(text), b'"') if !text.is_escaped => self.end_string(),
            (Some(text), _) => text.push(byte),
            (None, b'"') => self.string = Some(Text::default()),
            (None, b'{' | b'[') => self.depth += 1,
            (None, b'}' | b']') => self.depth = self.depth.saturating_sub(1),
            (None, b':') if self.depth == 1 => self.is_value = true,
            (None, b',') if self.depth == 1 => self.is_value = false,
            (None, _) => {}
        }
    }

    fn end_string(&mut self) {
        let Some(text) = self.string.take().filter(|_| self.depth == 1) else { return };
        if !self.is_value {
            self.name = text.written;
        } else if read_string(&self.name).as_deref() == Some(FIELD) {
            self.found = read_string(&text.written);
        }
    }
}

impl Text {
    fn push(&mut self, byte: u8) {
        self.is_escaped = byte == b'\\' && !self.is_escaped;
        if self.written.len() <= MAX_LENGTH {
            self.written.push(byte);
        }
    }
}

/// Decodes a raw string; `None` if it is too long or invalid.
fn read_string(written: &[u8]) -> Option<String> {
    let is_whole = written.len() <= MAX_LENGTH;
    is_whole.then(|| serde_json::from_slice(&[b"\"", written, b"\""].concat()).ok())?
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::http::body_budget::{BodyBudget, BodyOwner};

    fn share() -> BodyShare {
        BodyBudget::new(1 << 20, 0, 0).share(BodyOwner::Org(uuid::Uuid::nil()))
    }

    fn found(chunks: &[&[u8]]) -> Option<String> {
        let mut search = Search::default();
        for chunk in chunks {
            search.feed(chunk);
        }
        search.found
    }

    fn in_text(text: &str) -> Option<String> {
        found(&[text.as_bytes()])
    }

    #[test]
    fn finds_the_key_anywhere_at_the_top_level() {
        for text in [
            r#"{"API-key":"k","prompt":"x"}"#,
            r#" { "prompt" : "x" , "API-key" : "k" } "#,
            r#"{"documents":[{"text":"a"}],"pii_masking":{"enabled":true},"API-key":"k"}"#,
            r#"{"prompt":"a\"b\\","\u0041PI-key":"\u006b"}"#,
            r#"{"API-key":"k","prompt":"unfini"#,
        ] {
            assert_eq!(in_text(text).as_deref(), Some("k"), "{text}");
        }
    }

    #[test]
    fn ignores_the_key_outside_the_top_level() {
        for text in [
            "",
            r#"{"prompt":"\"API-key\":\"k\""}"#,
            r#"{"documents":[{"API-key":"k"}]}"#,
            r#"["API-key","k"]"#,
            r#"{"api-key":"k"}"#,
            r#"{"API-key":7}"#,
            r#"{"API-key":null,"prompt":"k"}"#,
            r#"{"API-key":{"a":"k"}}"#,
        ] {
            assert_eq!(in_text(text), None, "{text}");
        }
        assert_eq!(in_text(&json!({ FIELD: "k".repeat(MAX_LENGTH + 1) }).to_string()), None);
    }

    #[tokio::test]
    async fn reads_the_key_of_a_body_that_is_too_large() {
        let text = json!({ "prompt": "x".repeat(100), FIELD: "k" }).to_string();
        let taken = take(Body::from(text.clone()), text.len(), &mut share()).await.unwrap();
        assert_eq!((taken.body.unwrap().len(), taken.key.as_deref()), (text.len(), Some("k")));
        let taken = take(Body::from(text.clone()), text.len() - 1, &mut share()).await.unwrap();
        assert!(taken.body.is_err() && taken.key.as_deref() == Some("k"));
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf =
            prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), ".*".prop_map(Value::from)];
        leaf.prop_recursive(3, 16, 4, |inner| {
            let name = prop_oneof![Just(FIELD.to_owned()), ".*"];
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(name, inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn finds_the_same_key_as_a_parser_for_any_chunks(value in value(), at in 1..9_usize) {
            let text = value.to_string();
            let chunks: Vec<_> = text.as_bytes().chunks(at).collect();
            let parsed = value.get(FIELD).and_then(Value::as_str).map(str::to_owned);
            prop_assert_eq!(found(&chunks), parsed);
        }

        #[test]
        fn never_panics_on_arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            found(&[&bytes]);
        }
    }
}
