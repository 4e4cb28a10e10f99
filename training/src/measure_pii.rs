//! Personal data on labelled suites, as the engine finds it.

use std::path::PathBuf;

use anyhow::Result;
use guardengine_engine::{evidence::Origin, pii::find_all, span::CodePoints, text::Text};
use guardengine_evaluation::{
    LabeledText as Row, Prediction, Report, Thresholds, evaluate, read, suite::Marked,
};

/// Lowest confidence of a finding that counts.
const FOUND: f32 = 0.5;

/// Evaluates the engine on every row with annotated spans.
pub fn suites(data: &[PathBuf]) -> Result<Report> {
    let mut rows = Vec::new();
    for path in data {
        rows.extend(read(path)?.into_iter().filter(|row| row.spans.is_some()));
    }
    Ok(evaluate(&rows, &Thresholds::new(), judge))
}

fn judge(row: &Row) -> Prediction {
    let mut points = CodePoints::new(&row.text);
    let found = find_all(&Text::new(&row.text)).into_iter().filter(|found| found.confidence >= FOUND);
    let marked = found.map(|found| {
        let span = points.span(found.span, Origin::Subject);
        Marked { start: span.start, end: span.end, kind: found.kind.to_string() }
    });
    Prediction { pii: marked.collect(), ..Prediction::default() }
}
