//! Fields of a view in requests.

use std::collections::BTreeMap;

use guardengine_engine::fields::{FieldError, Fields};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    http::{FromFields, required_name},
    routes::logs::filter::FILTER_NAMES,
};

/// Values of a filter.
const MAX_VALUES: usize = 50;
/// Longest value, in characters.
const MAX_VALUE: usize = 1_000;
/// Columns of a view.
const MAX_COLUMNS: usize = 40;
/// Longest name of a column, in characters.
const MAX_COLUMN: usize = 60;

/// Filters, period and columns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ViewContent {
    /// Values of each filter, by the names of `GET /api/logs`. A relative period is `last`, such as `24h`.
    pub filters: BTreeMap<String, Vec<String>>,
    /// Columns in their order; empty for the usual ones.
    pub columns: Vec<String>,
}

/// A view to save.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "name": "Blocked today", "filters": { "decision": ["block"], "last": ["24h"] }, "shared": true }))]
pub struct ViewRequest {
    /// 1 to 100 characters.
    #[schema(value_type = crate::schemas::NewName)]
    pub name: String,
    /// True if the whole organization sees the view. Default: false.
    #[schema(value_type = Option<bool>)]
    pub shared: bool,
    #[serde(flatten)]
    pub content: ViewContent,
}

impl FromFields for ViewRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            name: required_name(fields, "name")?,
            shared: fields.boolean("shared")?.unwrap_or(false),
            content: ViewContent {
                filters: filters(fields)?,
                columns: fields.strings("columns", MAX_COLUMNS, MAX_COLUMN)?.unwrap_or_default(),
            },
        })
    }
}

fn filters(fields: Fields<'_>) -> Result<BTreeMap<String, Vec<String>>, FieldError> {
    let Some(value) = fields.get("filters") else { return Ok(BTreeMap::new()) };
    let inner = Fields::of(value, "filters")?;
    let names = value.as_object().into_iter().flatten().map(|(name, _)| name);
    let mut read = BTreeMap::new();
    for name in names {
        let is_known = FILTER_NAMES.contains(&name.trim_start_matches("not_")) || name == "last";
        if !is_known {
            let shown: String = name.chars().take(60).collect();
            return Err(FieldError::value("filters", format!("\"{shown}\" is not a filter of the log")));
        }
        let values = inner.strings(name, MAX_VALUES, MAX_VALUE).map_err(|error| error.under("filters"))?;
        read.insert(name.clone(), values.unwrap_or_default());
    }
    Ok(read)
}

/// Returns the stored content of a view.
pub fn stored(content: &str) -> ViewContent {
    serde_json::from_str(content).unwrap_or_default()
}

/// Returns the content of a view for the store.
pub fn written(content: &ViewContent) -> String {
    serde_json::to_value(content).unwrap_or(Value::Null).to_string()
}
