//! Configuration keys by section.

use std::time::Duration;

use super::markdown::{cell, code, codes, table, with_links};
use crate::config::{Described, Form, Section, sections};

/// A table for each section.
pub fn tables() -> String {
    sections().iter().map(section).collect::<Vec<_>>().join("\n")
}

fn section(section: &Section) -> String {
    let rows = section.keys.iter().map(row);
    let table = table(&["key", "form", "default", "environment variable", "meaning"], rows);
    if section.name.is_empty() {
        return table;
    }
    format!("### `{}`\n\n{}\n\n{table}", section.name, with_links(&section.description))
}

fn row(described: &Described) -> Vec<String> {
    let key = described.key;
    let secret = if key.is_secret { "**Secret.** " } else { "" };
    vec![
        code(key.name),
        form(&key.form),
        default(&described.default),
        code(&key.variable()),
        format!("{secret}{}", cell(&with_links(&described.description))),
    ]
}

fn default(value: &toml::Value) -> String {
    match value.as_str() {
        Some("") => String::new(),
        Some(text) => code(text),
        None => code(&value.to_string()),
    }
}

fn form(form: &Form) -> String {
    match form {
        Form::Boolean => "`true` or `false`".to_owned(),
        Form::OneOf(words) => codes(words.iter().copied()),
        Form::Count(range) if *range.start() > 0 => format!("number ≥ {}", range.start()),
        Form::Duration(range) if *range.end() < Duration::MAX => {
            let ends = [range.start(), range.end()].map(|end| humantime::format_duration(*end).to_string());
            format!("duration, {}", ends.join(" to "))
        }
        Form::Duration(range) if *range.start() > Duration::ZERO => {
            format!("duration ≥ {}", humantime::format_duration(*range.start()))
        }
        Form::Size(min) if *min > 1 => format!("size ≥ {}MiB", min >> 20),
        form => form.name().to_owned(),
    }
}
