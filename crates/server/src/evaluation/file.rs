//! Uploaded cases: JSON lines as `guardengine eval` reads them, or comma-separated values with a header.

use csv::StringRecord;
use guardengine_evaluation::{ForAll, LabeledText, Negatives, suite::Expect};
use serde::Serialize;
use utoipa::ToSchema;

use super::{MAX_BYTES, MAX_CASES, cases};

/// Errors that are listed.
const MAX_ERRORS: usize = 20;
/// Columns of comma-separated values.
const COLUMNS: [&str; 8] = ["text", "labels", "negatives", "expect", "role", "lang", "id", "source"];

/// Format of an upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON object a line.
    JsonLines,
    /// Comma-separated values with a header.
    Csv,
}

/// A line that is not a case.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LineError {
    /// Line of the file, from 1.
    pub line: u64,
    /// Field and what is accepted.
    pub message: String,
}

/// Cases of a file, and the lines that are none.
#[derive(Debug, Default)]
pub struct Parsed {
    /// Cases.
    pub cases: Vec<LabeledText>,
    /// The first errors.
    pub errors: Vec<LineError>,
}

impl Parsed {
    fn add(&mut self, line: u64, case: Result<LabeledText, String>) {
        let checked = case.and_then(|case| cases::refusal(&case).map_or(Ok(case), Err));
        match checked {
            Ok(case) => self.cases.push(case),
            Err(message) => self.errors.push(LineError { line, message }),
        }
        if self.cases.len() > MAX_CASES {
            let message = format!("file: must have at most {MAX_CASES} cases");
            self.errors.push(LineError { line, message });
        }
    }

    const fn is_full(&self) -> bool {
        self.errors.len() >= MAX_ERRORS || self.cases.len() > MAX_CASES
    }

    fn refused(line: u64, message: String) -> Self {
        Self { cases: Vec::new(), errors: vec![LineError { line, message }] }
    }
}

/// Reads an upload. Stops after the first errors.
pub fn parse(format: Format, file: &[u8]) -> Parsed {
    if file.len() > MAX_BYTES {
        return Parsed::refused(1, format!("file: must have at most {MAX_BYTES} bytes"));
    }
    let Ok(text) = std::str::from_utf8(file) else {
        return Parsed::refused(1, "file: must be UTF-8".to_owned());
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut parsed = match format {
        Format::JsonLines => json_lines(text),
        Format::Csv => csv(text),
    };
    if parsed.cases.is_empty() && parsed.errors.is_empty() {
        parsed.errors.push(LineError { line: 1, message: "file: must have at least one case".to_owned() });
    }
    parsed
}

fn json_lines(text: &str) -> Parsed {
    let mut parsed = Parsed::default();
    for (line, json) in (1..).zip(text.lines()).filter(|(_, json)| !json.trim().is_empty()) {
        let case = serde_json::from_str(json);
        parsed.add(line, case.map_err(|error| format!("expected a case as a JSON object: {error}")));
        if parsed.is_full() {
            break;
        }
    }
    parsed
}

fn csv(text: &str) -> Parsed {
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let header = match reader.headers() {
        Ok(header) => header.clone(),
        Err(error) => return Parsed::refused(1, format!("expected a header: {error}")),
    };
    if let Some(unknown) = header.iter().find(|name| !COLUMNS.contains(name)) {
        let shown: String = unknown.chars().take(60).collect();
        return Parsed::refused(1, format!("unknown column \"{shown}\": expected {}", COLUMNS.join(", ")));
    }
    if !header.iter().any(|name| name == "text") {
        return Parsed::refused(1, "column text: required".to_owned());
    }
    let mut parsed = Parsed::default();
    for record in reader.records() {
        match record {
            Ok(record) => {
                let line = record.position().map_or(0, csv::Position::line);
                parsed.add(line, of_columns(&header, &record));
            }
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                parsed.add(line, Err(format!("expected {} values", header.len())));
            }
        }
        if parsed.is_full() {
            break;
        }
    }
    parsed
}

fn of_columns(header: &StringRecord, record: &StringRecord) -> Result<LabeledText, String> {
    let column = |name: &str| {
        let at = header.iter().position(|one| one == name);
        at.and_then(|at| record.get(at)).unwrap_or_default().to_owned()
    };
    let text = |name| column(name).trim().to_owned();
    let expect = match text("expect").as_str() {
        "" => None,
        "flag" => Some(Expect::Flag),
        "pass" => Some(Expect::Pass),
        _ => return Err("expect: must be flag or pass".to_owned()),
    };
    let negatives = match text("negatives").as_str() {
        "all" => Negatives::Every(ForAll::All),
        listed => Negatives::Listed(names(listed)),
    };
    Ok(LabeledText {
        id: text("id"),
        text: column("text"),
        labels: names(&text("labels")),
        negatives,
        lang: text("lang"),
        role: text("role"),
        source: text("source"),
        expect,
        ..LabeledText::default()
    })
}

/// Splits names at spaces and semicolons.
fn names(text: &str) -> Vec<String> {
    let split = text.split([' ', ';', '|']).map(str::trim);
    split.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(format: Format, file: &str) -> Vec<(u64, String)> {
        parse(format, file.as_bytes()).errors.into_iter().map(|one| (one.line, one.message)).collect()
    }

    #[test]
    fn both_formats_give_the_same_cases() {
        let lines = "{\"text\":\"buy, now\",\"labels\":[\"spam\"],\"negatives\":\"all\"}\n\n\
                     {\"text\":\"hi\",\"expect\":\"pass\",\"role\":\"model\"}\n";
        let table = "text,labels,negatives,expect,role\n\"buy, now\",spam,all,,\nhi,,,pass,model\n";
        let (lines, table) =
            (parse(Format::JsonLines, lines.as_bytes()), parse(Format::Csv, table.as_bytes()));
        assert_eq!((&lines.errors, &table.errors), (&vec![], &vec![]));
        assert_eq!(lines.cases, table.cases);
        assert_eq!(lines.cases.len(), 2);
    }

    #[test]
    fn errors_name_line_and_field() {
        let lines = "{\"text\":\"a\",\"expect\":\"pass\"}\n{\"text\":\"b\",\"labels\":[\"junk\"]}\n{";
        let found = errors(Format::JsonLines, lines);
        assert_eq!(found[0], (2, "labels: \"junk\" is not a guardrail".to_owned()));
        assert_eq!(found[1].0, 3);
        let table = "text,expect\na,pass\nb,maybe\nc\n";
        let found = errors(Format::Csv, table);
        assert_eq!(found[0], (3, "expect: must be flag or pass".to_owned()));
        assert_eq!(found[1], (4, "expected 2 values".to_owned()));
    }

    #[test]
    fn a_header_needs_known_columns() {
        assert!(errors(Format::Csv, "label,text\n")[0].1.starts_with("unknown column \"label\""));
        assert_eq!(errors(Format::Csv, "labels\nspam\n"), [(1, "column text: required".to_owned())]);
        assert_eq!(errors(Format::Csv, "text\n"), [(1, "file: must have at least one case".to_owned())]);
    }

    #[test]
    fn files_are_bounded() {
        let line = "{\"text\":\"a\",\"expect\":\"pass\"}\n";
        let parsed = parse(Format::JsonLines, line.repeat(MAX_CASES + 5).as_bytes());
        assert_eq!(parsed.errors.len(), 1);
        assert_eq!(errors(Format::JsonLines, &"{\n".repeat(500)).len(), MAX_ERRORS);
        assert!(errors(Format::Csv, &"a".repeat(MAX_BYTES + 1))[0].1.contains("bytes"));
    }
}
