//! Markdown tables.

use std::fs;

/// Returns a table.
pub fn table(heading: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let heading: Vec<_> = heading.iter().map(|&cell| cell.to_owned()).collect();
    let rule = format!("|{}\n", "---|".repeat(heading.len()));
    let rows = rows.into_iter().map(|row| line(&row));
    line(&heading) + &rule + &rows.collect::<String>()
}

fn line(cells: &[String]) -> String {
    let cell = |cell: &String| match escaped(cell) {
        empty if empty.is_empty() => " |".to_owned(),
        text => format!(" {text} |"),
    };
    format!("|{}\n", cells.iter().map(cell).collect::<String>())
}

/// Escapes bars, and angle brackets outside of code, which would be HTML.
fn escaped(cell: &str) -> String {
    let segments = cell.split('`').enumerate().map(|(index, segment)| {
        if index % 2 == 0 { segment.replace('<', "&lt;") } else { segment.to_owned() }
    });
    segments.collect::<Vec<_>>().join("`").replace('|', "\\|")
}

/// Returns a name or value in code style.
pub fn code(text: &str) -> String {
    format!("`{text}`")
}

/// Returns names in code style, separated by spaces.
pub fn codes<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(code).collect::<Vec<_>>().join(" ")
}

/// Returns the sentence without its full stop, for a cell.
pub fn cell(sentence: &str) -> String {
    sentence.strip_suffix('.').unwrap_or(sentence).to_owned()
}

/// Returns a check mark or nothing.
pub fn mark(is_set: bool) -> String {
    if is_set { "✓".to_owned() } else { String::new() }
}

/// Turns paths of pages, such as `docs/how-to/deploy.md`, into links from a page in docs/reference.
pub fn with_links(text: &str) -> String {
    text.split(' ').map(linked).collect::<Vec<_>>().join(" ")
}

fn linked(word: &str) -> String {
    let Some(path) = word.strip_prefix("docs/") else { return word.to_owned() };
    let end = path.find(['.', ',', ';']).map(|dot| &path[dot..]).unwrap_or_default();
    let page = &path[..path.len() - end.len()];
    let (extension, rest) = end.strip_prefix(".md").map_or(("", end), |rest| (".md", rest));
    let anchor = rest.trim_end_matches(['.', ',', ';']);
    let punctuation = &rest[anchor.len()..];
    let target = page.strip_prefix("reference/").map_or_else(|| format!("../{page}"), str::to_owned);
    let title = heading(&format!("{page}{extension}"), anchor.strip_prefix('#'));
    format!("[{title}]({target}{extension}{anchor}){punctuation}")
}

/// Returns the heading with this anchor, or the title of the page.
fn heading(page: &str, anchor: Option<&str>) -> String {
    let text = fs::read_to_string(super::docs().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
    let headings =
        text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_matches(['#', ' ']));
    let is_meant =
        |heading: &&str| anchor.is_none_or(|anchor| heading.to_lowercase().replace(' ', "-") == anchor);
    let heading = headings.into_iter().find(is_meant);
    heading.unwrap_or_else(|| panic!("docs/{page} has no heading {anchor:?}")).to_owned()
}

#[test]
fn pages_become_links() {
    assert_eq!(
        with_links(
            "Replicas: docs/how-to/run-replicas.md. More: docs/reference/connectors.md#network-policy, too."
        ),
        "Replicas: [Run replicas](../how-to/run-replicas.md). \
         More: [Network policy](connectors.md#network-policy), too."
    );
}

#[test]
fn bars_and_brackets_in_cells_are_escaped() {
    assert_eq!(escaped("<a> `<b>`"), "&lt;a> `<b>`");
    assert_eq!(
        table(&["a", "b"], [vec!["x|y".to_owned(), String::new()]]),
        "| a | b |\n|---|---|\n| x\\|y | |\n"
    );
}
