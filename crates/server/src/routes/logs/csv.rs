//! Log entries as comma-separated values (RFC 4180), safe to open in a spreadsheet.

use std::borrow::Cow;

use csv::{Terminator, WriterBuilder};
use guardengine_api_types::residual_risk_level;
use guardengine_store::LogEntry;

const NAMES: [&str; 35] = [
    "log_id",
    "created_at",
    "endpoint",
    "direction",
    "projectId",
    "projectName",
    "policyId",
    "policy_version",
    "decision",
    "shadow_decision",
    "outcome",
    "triggered_guardrails",
    "confidence",
    "safety_score",
    "risk_level",
    "reason",
    "source_app",
    "context",
    "device_id",
    "username",
    "principal",
    "conversation_id",
    "text",
    "lang_code",
    "processing_time_ms",
    "credits",
    "correlation_id",
    "model_version",
    "mark",
    "surface",
    "foreign_id",
    "prompt_tokens",
    "completion_tokens",
    "upstream_time_ms",
    "residual_risk_level",
];

/// The byte order mark of UTF-8, without which some spreadsheets read another encoding.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Returns the header line, after a byte order mark if `has_mark`.
pub fn head(has_mark: bool) -> csv::Result<Vec<u8>> {
    let names = written(std::iter::once(NAMES.map(Cow::Borrowed)))?;
    Ok(if has_mark { [BYTE_ORDER_MARK, &names].concat() } else { names })
}

/// Returns one line per log entry.
pub fn lines(logs: &[LogEntry]) -> csv::Result<Vec<u8>> {
    written(logs.iter().map(cells))
}

fn written<'l>(lines: impl Iterator<Item = [Cow<'l, str>; 35]>) -> csv::Result<Vec<u8>> {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    for line in lines {
        writer.write_record(line.iter().map(|cell| harmless(cell).into_owned()))?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

const FORMULA_STARTS: [char; 11] =
    ['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

/// Spreadsheets treat cells with these first characters as formulas; a leading quote makes them text.
/// Source: OWASP, "CSV Injection".
fn harmless(cell: &str) -> Cow<'_, str> {
    if cell.starts_with(FORMULA_STARTS) { Cow::Owned(format!("'{cell}")) } else { Cow::Borrowed(cell) }
}

/// Returns the cells in the order of [`NAMES`]; absent values are empty.
fn cells(log: &LogEntry) -> [Cow<'_, str>; 35] {
    fn shown<'t>(value: &impl ToString) -> Cow<'t, str> {
        Cow::Owned(value.to_string())
    }
    fn some<'t>(value: Option<impl ToString>) -> Cow<'t, str> {
        value.map_or(Cow::Borrowed(""), |value| shown(&value))
    }
    fn text(value: Option<&String>) -> Cow<'_, str> {
        value.map_or(Cow::Borrowed(""), Cow::from)
    }
    [
        shown(&log.id),
        shown(&log.created_at),
        Cow::from(&log.endpoint),
        Cow::from(&log.direction),
        some(log.project_id),
        text(log.project_name.as_ref()),
        some(log.policy_id),
        some(log.policy_version),
        Cow::from(&log.decision),
        text(log.shadow_decision.as_ref()),
        Cow::from(&log.outcome),
        Cow::from(&log.triggered_guardrails),
        shown(&log.confidence),
        shown(&log.safety_score),
        Cow::from(&log.risk_level),
        text(log.reason.as_ref()),
        text(log.source_app.as_ref()),
        text(log.context.as_ref()),
        text(log.device_id.as_ref()),
        text(log.username.as_ref()),
        Cow::from(&log.principal),
        text(log.conversation_id.as_ref()),
        text(log.text.as_ref()),
        text(log.lang_code.as_ref()),
        shown(&log.processing_time_ms),
        shown(&log.credits),
        Cow::from(&log.correlation_id),
        Cow::from(&log.model_version),
        text(log.feedback.as_ref()),
        Cow::from(&log.surface),
        text(log.foreign_id.as_ref()),
        some(log.prompt_tokens),
        some(log.completion_tokens),
        some(log.upstream_time_ms),
        Cow::from(residual_risk_level(log)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_formulas_into_text() {
        for cell in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\u{ff1d}1+1"] {
            assert_eq!(harmless(cell), format!("'{cell}"));
        }
        for cell in ["", "a=1", " =1", "1-1"] {
            assert_eq!(harmless(cell), cell);
        }
    }

    #[test]
    fn quotes_cells_where_needed() {
        let mut line = NAMES.map(Cow::Borrowed);
        (line[0], line[1], line[2]) = ("a,b".into(), "say \"hi\"".into(), "two\r\nlines".into());
        let written = String::from_utf8(written(std::iter::once(line)).unwrap()).unwrap();
        assert!(written.starts_with("\"a,b\",\"say \"\"hi\"\"\",\"two\r\nlines\",direction,"), "{written}");
        assert!(written.ends_with(
            ",surface,foreign_id,prompt_tokens,completion_tokens,upstream_time_ms,residual_risk_level\r\n"
        ));
    }
}
