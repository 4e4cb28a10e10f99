//! The tools that a server offers: kept as they were first seen, and refused once they differ.

use std::collections::BTreeMap;

use guardengine_auth::{Principal, audit};
use guardengine_engine::Verdict;
use guardengine_integrations::events;
use guardengine_store::{Connector, MAX_TOOLS, McpTool, SeenTool, hexadecimal};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::{
    app::Tenants,
    http::Error,
    surfaces::{json_texts::texts_in, mcp::message::RpcError},
};

/// Longest definition of a tool, in bytes.
const MAX_DEFINITION: usize = 32 << 10;
/// Longest name of a tool, in bytes.
const MAX_NAME: usize = 200;
/// Action in the audit trail. Nobody holds it as a permission: it follows from a list of tools.
const SEEN: &str = "CONNECTORS:SEE_TOOLS";

/// Returns for each tool whether the verdict on its texts, which were evaluated as documents in their order, stops it. A
/// finding without a place stops all.
pub fn blocked(verdict: &Verdict, tools: &[Value], texts: usize) -> Vec<bool> {
    if verdict.outcome.allows() {
        return vec![false; tools.len()];
    }
    let severe = || verdict.triggered.iter().filter(|one| !one.outcome.allows());
    let mut documents = vec![false; texts];
    for span in severe().flat_map(|one| &one.spans) {
        if let Some(found) = span.document.and_then(|document| documents.get_mut(document)) {
            *found = true;
        }
    }
    let has_place = |spans: &[guardengine_engine::evidence::PublicSpan]| {
        !spans.is_empty() && spans.iter().all(|span| span.document.is_some())
    };
    if severe().count() == 0 || !severe().all(|one| has_place(&one.spans)) {
        return vec![true; tools.len()];
    }
    let mut at = 0;
    let stops = |tool: &Value| {
        let count = texts_in(tool).len();
        let own = documents.get(at..at + count).is_none_or(|own| own.contains(&true));
        at += count;
        own
    };
    tools.iter().map(stops).collect()
}

/// Returns the tools whose definition is new or accepted, and keeps what was seen.
pub async fn accepted<'t>(
    tenants: &Tenants,
    caller: &Principal,
    connector: &Connector,
    tools: &[&'t Value],
) -> Result<Vec<&'t Value>, Error> {
    let seen: Vec<(&Value, SeenTool)> =
        tools.iter().filter_map(|tool| Some((*tool, seen(tool)?))).take(MAX_TOOLS).collect();
    let known: BTreeMap<String, McpTool> = by_name(tenants, connector).await?;
    let mut room = MAX_TOOLS.saturating_sub(known.len());
    let (mut accepted, mut news) = (Vec::new(), News::default());
    for (tool, seen) in seen {
        match known.get(&seen.name) {
            Some(kept) if kept.digest == seen.digest => {
                accepted.push(tool);
                if kept.changed_digest.is_some() {
                    news.reverted.push(seen);
                }
            }
            Some(kept) if kept.changed_digest.as_ref() == Some(&seen.digest) => {}
            Some(_) => news.changed.push(seen),
            None if room > 0 => {
                room -= 1;
                accepted.push(tool);
                news.added.push(seen);
            }
            None => {}
        }
    }
    news.keep(tenants, caller, connector).await?;
    Ok(accepted)
}

async fn by_name(tenants: &Tenants, connector: &Connector) -> Result<BTreeMap<String, McpTool>, Error> {
    let tools = tenants.db.mcp_tools(connector.org_id, connector.id).await?;
    Ok(tools.into_iter().map(|tool| (tool.name.clone(), tool)).collect())
}

/// Definitions that differ from those that are kept.
#[derive(Default)]
struct News {
    added: Vec<SeenTool>,
    changed: Vec<SeenTool>,
    reverted: Vec<SeenTool>,
}

impl News {
    async fn keep(self, tenants: &Tenants, caller: &Principal, connector: &Connector) -> Result<(), Error> {
        let names = |tools: &[SeenTool]| tools.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>();
        let (changed, now) = (names(&self.changed), tenants.clock.now());
        let details = json!({ "added": names(&self.added), "changed": changed,
            "reverted": names(&self.reverted) });
        let event = (!changed.is_empty()).then(|| events::of_changed_tools(connector, &changed, now));
        if event.is_some() {
            tracing::warn!(connector = %connector.id, tools = ?changed, "definitions of tools changed");
        }
        let all: Vec<_> = [self.added, self.changed, self.reverted].concat();
        if all.is_empty() {
            return Ok(());
        }
        let mut tx = tenants.audited().await?;
        tx.see_mcp_tools((connector.org_id, connector.id), &all, event.as_ref(), now).await?;
        Ok(audit::commit(tx, caller, SEEN, connector.id, details).await?)
    }
}

/// Returns a tool as it is kept; `None` if it has no name or is too large.
fn seen(tool: &Value) -> Option<SeenTool> {
    let name = tool["name"].as_str().filter(|name| !name.is_empty() && name.len() <= MAX_NAME)?.to_owned();
    let definition = sorted(tool).to_string();
    let digest = hexadecimal(&Sha256::digest(&definition));
    (definition.len() <= MAX_DEFINITION).then_some(SeenTool { name, digest, definition })
}

/// Returns a value with its keys in order: their order is no change of a definition.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields: BTreeMap<_, _> = fields.iter().map(|(name, field)| (name, sorted(field))).collect();
            json!(fields)
        }
        Value::Array(items) => items.iter().map(sorted).collect::<Vec<_>>().into(),
        other => other.clone(),
    }
}

/// Returns why a tool may not be called, if so: only tools that were listed and accepted are.
pub async fn may_call(
    tenants: &Tenants,
    key: (Uuid, Uuid),
    name: Option<&str>,
) -> Result<Result<(), RpcError>, Error> {
    let Some(name) = name else { return Ok(Err(RpcError::params("params.name: must be a string"))) };
    let shown: String = name.chars().take(100).collect();
    let known = tenants.db.mcp_tool(key, name).await?;
    Ok(match known {
        Some(tool) if tool.changed_digest.is_none() => Ok(()),
        Some(_) => Err(RpcError::service(format!(
            "the definition of the tool {shown} changed: somebody who may change connectors must accept it first"
        ))),
        None => Err(RpcError::params(format!("unknown tool: {shown} (list the tools first)"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_keys_is_no_change_and_a_word_is_one() {
        let digest = |text: &str| seen(&serde_json::from_str(text).unwrap()).map(|seen| seen.digest);
        let first = digest(r#"{"name":"add","inputSchema":{"type":"object","required":["a","b"]}}"#);
        assert_eq!(first, digest(r#"{"inputSchema":{"required":["a","b"],"type":"object"},"name":"add"}"#));
        assert_ne!(first, digest(r#"{"name":"add","inputSchema":{"type":"object","required":["b","a"]}}"#));
        assert_ne!(first, digest(r#"{"name":"add","description":"Add."}"#));
        assert_eq!(digest(r#"{"description":"no name"}"#), None);
    }
}
