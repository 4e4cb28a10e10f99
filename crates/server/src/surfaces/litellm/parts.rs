//! Roles of the texts of a hook's request.

use guardengine_engine::guardrail::Direction;
use guardengine_guard::submission::{Role, Submission, Turn};
use serde_json::Value;

use super::super::{
    conversation::Conversation,
    messages::{role, texts},
};

/// The lists of a request.
#[derive(Clone, Copy)]
pub struct Sent<'v> {
    /// One text for each part of a message, or for each choice of a response.
    pub texts: &'v [&'v str],
    /// The messages that the texts are from, if LiteLLM sends them.
    pub rows: &'v [Value],
    /// Definitions of tools.
    pub tools: &'v [Value],
    /// Calls of tools, by the model.
    pub tool_calls: &'v [Value],
}

/// Returns what to evaluate of a request to a model or a tool. With messages, each text has the role of its message. Without,
/// each text is a prompt by itself.
pub fn of_request(sent: Sent<'_>) -> Conversation {
    let mut request = match roles(sent) {
        Some(roles) => Conversation::of(Direction::Input, roles.into_iter().zip(sent.texts.iter().copied())),
        None => Conversation::of_subjects(Direction::Input, sent.texts),
    };
    let submission = &mut request.submission;
    submission.history.extend(arguments(sent.tool_calls).map(|text| Turn::new(Role::Assistant, text)));
    submission.documents.extend(sent.tools.iter().map(descriptions).filter(|text| !text.is_empty()));
    request
}

/// Returns what to evaluate of a response: each choice by itself, and the arguments of each tool call.
pub fn of_response(sent: Sent<'_>) -> Conversation {
    let mut response = Conversation::of_subjects(Direction::Output, sent.texts);
    let calls = arguments(sent.tool_calls);
    if sent.texts.is_empty() {
        response.submission = Submission::of_several(Direction::Output, calls.collect());
    } else {
        response.submission.further.extend(calls);
    }
    response
}

/// Returns the role of each text, if the texts are those of the messages, one by one.
fn roles(sent: Sent<'_>) -> Option<Vec<Role>> {
    let mut expected = sent.texts.iter();
    let mut roles = Vec::with_capacity(sent.texts.len());
    for row in sent.rows {
        let author = role(row["role"].as_str().unwrap_or_default());
        for text in texts(&row["content"]) {
            if *expected.next()? != text {
                return None;
            }
            roles.push(author);
        }
    }
    (expected.next().is_none() && !roles.is_empty()).then_some(roles)
}

/// Returns the arguments of tool calls.
fn arguments(calls: &[Value]) -> impl Iterator<Item = String> + '_ {
    calls.iter().filter_map(|call| match &call["function"]["arguments"] {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    })
}

/// Returns every description in the definition of a tool, which the model reads.
fn descriptions(tool: &Value) -> String {
    fn collect<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("description").and_then(Value::as_str));
                fields.values().for_each(|field| collect(field, found));
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    collect(tool, &mut found);
    found.join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sent<'v>(texts: &'v [&'v str], rows: &'v Value) -> Sent<'v> {
        Sent { texts, rows: rows.as_array().unwrap(), tools: &[], tool_calls: &[] }
    }

    #[test]
    fn the_last_text_of_a_user_is_the_prompt() {
        let rows = json!([
            { "role": "system", "content": "be kind" },
            { "role": "user", "content": [{ "type": "text", "text": "one" }, { "type": "text", "text": "two" }] },
            { "role": "assistant", "content": null },
            { "role": "tool", "content": "result" },
        ]);
        let texts = ["be kind", "one", "two", "result"];
        let Conversation { submission, places } = of_request(sent(&texts, &rows));
        assert_eq!(submission.subject, "two");
        let roles: Vec<_> = submission.history.iter().map(|turn| turn.role).collect();
        assert_eq!(roles, [Role::System, Role::User, Role::Tool]);
        assert!(texts.iter().zip(&places).all(|(text, place)| place.text(&submission) == *text));
        assert!(submission.repeats_known_turns);
    }

    #[test]
    fn texts_that_are_not_those_of_the_messages_are_prompts_by_themselves() {
        let rows = json!([{ "role": "system", "content": "be kind" }]);
        for texts in [&["be rude"][..], &["be kind", "more"], &["one", "two"]] {
            let Conversation { submission, places } = of_request(sent(texts, &rows));
            assert!(submission.history.is_empty());
            assert_eq!(submission.further.len(), texts.len() - 1);
            assert!(texts.iter().zip(&places).all(|(text, place)| place.text(&submission) == *text));
        }
    }

    #[test]
    fn tools_are_untrusted_and_tool_calls_are_the_models() {
        let tools = json!([{ "function": { "name": "f", "description": "finds",
            "parameters": { "properties": { "q": { "type": "string", "description": "what" } } } } }, {}]);
        let calls = json!([{ "function": { "name": "f", "arguments": "{\"q\":1}" } }, { "function": {} }]);
        let (tools, tool_calls) = (tools.as_array().unwrap(), calls.as_array().unwrap());
        let sent = Sent { texts: &["one"], rows: &[], tools, tool_calls };
        let request = of_request(sent).submission;
        assert_eq!(request.documents, ["finds\nwhat"]);
        assert_eq!(
            (request.history[0].role, request.history[0].content.as_str()),
            (Role::Assistant, "{\"q\":1}")
        );
        let response = of_response(sent).submission;
        assert_eq!(
            (response.subject.as_str(), &response.further[..]),
            ("one", &["{\"q\":1}".to_owned()][..])
        );
        let alone = of_response(Sent { texts: &[], ..sent });
        assert_eq!((alone.submission.subject.as_str(), alone.places.len()), ("{\"q\":1}", 0));
    }
}
