//! The tools.

use axum::extract::FromRef as _;
use guardengine_api_types::GuardDecision;
use guardengine_auth::permission;
use guardengine_engine::{
    RequestOptions,
    fields::{FieldError, Fields},
    guardrail::Direction,
    pii::mask::Strategy,
};
use guardengine_guard::{GuardRequest, Operation, submission::Submission};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{super::call::SurfaceCaller, NAME, message::RpcError};
use crate::{
    app::{App, Tenants},
    http::{Error, optional_id},
};

const CHECK: &str = "guard_check";
const MASK: &str = "mask_pii";
const UNMASK: &str = "unmask";
const DIRECTIONS: [(&str, Direction); 2] = [("input", Direction::Input), ("output", Direction::Output)];

/// Returns the definitions of all tools.
pub fn definitions() -> Value {
    let text = json!({ "type": "string", "description": "The text." });
    let project = json!({ "type": "string", "format": "uuid",
        "description": "Project whose policy applies. By default that of the API key, or the default policy." });
    let strategies: Vec<_> = Strategy::ALL.iter().map(|(name, _)| *name).collect();
    json!([
        {
            "name": CHECK,
            "description": "Checks a text against the guardrail policy: may it go to a model (input) or to the user (output)?",
            "inputSchema": { "type": "object", "required": ["text"], "properties": {
                "text": text, "project": project,
                "direction": { "type": "string", "enum": ["input", "output"], "default": "input" },
            } },
            "annotations": { "readOnlyHint": true },
        },
        {
            "name": MASK,
            "description": "Masks personal data in a text. Tokens can be restored with unmask.",
            "inputSchema": { "type": "object", "required": ["text"], "properties": {
                "text": text, "project": project,
                "strategy": { "type": "string", "enum": strategies, "default": "full" },
            } },
            "annotations": { "readOnlyHint": true },
        },
        {
            "name": UNMASK,
            "description": "Restores the values behind the tokens in a text. Recorded in the audit trail.",
            "inputSchema": { "type": "object", "required": ["text"], "properties": { "text": text } },
            "annotations": { "readOnlyHint": true },
        },
    ])
}

/// Calls a tool. An error of the tool itself is a result that the model reads; the wrong name or parameters are not.
pub async fn call(app: &App, caller: &SurfaceCaller, params: &Value) -> Result<Value, RpcError> {
    let none = json!({});
    let arguments = params.get("arguments").filter(|given| !given.is_null()).unwrap_or(&none);
    let fields = Fields::of(arguments, "arguments").map_err(|error| invalid(&error))?;
    let done = match params["name"].as_str() {
        Some(CHECK) => check(caller, Check::read(fields).map_err(|error| invalid(&error))?).await,
        Some(MASK) => mask(caller, Mask::read(fields).map_err(|error| invalid(&error))?).await,
        Some(UNMASK) => {
            unmask(app, caller, fields.required_string("text").map_err(|error| invalid(&error))?).await
        }
        name => {
            let shown: String = name.unwrap_or_default().chars().take(100).collect();
            return Err(RpcError::params(format!("unknown tool: {shown}")));
        }
    };
    Ok(match done {
        Ok(found) => result(&found, false),
        Err(error) => result(&json!({ "detail": error.message() }), true),
    })
}

fn invalid(error: &FieldError) -> RpcError {
    RpcError::params(error.to_string())
}

fn result(found: &Value, is_error: bool) -> Value {
    json!({ "content": [{ "type": "text", "text": found.to_string() }], "structuredContent": found,
        "isError": is_error, "resultType": "complete" })
}

/// Arguments of a check.
struct Check {
    text: String,
    direction: Direction,
    project: Option<Uuid>,
}

impl Check {
    fn read(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            text: fields.required_string("text")?.to_owned(),
            direction: fields.choice("direction", &DIRECTIONS)?.unwrap_or(Direction::Input),
            project: optional_id(fields, "project")?,
        })
    }
}

async fn check(caller: &SurfaceCaller, check: Check) -> Result<Value, Error> {
    let Check { text, direction, project } = check;
    let operation = match direction {
        Direction::Input => Operation::Analyze,
        Direction::Output => Operation::Validate,
    };
    let call = caller.request(NAME, operation, Submission::of(direction, text), project)?;
    let recorded = caller.guard.answer(call).await?;
    let evaluation = &recorded.evaluation;
    let decision =
        GuardDecision::of(&evaluation.verdict, recorded.processing_time_ms, &recorded.model_version);
    let mut shown = serde_json::to_value(decision).map_err(Error::internal)?;
    shown["masked_text"] = json!(evaluation.masked);
    shown["log_id"] = json!(recorded.log_id);
    Ok(shown)
}

/// Arguments of masking.
struct Mask {
    text: String,
    strategy: Strategy,
    project: Option<Uuid>,
}

impl Mask {
    fn read(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            text: fields.required_string("text")?.to_owned(),
            strategy: fields.choice("strategy", &Strategy::ALL)?.unwrap_or(Strategy::Full),
            project: optional_id(fields, "project")?,
        })
    }
}

async fn mask(caller: &SurfaceCaller, mask: Mask) -> Result<Value, Error> {
    let Mask { text, strategy, project } = mask;
    let submission = Submission::of(Direction::Input, text.clone());
    let call = GuardRequest {
        asked: RequestOptions { mask: true, strategy: Some(strategy), ..RequestOptions::default() },
        ..caller.request(NAME, Operation::Mask, submission, project)?
    };
    let evaluation = caller.guard.answer(call).await?.evaluation;
    let mut found: Vec<&str> = Vec::new();
    for entity in &evaluation.entities {
        if !found.contains(&&*entity.kind) {
            found.push(&entity.kind);
        }
    }
    let is_masked = evaluation.masked.is_some();
    Ok(
        json!({ "masked_text": evaluation.masked.unwrap_or(text), "pii_found": found, "masking_applied": is_masked }),
    )
}

async fn unmask(app: &App, caller: &SurfaceCaller, text: &str) -> Result<Value, Error> {
    guardengine_guard::outcome_counter::mark_recorded();
    caller.needs(permission::UNMASK)?;
    let now = Tenants::from_ref(app).clock.now();
    let restored = caller.guard.unmask(&caller.principal, text, now).await?;
    Ok(json!({ "text": restored.text, "restored": restored.restored }))
}
