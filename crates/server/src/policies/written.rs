//! Schemas of the policy for the API document. The engine, which defines the policy, does not depend on HTTP.
//!
//! Responses have every field. Of a request, the same fields are optional: [`PolicyRequest`] and [`PolicyChange`].

#![expect(dead_code, reason = "schemas for the API document, which are never constructed")]

use guardengine_api_types::choices;
use guardengine_engine::{
    detectors,
    settings::{Field, FieldKind, Kind, Record, Setting},
};
use serde_json::Value;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        Ref, RefOr, Schema,
        schema::{ArrayBuilder, ObjectBuilder, Type},
    },
};

/// A policy. `docs/reference/policies.md` describes every field.
#[derive(Debug, ToSchema)]
#[expect(non_snake_case, reason = "wire names")]
pub struct WrittenPolicy {
    /// 1 to 100 characters, unique in the organization.
    #[schema(value_type = crate::schemas::NewName)]
    pub policyName: String,
    #[schema(max_length = 5000)]
    pub policyDescription: String,
    pub policyMode: PolicyMode,
    #[schema(max_items = 100)]
    pub guardrails: Vec<WrittenGuardrail>,
    /// Maximum prompt length, characters. Longer prompts are blocked.
    #[schema(minimum = 1, maximum = 1_000_000)]
    pub max_prompt_length: u32,
    /// A text with one of these skips guardrail blocks. Masking still applies.
    pub allowed_keywords: Vec<String>,
    /// A text with one of these is blocked.
    pub blocked_keywords: Vec<String>,
    /// Maximum share of harmless texts that a guardrail may flag, 0.0005 to 0.1. Thresholds that are not set are chosen
    /// to meet it.
    #[schema(required = false, minimum = 0.0005, maximum = 0.1)]
    pub false_positive_budget: Option<f64>,
    #[schema(required, max_length = 100)]
    pub compliance_region: Option<String>,
    #[schema(max_items = 100)]
    pub compliance_frameworks: Vec<String>,
    #[schema(required = false)]
    pub llm_reasoning: Option<WrittenReasoning>,
    #[schema(required = false, nullable = false)]
    pub incomplete_coverage: Option<WrittenCoverageRule>,
}

/// Directions that a policy applies to.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum PolicyMode {
    Input,
    Output,
    Unified,
}

/// Action when a guardrail triggers.
#[derive(Debug, ToSchema)]
pub enum WrittenAction {
    Block,
    Allow,
    Challenge,
    Escalate,
}

/// Source of a text.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum WrittenSource {
    /// The prompt.
    Prompt,
    /// Earlier turns of the conversation.
    History,
    /// Documents, tool results and tool descriptions.
    Documents,
    /// The response of the model.
    Response,
    /// Text read from images, and transcripts.
    Media,
}

/// A guardrail of a policy: the settings that every guardrail has, and those that the guardrails declare.
#[derive(Debug)]
pub struct WrittenGuardrail;

/// A guardrail of a policy. Settings that do not apply to it are absent.
#[derive(Debug, ToSchema)]
struct CommonSettings {
    /// Name in the API.
    #[schema(value_type = crate::schemas::GuardrailName)]
    guardrail: String,
    #[schema(max_length = 5000)]
    description: String,
    /// Minimum confidence that triggers, 0 to 1.
    #[schema(minimum = 0, maximum = 1)]
    threshold: f64,
    enabled: bool,
    action: WrittenAction,
    #[schema(required)]
    ticket: Option<WrittenTicket>,
    /// Sources that it applies to; those of the guardrail (`GET /api/guardrails`) if absent.
    #[schema(required = false, nullable = false)]
    applies_to: Option<Vec<WrittenSource>>,
    /// Keywords that exempt a text from this guardrail only. Not available for `pii`.
    #[schema(required = false, nullable = false)]
    exceptions: Option<Vec<String>>,
}

/// A policy to create.
#[derive(Debug)]
pub struct PolicyRequest;

/// Fields of a policy to change.
#[derive(Debug)]
pub struct PolicyChange;

/// A guardrail of a policy that is created or changed.
#[derive(Debug)]
struct GuardrailRequest;

impl PartialSchema for PolicyRequest {
    fn schema() -> RefOr<Schema> {
        requested(&["policyName"], "A policy to create. Absent fields get their default.")
    }
}

impl PartialSchema for PolicyChange {
    fn schema() -> RefOr<Schema> {
        requested(&[], "Fields of a policy to change. Absent fields keep their value.")
    }
}

impl PartialSchema for GuardrailRequest {
    fn schema() -> RefOr<Schema> {
        requiring(
            WrittenGuardrail::schema(),
            &["guardrail"],
            "A guardrail of a policy. Absent fields get their default.",
        )
    }
}

impl ToSchema for GuardrailRequest {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        WrittenGuardrail::schemas(schemas);
    }
}

impl ToSchema for PolicyRequest {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        requested_schemas(schemas);
    }
}

impl ToSchema for PolicyChange {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        requested_schemas(schemas);
    }
}

/// Returns the schema of a policy of which only those fields are required.
fn requested(required: &[&str], help: &str) -> RefOr<Schema> {
    let mut schema = requiring(WrittenPolicy::schema(), required, help);
    if let RefOr::T(Schema::Object(object)) = &mut schema
        && let Some(RefOr::T(Schema::Array(guardrails))) = object.properties.get_mut("guardrails")
    {
        guardrails.items = Ref::from_schema_name(GuardrailRequest::name()).into();
    }
    schema
}

fn requested_schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
    schemas.push((GuardrailRequest::name().into_owned(), GuardrailRequest::schema()));
    GuardrailRequest::schemas(schemas);
    WrittenPolicy::schemas(schemas);
}

/// Returns the schema with another description, and with only those fields required.
fn requiring(mut schema: RefOr<Schema>, required: &[&str], help: &str) -> RefOr<Schema> {
    if let RefOr::T(Schema::Object(object)) = &mut schema {
        object.required = required.iter().map(|name| (*name).to_owned()).collect();
        object.description = Some(help.to_owned());
    }
    schema
}

impl PartialSchema for WrittenGuardrail {
    fn schema() -> RefOr<Schema> {
        let mut schema = CommonSettings::schema();
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            object.properties.extend(declared_settings());
        }
        schema
    }
}

impl ToSchema for WrittenGuardrail {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        CommonSettings::schemas(schemas);
        for (setting, _) in settings() {
            if let Kind::Records { record, .. } = &setting.kind {
                schemas.push((record_name(record), record_schema(record)));
            }
        }
    }
}

/// Returns the properties of the declared settings.
fn declared_settings() -> impl Iterator<Item = (String, RefOr<Schema>)> {
    settings().into_iter().map(|(setting, guardrails)| {
        let names: Vec<_> = guardrails.iter().map(|name| format!("`{name}`")).collect();
        let description = format!("{}: {}", names.join(", "), setting.help);
        (setting.name.to_owned(), setting_schema(&setting.kind, &description))
    })
}

/// Returns every declared setting with the names of its guardrails.
fn settings() -> Vec<(&'static Setting, Vec<&'static str>)> {
    let mut settings: Vec<(&Setting, Vec<&str>)> = Vec::new();
    for guardrail in detectors::DETECTORS.iter().map(|detector| detector.guardrail()) {
        for setting in guardrail.settings {
            match settings.iter_mut().find(|(known, _)| known.name == setting.name) {
                Some((_, guardrails)) => guardrails.push(guardrail.name),
                None => settings.push((setting, vec![guardrail.name])),
            }
        }
    }
    settings
}

fn setting_schema(kind: &Kind, description: &str) -> RefOr<Schema> {
    let object = |kind| ObjectBuilder::new().schema_type(kind);
    let array = |items: RefOr<Schema>, most: usize| {
        ArrayBuilder::new().items(items).max_items(Some(most)).description(Some(description))
    };
    match *kind {
        Kind::Boolean => object(Type::Boolean).description(Some(description)).into(),
        Kind::Choice(names) => {
            let mut canonical: Vec<_> = names.iter().map(|(_, name)| *name).collect();
            canonical.dedup();
            choices::one_of(canonical, description)
        }
        Kind::Texts { max_items, max_chars } => {
            array(object(Type::String).max_length(Some(max_chars)).into(), max_items).into()
        }
        Kind::Records { max_items, record } => {
            array(Ref::from_schema_name(record_name(record)).into(), max_items).into()
        }
    }
}

fn record_name(record: &Record) -> String {
    format!("Written{}", record.name)
}

fn record_schema(record: &Record) -> RefOr<Schema> {
    let record_object = ObjectBuilder::new().schema_type(Type::Object).description(Some(record.help));
    let fields = record.fields.iter().fold(record_object, |object, field| {
        let object = object.property(field.name, field_schema(field));
        if field.is_required { object.required(field.name) } else { object }
    });
    let computed = |object: ObjectBuilder, field: &Field| object.property(field.name, read_only(field));
    record.computed.iter().fold(fields, computed).into()
}

/// Returns the schema of a field that only responses have.
fn read_only(field: &Field) -> RefOr<Schema> {
    let mut schema = field_schema(field);
    if let RefOr::T(Schema::Object(object)) = &mut schema {
        object.read_only = Some(true);
    }
    schema
}

fn field_schema(field: &Field) -> RefOr<Schema> {
    let text = || ObjectBuilder::new().schema_type(Type::String);
    let help = Some(field.help);
    match field.kind {
        FieldKind::Name(max_chars) | FieldKind::Note(max_chars) => {
            text().max_length(Some(max_chars)).description(help).into()
        }
        FieldKind::Text => text().description(help).into(),
        FieldKind::Texts { min_items, max_items, max_chars } => ArrayBuilder::new()
            .items(text().max_length(Some(max_chars)))
            .min_items(Some(min_items))
            .max_items(Some(max_items))
            .description(help)
            .into(),
        FieldKind::Choice(names) => setting_schema(&Kind::Choice(names), field.help),
        FieldKind::Probability => ObjectBuilder::new()
            .schema_type(Type::Number)
            .minimum(Some(0))
            .maximum(Some(1))
            .description(help)
            .into(),
    }
}

/// The ticket that a guardrail creates. Texts can contain variables such as `{guardrail}`.
#[derive(Debug, ToSchema)]
pub struct WrittenTicket {
    /// Identifier of a ticket connector.
    #[schema(value_type = uuid::Uuid)]
    pub connector_id: String,
    /// Title, at most 200 characters.
    #[schema(required = false, nullable = false)]
    pub title: Option<String>,
    /// Priority, as the ticket system names it.
    #[schema(required = false, nullable = false)]
    pub priority: Option<String>,
    /// Labels, at most 20, without spaces.
    #[schema(required = false, nullable = false)]
    pub labels: Option<Vec<String>>,
    /// Fields of the ticket system.
    #[schema(required = false, nullable = false, value_type = Option<std::collections::HashMap<String, Value>>)]
    pub fields: Option<Value>,
}

/// Action on a request that was not read completely (`coverage.complete` is false).
#[derive(Debug, ToSchema)]
pub struct WrittenCoverageRule {
    /// `Block` by default. `Allow` turns the rule off.
    pub action: WrittenAction,
}

/// Second opinion of a language model, for requests that ask for it.
#[derive(Debug, ToSchema)]
pub struct WrittenReasoning {
    /// AI connector; null for the oldest active one.
    #[schema(required, value_type = Option<uuid::Uuid>)]
    pub connector_id: Option<String>,
    /// Maximum reduction of a confidence, 0 to 0.2.
    #[schema(minimum = 0, maximum = 0.2)]
    pub may_lower: f64,
}

#[cfg(test)]
mod tests {
    use guardengine_engine::policy::document::Policy;
    use serde_json::json;

    use super::*;

    /// Property names of a schema.
    fn properties(schema: impl serde::Serialize) -> Vec<String> {
        let schema = serde_json::to_value(schema).unwrap();
        schema["properties"].as_object().unwrap().keys().cloned().collect()
    }

    fn are_described(written: &Value, schema: impl serde::Serialize) {
        let known = properties(schema);
        let unknown = written.as_object().unwrap().keys().filter(|name| !known.contains(name));
        assert_eq!(unknown.collect::<Vec<_>>(), Vec::<&String>::new());
    }

    #[test]
    fn every_field_that_a_policy_is_written_with_is_in_the_document() {
        let item = |guardrail: &str, more: Value| {
            let mut item = json!({ "guardrail": guardrail });
            item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            item
        };
        let policy = json!({
            "policyName": "a", "false_positive_budget": 0.01, "compliance_region": "EU",
            "llm_reasoning": { "may_lower": 0.1 },
            "guardrails": [
                item("spam", json!({ "exceptions": ["free seats"], "applies_to": ["prompt", "documents"] })),
                item("pii", json!({ "pii_masking_enabled": true, "pii_masking_strategy": "hash", "pii_kinds": ["email"] })),
                item("custom_regex", json!({ "patterns": [{ "name": "a", "pattern": "b+" }] })),
                item("custom_topics", json!({ "topics": [{ "name": "a", "examples": ["one", "two", "three"] }] })),
                item("confidential_terms", json!({ "terms": ["aurora"], "documents": ["a passage of several words in a row"] })),
            ],
        });
        let written = serde_json::to_value(Policy::parse(&policy).unwrap()).unwrap();
        are_described(&written, WrittenPolicy::schema());
        for item in written["guardrails"].as_array().unwrap() {
            are_described(item, WrittenGuardrail::schema());
        }
        are_described(&written["llm_reasoning"], WrittenReasoning::schema());
    }
}
