//! Cases made from feedback: a false positive is a harmless case, a missed attack a case that should be flagged.

use guardengine_engine::detectors;
use guardengine_evaluation::{ForAll, LabeledText, Negatives, suite::Expect};
use guardengine_store::{Db, LogEntry, LogFilter, Page};
use uuid::Uuid;

use super::{MAX_BYTES, MAX_CASES, MAX_TEXT};
use crate::http::Error;

/// Log entries in memory at a time.
const PAGE: u16 = 200;
/// Pages that are read: a page covers a bounded part of the log.
const MAX_PAGES: usize = 500;

/// Cases of feedback, and how many log entries were left out.
#[derive(Debug, Default)]
pub struct Collected {
    /// Cases, newest first.
    pub cases: Vec<LabeledText>,
    /// Log entries without a stored text, or with one that is too long.
    pub skipped: usize,
}

/// Returns the cases of the feedback that a filter selects.
pub async fn collect(db: &Db, org: Uuid, filter: LogFilter) -> Result<Collected, Error> {
    let filter = LogFilter { has_feedback: true, ..filter };
    let (mut collected, mut before, mut bytes) = (Collected::default(), None, 0);
    for _ in 0..MAX_PAGES {
        let page = db.logs(org, &filter, Page { limit: PAGE, before }).await?;
        for log in page.rows {
            let Some(case) = case(db, log).await? else {
                collected.skipped += 1;
                continue;
            };
            bytes += case.text.len();
            collected.cases.push(case);
            if collected.cases.len() > MAX_CASES || bytes > MAX_BYTES {
                return Err(Error::unprocessable(format!(
                    "from: the period must have at most {MAX_CASES} cases of together {MAX_BYTES} bytes"
                )));
            }
        }
        before = page.next;
        if before.is_none() {
            return Ok(collected);
        }
    }
    Err(Error::unprocessable("from: the period has too many log entries; choose a shorter one"))
}

async fn case(db: &Db, mut log: LogEntry) -> Result<Option<LabeledText>, Error> {
    let text = log.text.take().filter(|text| !text.trim().is_empty() && text.chars().count() <= MAX_TEXT);
    let (Some(text), Some(feedback)) = (text, log.feedback.as_deref()) else { return Ok(None) };
    let is_attack = feedback == "missed_attack";
    let note = if is_attack { db.log_details(log.org_id, log.id).await? } else { None };
    let note = note.and_then(|details| details.feedback_note).unwrap_or_default();
    Ok(Some(LabeledText {
        text,
        labels: named(&note),
        negatives: if is_attack { Negatives::default() } else { Negatives::Every(ForAll::All) },
        lang: log.lang_code.unwrap_or_default(),
        role: if log.direction == "output" { "model" } else { "user" }.to_owned(),
        source: format!("log {}", log.id),
        expect: Some(if is_attack { Expect::Flag } else { Expect::Pass }),
        ..LabeledText::default()
    }))
}

/// Returns the guardrails whose names stand in a note: those that should have triggered.
fn named(note: &str) -> Vec<String> {
    let words: Vec<&str> = note.split(|one: char| !one.is_alphanumeric() && one != '_').collect();
    let known = detectors::DETECTORS.iter().map(|detector| detector.guardrail().name);
    known.filter(|name| words.contains(name)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_names_the_guardrails_of_a_missed_attack() {
        assert_eq!(named("should be spam, see ticket"), ["spam"]);
        assert_eq!(named("antispam filter"), Vec::<String>::new());
        assert_eq!(named(""), Vec::<String>::new());
    }
}
