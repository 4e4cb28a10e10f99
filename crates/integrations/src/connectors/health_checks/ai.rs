//! Health checks of AI model providers: request the model's description, which is free, or else one token.
//!
//! Sources: <https://platform.openai.com/docs/api-reference/models/retrieve> and /chat/create;
//! <https://docs.anthropic.com/en/api/models> and /messages; <https://ai.google.dev/api/models> and /generate-content;
//! <https://learn.microsoft.com/azure/ai-services/openai/reference> (data plane), which describes no deployments.

use guardengine_egress::{Error, Request, Response, join_path};
use serde_json::{Value, json};

use super::{Checked, describe_error};
use crate::connectors::OpenConnector;

pub(super) async fn check(checked: &Checked<'_>) -> Result<(), String> {
    let Some(description) = description(checked.connector) else {
        return one_token(checked).await;
    };
    match checked.ask(description).await {
        Ok(response) if lists_models(checked.connector, &response) => Ok(()),
        Ok(_) => one_token(checked).await,
        // A gateway may support completions only.
        Err(error) if matches!(error.status(), Some(404 | 405 | 501)) => one_token(checked).await,
        Err(error) => Err(describe_error(&error)),
    }
}

fn description(connector: &OpenConnector) -> Option<Request> {
    let model = connector.text("model");
    let path: &[&str] = match connector.kind.name {
        "openai" => &["models", model],
        "anthropic" => &["v1", "models", model],
        "gemini" => &["v1beta", "models", model],
        "openai_compatible" => &["models"],
        _ => return None,
    };
    let request = Request::get(connector.stored.id, join_path(connector.text("base_url"), path));
    Some(authorised(connector, request))
}

/// Checks that a list of models contains the configured ones. Other responses describe the requested model.
fn lists_models(connector: &OpenConnector, response: &Response) -> bool {
    if connector.kind.name != "openai_compatible" {
        return true;
    }
    let list = response.json();
    let is_listed =
        |id: &str| list["data"].as_array().is_some_and(|data| data.iter().any(|one| one["id"] == id));
    let configured = ["model", "transcription_model"].map(|field| connector.text(field));
    configured.into_iter().filter(|id| !id.is_empty()).all(is_listed)
}

async fn one_token(checked: &Checked<'_>) -> Result<(), String> {
    if checked.connector.kind.name == "openai_compatible" && checked.text("model").is_empty() {
        // A transcription model has no tokens to request. The list exists, so the model should be on it.
        return Err("the server does not list the transcription model".to_owned());
    }
    let outcome = match checked.ask(one_token_request(checked.connector, "max_tokens")).await {
        Err(error) if wants_other_limit(&error) => {
            checked.ask(one_token_request(checked.connector, "max_completion_tokens")).await
        }
        outcome => outcome,
    };
    outcome.map(drop).map_err(|error| describe_error(&error))
}

/// Reasoning models take the limit under another name.
fn wants_other_limit(error: &Error) -> bool {
    let Error::Status(response) = error else { return false };
    response.status == 400 && String::from_utf8_lossy(&response.body).contains("max_completion_tokens")
}

fn one_token_request(connector: &OpenConnector, limit: &str) -> Request {
    let (id, model) = (connector.stored.id, connector.text("model"));
    let post = |base: &str, path: &[&str], body: &Value| {
        Request::post(id, join_path(connector.text(base), path), body.to_string())
    };
    let chat = |more: &[(&str, &str)]| {
        let mut body = json!({ "messages": [{ "role": "user", "content": "ping" }], limit: 1 });
        for (name, value) in more {
            body[*name] = json!(value);
        }
        body
    };
    let request = match connector.kind.name {
        "anthropic" => post("base_url", &["v1", "messages"], &chat(&[("model", model)])),
        "gemini" => {
            let body = json!({
                "contents": [{ "role": "user", "parts": [{ "text": "ping" }] }],
                "generationConfig": { "maxOutputTokens": 1 },
            });
            post("base_url", &["v1beta", "models", &format!("{model}:generateContent")], &body)
        }
        "azure_openai" => {
            let path = ["openai", "deployments", connector.text("deployment"), "chat", "completions"];
            let url = format!(
                "{}?api-version={}",
                join_path(connector.text("endpoint"), &path),
                connector.text("api_version")
            );
            Request::post(id, url, chat(&[]).to_string())
        }
        _ => post("base_url", &["chat", "completions"], &chat(&[("model", model)])),
    };
    authorised(connector, request)
}

/// Adds the API key to a request, in the header that the provider expects.
pub fn authorised(connector: &OpenConnector, request: Request) -> Request {
    let key = connector.text("api_key");
    match connector.kind.name {
        _ if key.is_empty() => request,
        "anthropic" => request.header("x-api-key", key).header("anthropic-version", "2023-06-01"),
        "azure_openai" => request.header("api-key", key),
        "gemini" => request.header("x-goog-api-key", key),
        _ => request.bearer(key),
    }
}
