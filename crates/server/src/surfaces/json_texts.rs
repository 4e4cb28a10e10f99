//! The texts in a JSON value: its string values, in order. Keys are not among them.

use serde_json::Value;

/// Returns the texts.
pub fn texts_in(value: &Value) -> Vec<&str> {
    fn collect<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
        match value {
            Value::String(text) => found.push(text),
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            Value::Object(fields) => fields.values().for_each(|field| collect(field, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut found = Vec::new();
    collect(value, &mut found);
    found
}

/// Replaces the texts, in their order. A text without a replacement stays.
pub fn replace_texts(value: &mut Value, with: &mut impl Iterator<Item = String>) {
    match value {
        Value::String(text) => {
            if let Some(other) = with.next() {
                *text = other;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace_texts(item, with)),
        Value::Object(fields) => fields.values_mut().for_each(|field| replace_texts(field, with)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_are_replaced_where_they_were_found() {
        let mut value = json!({ "a": ["one", 2, { "b": "three" }], "c": null, "d": "four" });
        assert_eq!(texts_in(&value), ["one", "three", "four"]);
        let mut others =
            texts_in(&value).iter().map(|text| text.to_uppercase()).collect::<Vec<_>>().into_iter();
        replace_texts(&mut value, &mut others);
        assert_eq!(value, json!({ "a": ["ONE", 2, { "b": "THREE" }], "c": null, "d": "FOUR" }));
    }
}
