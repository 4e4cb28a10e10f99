//! Labeled cases: their rules, their submissions, and sealing.

use guardengine_engine::{detectors, guardrail::Direction};
use guardengine_evaluation::{ForAll, LabeledText, Negatives, suite::Expect};
use guardengine_guard::submission::{Role, Submission, Turn};
use guardengine_store::{Db, EvaluationDataset};
use guardengine_vault::DataKey;
use uuid::Uuid;

use super::{MAX_TEXT, case_aad};
use crate::http::Error;

/// Roles of a text; empty means `user`.
const ROLES: [&str; 6] = ["", "user", "model", "document", "tool", "system"];
/// Longest identifier, language, format or source of a case, in characters.
const MAX_FIELD: usize = 200;
/// Labels of a case, and its negatives.
const MAX_LABELS: usize = 50;

/// Returns why a case is not accepted, naming the field; `None` if it is.
pub fn refusal(case: &LabeledText) -> Option<String> {
    let short = |field: &str, text: &str| {
        (text.chars().count() > MAX_FIELD)
            .then(|| format!("{field}: must have at most {MAX_FIELD} characters"))
    };
    if case.text.trim().is_empty() {
        return Some("text: must not be empty".to_owned());
    }
    if case.text.chars().count() > MAX_TEXT {
        return Some(format!("text: must have at most {MAX_TEXT} characters"));
    }
    if !ROLES.contains(&case.role.as_str()) {
        return Some("role: must be user, model, document, tool or system".to_owned());
    }
    let fields = [("id", &case.id), ("lang", &case.lang), ("format", &case.format), ("source", &case.source)];
    if let Some(refusal) = fields.into_iter().find_map(|(field, text)| short(field, text)) {
        return Some(refusal);
    }
    let listed = match &case.negatives {
        Negatives::Listed(listed) => listed.as_slice(),
        Negatives::Every(ForAll::All) => &[],
    };
    let unknown = label_refusal("labels", &case.labels).or_else(|| label_refusal("negatives", listed));
    unknown.or_else(|| {
        let is_unlabeled = should_flag(case).is_none() && listed.is_empty();
        is_unlabeled.then(|| "expect: must be flag or pass, unless labels or negatives are given".to_owned())
    })
}

fn label_refusal(field: &str, labels: &[String]) -> Option<String> {
    if labels.len() > MAX_LABELS {
        return Some(format!("{field}: must have at most {MAX_LABELS} names"));
    }
    let is_known = |label: &String| detectors::DETECTORS.iter().any(|known| known.guardrail().name == *label);
    let unknown = labels.iter().find(|label| !is_known(label))?;
    let shown: String = unknown.chars().take(60).collect();
    Some(format!("{field}: \"{shown}\" is not a guardrail"))
}

/// Returns whether something should flag the text; `None` if that is unknown.
pub fn should_flag(case: &LabeledText) -> Option<bool> {
    match (case.expect, &case.negatives) {
        (Some(expect), _) => Some(expect == Expect::Flag),
        (None, _) if !case.labels.is_empty() => Some(true),
        (None, Negatives::Every(ForAll::All)) => Some(false),
        (None, Negatives::Listed(_)) => None,
    }
}

/// Returns the direction of a text by its role.
pub fn direction(role: &str) -> Direction {
    if role == "model" { Direction::Output } else { Direction::Input }
}

/// Builds the submission for a text in its role: system text is trusted, documents and tool results are not, a model's
/// output goes to the user.
pub fn submission(role: &str, text: String) -> Submission {
    let empty = || Submission::of(Direction::Input, String::new());
    match role {
        "system" => Submission { history: vec![Turn::new(Role::System, text)], ..empty() },
        "document" | "tool" => Submission { documents: vec![text], ..empty() },
        _ => Submission::of(direction(role), text),
    }
}

/// Seals the cases of a dataset, in their order. Returns them with their size before sealing.
pub fn seal(
    key: &DataKey,
    (org, dataset): (Uuid, Uuid),
    cases: &[LabeledText],
) -> Result<(Vec<Vec<u8>>, usize), Error> {
    let (mut sealed, mut bytes) = (Vec::with_capacity(cases.len()), 0);
    for (position, case) in (0..).zip(cases) {
        let json = serde_json::to_vec(case).map_err(Error::internal)?;
        bytes += json.len();
        sealed.push(key.seal(&case_aad(org, dataset, position), &json));
    }
    Ok((sealed, bytes))
}

/// Returns at most `limit` cases of a dataset with their positions, from a position on.
pub async fn open(
    db: &Db,
    key: &DataKey,
    dataset: &EvaluationDataset,
    from: i64,
    limit: i64,
) -> Result<Vec<(i64, LabeledText)>, Error> {
    let sealed = db.evaluation_cases(dataset.org_id, dataset.id, from, limit).await?;
    let opened = sealed.into_iter().map(|(position, sealed)| {
        let json = key.open(&case_aad(dataset.org_id, dataset.id, position), &sealed)?;
        Ok((position, serde_json::from_slice(&json).map_err(Error::internal)?))
    });
    opened.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(json: &str) -> LabeledText {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn a_refusal_names_the_field() {
        let refused = |json| refusal(&case(json));
        assert_eq!(refused(r#"{"text":"x","labels":["spam"]}"#), None);
        assert_eq!(refused(r#"{"text":"x","negatives":["spam"]}"#), None);
        assert_eq!(refused(r#"{"text":"x","negatives":"all"}"#), None);
        assert_eq!(refused(r#"{"text":" ","expect":"pass"}"#).unwrap(), "text: must not be empty");
        let unknown = refused(r#"{"text":"x","labels":["spamm"]}"#).unwrap();
        assert_eq!(unknown, "labels: \"spamm\" is not a guardrail");
        let role = refused(r#"{"text":"x","role":"bot","expect":"pass"}"#).unwrap();
        assert!(role.starts_with("role: "), "{role}");
        assert!(refused(r#"{"text":"x"}"#).unwrap().starts_with("expect: "));
    }

    #[test]
    fn what_should_be_flagged_follows_from_expectation_labels_and_negatives() {
        let flags = |json| should_flag(&case(json));
        assert_eq!(flags(r#"{"text":"x","labels":["spam"],"expect":"pass"}"#), Some(false));
        assert_eq!(flags(r#"{"text":"x","labels":["spam"]}"#), Some(true));
        assert_eq!(flags(r#"{"text":"x","negatives":"all"}"#), Some(false));
        assert_eq!(flags(r#"{"text":"x","negatives":["spam"]}"#), None);
    }

    #[test]
    fn a_sealed_case_opens_in_its_place_alone() {
        let (key, ids) = (DataKey::random(), (Uuid::nil(), Uuid::max()));
        let (sealed, bytes) = seal(&key, ids, &[case(r#"{"text":"secret","expect":"flag"}"#)]).unwrap();
        assert!(bytes > 6 && !sealed[0].windows(6).any(|part| part == b"secret"));
        assert!(key.open(&case_aad(ids.0, ids.1, 0), &sealed[0]).is_ok());
        assert!(key.open(&case_aad(ids.0, ids.1, 1), &sealed[0]).is_err());
    }
}
