//! Builds documents in Atlassian Document Format: <https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/>
//!
//! Every text is a separate node, so that nothing in it is interpreted as markup or a mention.

use serde_json::{Value, json};

/// Builds a document of paragraphs, each a list of lines, followed by a code block with the quoted text.
pub fn document(paragraphs: &[Vec<String>], quoted: Option<&str>) -> Value {
    let content: Vec<Value> =
        paragraphs.iter().map(|lines| paragraph(lines)).chain(quoted.map(quote)).collect();
    json!({ "type": "doc", "version": 1, "content": content })
}

fn paragraph(lines: &[String]) -> Value {
    let line_break = json!({ "type": "hardBreak" });
    let lines = lines.iter().filter(|line| !line.is_empty()).map(|line| text(line));
    let mut content = Vec::new();
    for line in lines {
        if !content.is_empty() {
            content.push(line_break.clone());
        }
        content.push(line);
    }
    json!({ "type": "paragraph", "content": content })
}

fn quote(quoted: &str) -> Value {
    json!({ "type": "codeBlock", "content": [text(quoted)] })
}

/// Builds a text node. The text must not be empty.
fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_lines_and_quotes_texts() {
        let lines = ["a".to_owned(), String::new(), "b".to_owned()];
        let expected = json!({
            "type": "doc", "version": 1,
            "content": [
                { "type": "paragraph", "content": [
                    { "type": "text", "text": "a" }, { "type": "hardBreak" }, { "type": "text", "text": "b" },
                ] },
                { "type": "codeBlock", "content": [{ "type": "text", "text": "[~admin] *x*" }] },
            ],
        });
        assert_eq!(document(&[lines.to_vec()], Some("[~admin] *x*")), expected);
    }
}
