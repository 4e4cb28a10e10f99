//! LiteLLM's generic guardrail API, which its hooks before, during and after a model or tool call ask.
//!
//! Read against litellm 1.110 (`generic_guardrail_api.py` and the `guardrail_translation` handlers). It applies returned
//! `texts` whatever the action, by index, so they are returned only when something changed, and then all of them.

mod answer;
mod parts;
mod request;

use std::sync::Arc;

use axum::{Json, extract::State, http::StatusCode, routing::post};
use guardengine_engine::guardrail::Direction;
use guardengine_guard::{GuardRequest, Operation, attachments::Attachments, outcome_counter};
use guardengine_store::SideEffects;
use serde_json::{Value, json};

use self::{answer::Evaluated, request::Check};
use super::{
    CallMemory, SurfaceRoute,
    call::{SurfaceCaller, foreign_id},
    conversation::{Conversation, Place},
    route,
    sent_text::SentText,
};
use crate::http::{Access, Body, Error};

const NAME: &str = "litellm";

/// The routes of this surface.
pub fn routes() -> Vec<SurfaceRoute> {
    let path = "/beta/litellm_basic_guardrail_api";
    // The body says which permission a request needs.
    vec![route(path, Access::SignedIn, Operation::Analyze, post(handle), error)]
}

/// LiteLLM shows the status and discards the body, so errors keep our form.
fn error(status: StatusCode, detail: &str) -> (StatusCode, Value) {
    (status, json!({ "detail": detail }))
}

async fn handle(
    State(memory): State<CallMemory>,
    caller: SurfaceCaller,
    Body(check): Body<Check>,
) -> Result<Json<Value>, Error> {
    let (digest, is_response) = (check.digest, check.is_response);
    let id = check.call_id.as_ref().map(|id| format!("{NAME} {is_response} {id}"));
    let (call, places) = guard_request(&caller, check)?;
    let Some(id) = id else {
        let ((answer, _), _) = evaluate(&caller, call, &places, &[]).await?;
        return Ok(Json(answer));
    };
    let mut remembered = memory.call(&caller.principal, call.project(), id).await;
    let state = &mut remembered.state;
    if let Some(answer) = state.answer(digest) {
        outcome_counter::mark_recorded();
        return Ok(Json(answer));
    }
    let call = GuardRequest { units_paid: state.units_paid, ..call };
    let ((answer, sent), units) = evaluate(&caller, call, &places, &state.sent).await?;
    state.units_paid = state.units_paid.max(units);
    state.answered = Some((digest, answer.clone()));
    state.sent = sent;
    remembered.keep();
    Ok(Json(answer))
}

/// Returns the guard request of a check, and the places of its texts.
fn guard_request(caller: &SurfaceCaller, check: Check) -> Result<(GuardRequest, Vec<Place>), Error> {
    let Check { conversation, images, call_id, sender, project_id, .. } = check;
    let Conversation { mut submission, places } = conversation;
    let operation = match submission.direction {
        Direction::Input => Operation::Analyze,
        Direction::Output => Operation::Validate,
    };
    submission.has_unread = images.has_unread;
    caller.at_most("images", &images.files)?;
    let call = GuardRequest {
        attached: Attachments { images: images.files, ..Attachments::default() },
        sender,
        foreign_id: foreign_id(call_id.as_deref()),
        ..caller.request(NAME, operation, submission, project_id)?
    };
    Ok((call, places))
}

/// Evaluates a call. Returns the answer with what was sent of a response after it, and the units of text.
async fn evaluate(
    caller: &SurfaceCaller,
    call: GuardRequest,
    places: &[Place],
    sent: &[SentText],
) -> Result<((Value, Vec<SentText>), i64), Error> {
    let pending = Box::pin(caller.guard.evaluate(call)).await?;
    let (call, keys) = (Arc::clone(&pending.call), Arc::clone(&pending.keys));
    let recorded = caller.guard.record(pending, SideEffects::default()).await?;
    let (submission, evaluation) = (&call.submission, &recorded.evaluation);
    let evaluated = Evaluated { submission, places, evaluation, keys: &keys.mask };
    let answer = match call.operation {
        Operation::Validate => evaluated.response_answer(sent),
        _ => (evaluated.request_answer(), Vec::new()),
    };
    Ok((answer, recorded.units))
}
