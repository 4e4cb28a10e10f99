//! The input of a hook.

use guardengine_engine::fields::{FieldError, Fields};
use serde_json::Value;

use super::super::json_texts::texts_in;
use crate::http::FromFields;

/// Most texts in the input or the output of a tool.
const MAX_TEXTS: usize = 4_000;

/// An event of an agent, as far as it is evaluated.
#[derive(Debug)]
pub enum Event {
    /// The user sent a prompt.
    Prompt(String),
    /// The model calls a tool with this input.
    ToolCall(Value),
    /// A tool answered this.
    ToolResult(Value),
    /// Anything else passes.
    Other,
}

/// An event with its identifiers.
#[derive(Debug)]
pub struct HookInput {
    pub event: Event,
    /// Session of the agent.
    pub session_id: Option<String>,
    /// The agent's identifier of the call of a tool, or of the turn.
    pub id: Option<String>,
}

impl FromFields for HookInput {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let event = match fields.required_string("hook_event_name")? {
            "UserPromptSubmit" => Event::Prompt(fields.required_string("prompt")?.to_owned()),
            "PreToolUse" => Event::ToolCall(content(fields, "tool_input")?),
            "PostToolUse" => Event::ToolResult(content(fields, "tool_response")?),
            _ => Event::Other,
        };
        let text = |field| Ok(fields.string(field)?.map(str::to_owned));
        let session_id = text("session_id")?;
        let id = match text("tool_use_id")? {
            Some(id) => Some(id),
            None => text("turn_id")?,
        };
        Ok(Self { event, session_id, id })
    }
}

fn content(fields: Fields<'_>, field: &str) -> Result<Value, FieldError> {
    let value = fields.get(field).ok_or_else(|| FieldError::required(field))?;
    if texts_in(value).len() > MAX_TEXTS {
        return Err(FieldError::value(field, format!("must have at most {MAX_TEXTS} texts")));
    }
    Ok(value.clone())
}
