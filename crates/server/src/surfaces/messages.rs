//! Chat messages as most vendors send them: a role, and a text or a list of parts.

use guardengine_guard::{attachments::ImageFile, submission::Role};
use serde_json::Value;

/// Most messages in one call.
pub const MAX_MESSAGES: usize = 2_000;

/// Returns the role that a vendor's name stands for. Whoever is not known is a user.
pub fn role(name: &str) -> Role {
    match name {
        "system" | "developer" => Role::System,
        "assistant" | "model" => Role::Assistant,
        "tool" | "function" => Role::Tool,
        _ => Role::User,
    }
}

/// Returns the texts of a message's content: the text itself, or those of its parts, in order.
pub fn texts(content: &Value) -> Vec<&str> {
    match content {
        Value::String(text) => vec![text],
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => Vec::new(),
    }
}

/// The images of a call.
#[derive(Debug, Default)]
pub struct Images {
    /// Images that came with the call.
    pub files: Vec<ImageFile>,
    /// True if one did not: it is at an address, or of a type that is not read.
    pub has_unread: bool,
}

/// Reads images: data URLs. What is at an address is not fetched, and counts as unread.
pub fn images(field: &str, urls: &[&str]) -> Images {
    let mut images = Images::default();
    for (at, url) in urls.iter().enumerate() {
        match ImageFile::decoded(&format!("{field}.{at}"), url) {
            Some(file) => images.files.push(file),
            None => images.has_unread = true,
        }
    }
    images
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn content_is_a_text_or_the_texts_of_its_parts() {
        assert_eq!(texts(&json!("one")), ["one"]);
        let parts = json!([{ "type": "text", "text": "one" }, { "type": "image_url" }, { "text": "two" }]);
        assert_eq!(texts(&parts), ["one", "two"]);
        assert!(texts(&json!(null)).is_empty() && texts(&json!({ "text": "no" })).is_empty());
    }

    #[test]
    fn images_at_addresses_are_unread() {
        let urls = ["data:image/jpeg;base64,/9j/4A==", "https://host.example/a.png"];
        let read = images("images", &urls);
        assert_eq!((read.files.len(), read.has_unread), (1, true));
        assert!(!images("images", &urls[..1]).has_unread);
    }
}
