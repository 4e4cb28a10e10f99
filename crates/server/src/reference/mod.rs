//! Tables of docs/reference and the committed schema of the configuration, printed from the code that they describe.
//!
//! Each table is between `<!-- generated:NAME -->` and `<!-- /generated -->`. The tests fail when a table differs
//! from the code. `scripts/generate` runs the same tests with [`WRITE`] set: then they write the tables.

mod cli;
mod configuration;
mod connectors;
mod events;
mod guardrails;
mod markdown;
mod metrics;
mod permissions;
mod pii_types;

use std::{fs, path::PathBuf};

/// Environment variable that makes the tests write the tables that differ.
const WRITE: &str = "GUARDENGINE_TEST_WRITE_REFERENCE";

/// Longest line of a table, in characters.
const MAX_LINE: usize = 260;

/// A page, the name of a table on it, and the function that prints the table.
type Table = (&'static str, &'static str, fn() -> String);

/// Every generated table.
const TABLES: &[Table] = &[
    ("cli.md", "cli", cli::commands),
    ("cli.md", "cli-flags", cli::configuration_flags),
    ("configuration.md", "configuration", configuration::tables),
    ("connectors.md", "connectors", connectors::types),
    ("connectors.md", "connector-fields", connectors::fields),
    ("events.md", "events", events::types),
    ("events.md", "event-fields", events::fields),
    ("guardrails.md", "guardrails", guardrails::guardrails),
    ("metrics.md", "metrics", metrics::metrics),
    ("permissions.md", "permissions", permissions::permissions),
    ("pii-types.md", "pii-types", pii_types::pii_types),
];

fn docs() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../docs"].iter().collect()
}

fn path(name: &str) -> PathBuf {
    docs().join("reference").join(name)
}

/// Writes `expected` into the file if [`WRITE`] is set; otherwise fails if the file differs.
fn compare(name: &str, current: &str, expected: &str) {
    if current == expected {
        return;
    }
    assert!(std::env::var_os(WRITE).is_some(), "docs/reference/{name} is out of date: run make generate");
    fs::write(path(name), expected).unwrap();
}

/// Returns the page with the content of the table replaced.
fn with_table(page: &str, name: &str, table: &str) -> Option<String> {
    let (before, rest) = page.split_once(&format!("<!-- generated:{name} -->\n"))?;
    let (_, after) = rest.split_once("<!-- /generated -->\n")?;
    Some(format!("{before}<!-- generated:{name} -->\n{table}<!-- /generated -->\n{after}"))
}

#[test]
fn the_tables_of_the_reference_are_up_to_date() {
    for (page, name, table) in TABLES {
        let table = table();
        let long: Vec<_> = table.lines().filter(|line| line.chars().count() > MAX_LINE).collect();
        assert!(long.is_empty(), "{page}: {name}: lines over {MAX_LINE} characters: {long:#?}");
        let current = fs::read_to_string(path(page)).unwrap();
        let expected = with_table(&current, name, &table);
        compare(page, &current, &expected.unwrap_or_else(|| panic!("{page} has no table {name}")));
    }
}

#[test]
fn the_committed_schema_of_the_configuration_is_up_to_date() {
    let name = "guardengine.schema.json";
    let current = fs::read_to_string(path(name)).unwrap_or_default();
    compare(name, &current, &format!("{:#}\n", crate::config::schema()));
}
