//! Hooks of coding agents: Claude Code's, which it can send over HTTP, and Codex's, whose input a command sends on.
//!
//! Both describe an event with the same fields and understand the same answers, but Codex does not take changed input. An
//! empty object lets the event pass. Both let the event pass on an error of the hook unless they are configured otherwise.

mod answer;
mod event;

use std::sync::Arc;

use axum::{Json, http::StatusCode, routing::post};
use guardengine_guard::{ClientInfo, GuardRequest, Operation, outcome_counter};
use guardengine_store::SideEffects;
use serde_json::{Value, json};

use self::{
    answer::{Evaluated, answer},
    event::{Event, HookInput},
};
use super::{
    SurfaceRoute,
    call::{SurfaceCaller, foreign_id, label},
    conversation::Conversation,
    json_texts::texts_in,
    route,
};
use crate::http::{Access, Body, Error};

use guardengine_engine::guardrail::Direction;

/// An agent that sends hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Agent {
    ClaudeCode,
    Codex,
}

impl Agent {
    /// Returns the name in log entries.
    const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude_code",
            Self::Codex => "codex",
        }
    }
}

/// The routes of this surface. The event says which permission a request needs.
pub fn routes() -> Vec<SurfaceRoute> {
    let hook = |path, handler| route(path, Access::SignedIn, Operation::Analyze, handler, error);
    vec![
        hook(
            "/v1/hooks/claude-code",
            post(async |caller, body| handle(Agent::ClaudeCode, caller, body).await),
        ),
        hook("/v1/hooks/codex", post(async |caller, body| handle(Agent::Codex, caller, body).await)),
    ]
}

/// Agents show the status and discard the body, so errors keep our form.
fn error(status: StatusCode, detail: &str) -> (StatusCode, Value) {
    (status, json!({ "detail": detail }))
}

async fn handle(
    agent: Agent,
    caller: SurfaceCaller,
    Body(input): Body<HookInput>,
) -> Result<Json<Value>, Error> {
    let HookInput { event, session_id, id } = input;
    let Some((operation, conversation)) = evaluated(&event) else {
        // Nothing to evaluate. Still, a stranger to the guard learns nothing about it.
        caller.needs(guardengine_auth::permission::ANALYZE)?;
        outcome_counter::mark_recorded();
        return Ok(Json(json!({})));
    };
    let Conversation { submission, places } = conversation;
    let call = GuardRequest {
        sender: ClientInfo {
            source_app: Some(agent.name().to_owned()),
            conversation_id: label(session_id.as_deref()),
            ..ClientInfo::default()
        },
        foreign_id: foreign_id(id.as_deref()),
        ..caller.request(agent.name(), operation, submission, None)?
    };
    let pending = Box::pin(caller.guard.evaluate(call)).await?;
    let call = Arc::clone(&pending.call);
    let recorded = caller.guard.record(pending, SideEffects::default()).await?;
    let (submission, evaluation) = (&call.submission, &recorded.evaluation);
    Ok(Json(answer(agent, &event, &Evaluated { submission, places: &places, evaluation })))
}

/// Returns what to evaluate of an event, if anything.
fn evaluated(event: &Event) -> Option<(Operation, Conversation)> {
    match event {
        Event::Prompt(prompt) => {
            let conversation = Conversation::of_subjects(Direction::Input, &[prompt.as_str()]);
            Some((Operation::Analyze, conversation))
        }
        Event::ToolCall(input) => {
            let conversation = Conversation::of_subjects(Direction::Output, &texts_in(input));
            Some((Operation::Validate, conversation))
        }
        Event::ToolResult(output) => {
            Some((Operation::Analyze, Conversation::of_documents(&texts_in(output))))
        }
        Event::Other => None,
    }
}
