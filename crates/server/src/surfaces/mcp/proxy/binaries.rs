//! Images, sounds and files within an answer, which are no texts.

use serde_json::Value;

/// One of them, where it was.
struct Binary {
    pointer: String,
    data: String,
    /// Media type, if it is an image.
    image: Option<String>,
}

/// The binaries that were taken out of an answer.
#[derive(Default)]
pub struct Binaries(Vec<Binary>);

impl Binaries {
    /// Takes them out of an answer: null stands in their place.
    pub fn take(answer: &mut Value) -> Self {
        let mut found = Self::default();
        found.walk(answer, &mut String::new());
        found
    }

    fn walk(&mut self, value: &mut Value, pointer: &mut String) {
        let length = pointer.len();
        match value {
            Value::Array(items) => {
                for (at, item) in items.iter_mut().enumerate() {
                    pointer.push('/');
                    pointer.push_str(&at.to_string());
                    self.walk(item, pointer);
                    pointer.truncate(length);
                }
            }
            Value::Object(fields) => {
                let kind = fields.get("type").and_then(Value::as_str);
                let is_image = kind == Some("image");
                let media = fields.get("mimeType").and_then(Value::as_str).unwrap_or("image/png").to_owned();
                let holds = if is_image || kind == Some("audio") { "data" } else { "blob" };
                if let Some(Value::String(data)) = fields.get_mut(holds) {
                    let (data, pointer) = (std::mem::take(data), format!("{pointer}/{holds}"));
                    self.0.push(Binary { pointer, data, image: is_image.then_some(media) });
                    fields.insert(holds.to_owned(), Value::Null);
                }
                for (name, field) in fields.iter_mut() {
                    pointer.push('/');
                    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                    self.walk(field, pointer);
                    pointer.truncate(length);
                }
            }
            _ => {}
        }
    }

    /// Puts them back.
    pub fn put_back(self, answer: &mut Value) {
        for Binary { pointer, data, .. } in self.0 {
            if let Some(place) = answer.pointer_mut(&pointer) {
                *place = data.into();
            }
        }
    }

    /// Returns whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether one is no image, so that nothing reads it.
    pub fn has_unread(&self) -> bool {
        self.0.iter().any(|binary| binary.image.is_none())
    }

    /// Returns the images as data URLs.
    pub fn image_urls(&self) -> Vec<String> {
        let url = |binary: &Binary| Some(format!("data:{};base64,{}", binary.image.as_deref()?, binary.data));
        self.0.iter().filter_map(url).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_taken_is_put_back_where_it_was() {
        let answer = json!({ "result": { "content": [
            { "type": "text", "text": "a" },
            { "type": "image", "data": "aW1n", "mimeType": "image/webp" },
            { "type": "audio", "data": "c25k", "mimeType": "audio/wav" },
            { "type": "resource", "resource": { "uri": "file:///a", "blob": "YmxvYg==" } },
        ], "odd/~name": { "blob": "eA==" } } });
        let mut changed = answer.clone();
        let binaries = Binaries::take(&mut changed);
        assert_eq!(binaries.image_urls(), ["data:image/webp;base64,aW1n"]);
        assert!(binaries.has_unread() && !changed.to_string().contains("aW1n"));
        binaries.put_back(&mut changed);
        assert_eq!(changed, answer);
    }
}
