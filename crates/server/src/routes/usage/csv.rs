//! Usage as comma-separated values. The sums of its columns are the totals.

use std::borrow::Cow;

use super::response::{UsageNumbers, UsageReport};
use crate::routes::csv;

const NAMES: [&str; 8] = ["row", "id", "name", "owner", "requests", "blocked", "masked", "credits"];

/// Returns the file, after a byte order mark if `has_mark`.
pub fn file(report: &UsageReport, has_mark: bool) -> ::csv::Result<Vec<u8>> {
    let mut lines = vec![NAMES.map(Cow::Borrowed)];
    for row in &report.rows {
        let kind = if row.id.is_some() { report.by } else { "none" };
        lines.push(line(kind, [&row.id, &row.name, &row.owner].map(Option::as_deref), row.usage));
    }
    if let Some(usage) = report.others {
        lines.push(line("others", [None; 3], usage));
    }
    if let Some(earlier) = &report.unattributed {
        lines.push(line("unattributed", [None; 3], earlier.usage));
    }
    csv::file(lines.into_iter(), has_mark)
}

fn line<'r>(kind: &'r str, texts: [Option<&'r str>; 3], usage: UsageNumbers) -> [Cow<'r, str>; 8] {
    let [id, name, owner] = texts.map(|text| Cow::Borrowed(text.unwrap_or_default()));
    let UsageNumbers { requests, blocked, masked, credits } = usage;
    let [requests, blocked, masked, credits] =
        [requests, blocked, masked, credits].map(|number| Cow::Owned(number.to_string()));
    [Cow::Borrowed(kind), id, name, owner, requests, blocked, masked, credits]
}
