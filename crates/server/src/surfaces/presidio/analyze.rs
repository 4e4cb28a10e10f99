//! `POST /analyze`: the entities of a text, or of each text of a list.

use std::collections::HashSet;

use axum::Json;
use guardengine_api_types::rounded;
use guardengine_engine::{
    RequestOptions,
    fields::{FieldError, Fields},
    guardrail::Direction,
    pii::mask::Strategy,
};
use guardengine_guard::{GuardRequest, Operation, evaluate::FoundEntity, submission::Submission};
use serde_json::{Value, json};

use super::{super::call::SurfaceCaller, entities};
use crate::http::{Body, Error, FromFields};

/// Name in log entries.
pub const NAME: &str = "presidio";
/// Most texts of one call.
const MAX_TEXTS: usize = 1_000;
/// Most entries of a list, and their length.
const MAX_LIST: usize = 1_000;
const MAX_ENTRY: usize = 1_000;
const MATCHES: [(&str, bool); 1] = [("exact", true)];

/// Texts to analyze, and which entities to return.
pub struct Analysis {
    texts: Vec<String>,
    /// True for a list of texts, which is answered with a list of lists.
    is_list: bool,
    /// Our names of the entities to return; `None` for all.
    kinds: Option<HashSet<String>>,
    threshold: f32,
    /// Values to leave out.
    allowed: HashSet<String>,
}

impl FromFields for Analysis {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let (texts, is_list) = texts(fields)?;
        if fields.string("language")?.is_none_or(str::is_empty) {
            return Err(FieldError::required("language"));
        }
        let kinds = fields.strings("entities", MAX_LIST, MAX_ENTRY)?.filter(|names| !names.is_empty());
        let threshold = fields.probability("score_threshold")?.unwrap_or(0.0);
        let allowed = fields.strings("allow_list", MAX_LIST, MAX_ENTRY)?.unwrap_or_default();
        // Patterns of callers would need limits of their own; policies have them.
        fields.choice("allow_list_match", &MATCHES)?;
        if fields
            .get("ad_hoc_recognizers")
            .is_some_and(|given| given.as_array().is_none_or(|list| !list.is_empty()))
        {
            let instead = "not supported: add the pattern to the policy as custom_pii";
            return Err(FieldError::value("ad_hoc_recognizers", instead));
        }
        Ok(Self {
            texts,
            is_list,
            kinds: kinds.map(|names| names.iter().map(|name| entities::kind(name).into_owned()).collect()),
            threshold,
            allowed: allowed.into_iter().collect(),
        })
    }
}

fn texts(fields: Fields<'_>) -> Result<(Vec<String>, bool), FieldError> {
    match fields.get("text") {
        Some(Value::String(text)) if !text.is_empty() => Ok((vec![text.clone()], false)),
        Some(Value::Array(items)) if (1..=MAX_TEXTS).contains(&items.len()) => {
            let text = |(at, item): (usize, &Value)| {
                let text = item.as_str().map(str::to_owned);
                text.ok_or_else(|| FieldError::value(format!("text.{at}"), "must be a string"))
            };
            Ok((items.iter().enumerate().map(text).collect::<Result<_, _>>()?, true))
        }
        None | Some(Value::String(_)) => Err(FieldError::required("text")),
        Some(_) => {
            let accepted = format!("must be a string, or an array of 1 to {MAX_TEXTS} strings");
            Err(FieldError::value("text", accepted))
        }
    }
}

/// Answers a request.
pub async fn handle(caller: SurfaceCaller, Body(analysis): Body<Analysis>) -> Result<Json<Value>, Error> {
    let Analysis { texts, is_list, kinds, threshold, allowed } = analysis;
    let submission = Submission::of_several(Direction::Input, texts.clone());
    let call = GuardRequest {
        asked: RequestOptions { mask: true, strategy: Some(Strategy::Full), ..RequestOptions::default() },
        ..caller.request(NAME, Operation::Mask, submission, None)?
    };
    let recorded = caller.guard.answer(call).await?;
    let mut found: Vec<Vec<Value>> = vec![Vec::new(); texts.len()];
    for entity in &recorded.evaluation.entities {
        let at = entity.span.subject.unwrap_or(0);
        let is_selected = kinds.as_ref().is_none_or(|kinds| kinds.contains(&*entity.kind));
        let is_allowed = allowed.contains(entity.bytes.of(&texts[at]));
        if is_selected && !is_allowed && entity.confidence >= threshold {
            found[at].push(shown(entity));
        }
    }
    Ok(Json(if is_list { found.into() } else { found.swap_remove(0).into() }))
}

fn shown(entity: &FoundEntity) -> Value {
    json!({ "analysis_explanation": null, "entity_type": entities::name(&entity.kind),
        "start": entity.span.start, "end": entity.span.end, "score": rounded(entity.confidence) })
}
