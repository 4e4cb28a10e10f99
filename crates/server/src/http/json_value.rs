//! JSON values of requests. A key that appears twice in an object is refused: parsers disagree about which one counts, so
//! a proxy could have read another text than this service evaluates.

use std::{cell::RefCell, fmt};

use serde::{
    Deserializer as _,
    de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};

use super::Error;

/// Parses JSON. Returns 422 `duplicate field: <field>` for a key that appears twice, and `invalid JSON: <why>` for
/// anything else that is not accepted.
pub fn parse(bytes: &[u8]) -> Result<Value, Error> {
    let reader = Reader::default();
    let mut parser = serde_json::Deserializer::from_slice(bytes);
    let parsed = parser.deserialize_any(&reader).and_then(|value| parser.end().map(|()| value));
    parsed.map_err(|error| match reader.duplicate.take() {
        Some(field) => Error::unprocessable(format!("duplicate field: {field}")),
        None => Error::unprocessable(format!("invalid JSON: {error}")),
    })
}

/// Reads values, and remembers where it is.
#[derive(Default)]
struct Reader {
    /// Keys and indices on the way to the current value.
    path: RefCell<Vec<String>>,
    duplicate: RefCell<Option<String>>,
}

impl Reader {
    /// Reads the value at `place` of the current one.
    fn read_at<E>(&self, place: String, read: impl FnOnce() -> Result<Value, E>) -> Result<Value, E> {
        self.path.borrow_mut().push(place);
        let value = read()?;
        self.path.borrow_mut().pop();
        Ok(value)
    }

    fn refuse<E: de::Error>(&self, key: &str) -> E {
        let mut path = self.path.borrow().clone();
        path.push(key.to_owned());
        self.duplicate.replace(Some(path.join(".")));
        E::custom("duplicate field")
    }
}

impl<'de> DeserializeSeed<'de> for &Reader {
    type Value = Value;

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &Reader {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        loop {
            let place = array.len().to_string();
            let mut is_end = false;
            let item = self.read_at(place, || {
                let item = items.next_element_seed(self)?;
                is_end = item.is_none();
                Ok(item.unwrap_or_default())
            })?;
            if is_end {
                return Ok(array.into());
            }
            array.push(item);
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(self.refuse(&key));
            }
            let value = self.read_at(key.clone(), || entries.next_value_seed(self))?;
            object.insert(key, value);
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use axum::{body::to_bytes, response::IntoResponse as _};
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    async fn refusal(text: &str) -> (u16, String) {
        let response = parse(text.as_bytes()).unwrap_err().into_response();
        let status = response.status().as_u16();
        let body: Value =
            serde_json::from_slice(&to_bytes(response.into_body(), 10_000).await.unwrap()).unwrap();
        (status, body["detail"].as_str().unwrap_or_default().to_owned())
    }

    #[tokio::test]
    async fn a_key_that_appears_twice_is_refused_with_its_path() {
        for (text, field) in [
            (r#"{"prompt":"a","prompt":"b"}"#, "prompt"),
            (r#"{"prompt":"a","\u0070rompt":"b"}"#, "prompt"),
            (r#"{"a":[{"b":1},{"c":{"d":1,"d":1}}]}"#, "a.1.c.d"),
            (r#"{"a":{"b":1},"a":7}"#, "a"),
        ] {
            assert_eq!(refusal(text).await, (422, format!("duplicate field: {field}")), "{text}");
        }
        assert!(parse(br#"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}"#).is_ok());
    }

    #[tokio::test]
    async fn anything_else_is_refused_like_before() {
        for text in ["", "{", "{} x", "[1,]", "\u{feff}{}", "nul"] {
            let (status, detail) = refusal(text).await;
            let expected = serde_json::from_str::<Value>(text).unwrap_err();
            assert_eq!((status, detail), (422, format!("invalid JSON: {expected}")), "{text}");
        }
        assert!(parse("[".repeat(1_000).as_bytes()).is_err());
    }

    #[test]
    fn numbers_keep_their_kind() {
        let text = "[0, -1, 18446744073709551615, 1.5, 1e2, null, true]";
        assert_eq!(parse(text.as_bytes()).unwrap(), serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(parse(b" 7 ").unwrap(), json!(7));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn arbitrary_bytes_are_read_like_by_the_usual_parser(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let usual = serde_json::from_slice::<Value>(&bytes).ok();
            prop_assert_eq!(parse(&bytes).ok(), usual);
        }
    }
}
