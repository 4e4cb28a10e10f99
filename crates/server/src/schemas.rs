//! Schemas of texts, for the API document: closed sets of names that depend on this build, and what texts may contain.

pub mod uuids;

use guardengine_api_types::choices::one_of;
use guardengine_auth::permission;
use guardengine_engine::detectors;
use guardengine_integrations::events;
use guardengine_store::MAX_NAME_CHARS;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

/// Rules of a policy that a filter can name like a guardrail.
pub const RULES: [&str; 3] = ["blocked_keyword", "max_prompt_length", "incomplete_coverage"];

/// A guardrail.
#[derive(Debug)]
pub struct GuardrailName;

/// A guardrail, or a rule of the policy.
#[derive(Debug)]
pub struct GuardrailOrRule;

/// A permission.
#[derive(Debug)]
pub struct PermissionName;

/// A type of event.
#[derive(Debug)]
pub struct EventKind;

fn guardrails() -> impl Iterator<Item = &'static str> {
    detectors::DETECTORS.iter().map(|detector| detector.guardrail().name)
}

impl PartialSchema for GuardrailName {
    fn schema() -> RefOr<Schema> {
        one_of(guardrails(), "A guardrail.")
    }
}

impl PartialSchema for GuardrailOrRule {
    fn schema() -> RefOr<Schema> {
        one_of(guardrails().chain(RULES), "A guardrail, or a rule of the policy.")
    }
}

impl PartialSchema for PermissionName {
    fn schema() -> RefOr<Schema> {
        one_of(permission::ALL.iter().map(ToString::to_string), "A permission.")
    }
}

impl PartialSchema for EventKind {
    fn schema() -> RefOr<Schema> {
        one_of(events::choices().map(|(name, _)| name), "A type of event.")
    }
}

impl ToSchema for GuardrailName {}
impl ToSchema for GuardrailOrRule {}
impl ToSchema for PermissionName {}
impl ToSchema for EventKind {}

/// A name that is given to something.
#[derive(Debug)]
pub struct NewName;

/// One visible character at least, and no control or invisible characters. Patterns of the API document cannot name
/// those beyond U+FFFF in a way that every client reads.
const NAME: &str = "^(?:[^INVISIBLE])*[^INVISIBLE\\s](?:[^INVISIBLE])*$";
const INVISIBLE: &str = concat!(
    r"\u0000-\u001f\u007f-\u009f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4",
    r"\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb",
);

fn text_like(pattern: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern))
}

fn name_pattern() -> String {
    NAME.replace("INVISIBLE", INVISIBLE)
}

impl PartialSchema for NewName {
    fn schema() -> RefOr<Schema> {
        text_like(&name_pattern()).min_length(Some(1)).max_length(Some(MAX_NAME_CHARS)).into()
    }
}

/// An image in base64 or as a data URL.
#[derive(Debug)]
pub struct ImageText;

/// The beginnings of PNG, JPEG, RIFF (WebP) and PDF in base64.
const IMAGE: &str = "^(data:[a-z]+/[a-z]+;base64,)?(iVBORw0KGgo|/9j/|UklGR|JVBERi)";

impl PartialSchema for ImageText {
    fn schema() -> RefOr<Schema> {
        text_like(IMAGE).description(Some("An image in base64 or as a data URL.")).into()
    }
}

impl ToSchema for NewName {}
impl ToSchema for ImageText {}

#[cfg(test)]
mod tests {
    use guardengine_store::prepare_name;

    use super::*;

    #[test]
    fn the_pattern_of_names_accepts_what_names_may_contain() {
        let pattern = regex::Regex::new(&name_pattern()).unwrap();
        for character in ('\0'..='\u{ffff}').filter(|character| !character.is_whitespace()) {
            let name = format!("a {character}");
            assert_eq!(
                pattern.is_match(&name),
                prepare_name(&name).is_ok(),
                "{:?}",
                character.escape_unicode()
            );
        }
        assert!(!pattern.is_match(" ") && prepare_name(" ").is_err());
    }
}
