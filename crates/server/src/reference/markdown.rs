//! Markdown tables.

/// Returns a table.
pub fn table(heading: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let heading: Vec<_> = heading.iter().map(|&cell| cell.to_owned()).collect();
    let rule = format!("|{}\n", "---|".repeat(heading.len()));
    let rows = rows.into_iter().map(|row| line(&row));
    line(&heading) + &rule + &rows.collect::<String>()
}

fn line(cells: &[String]) -> String {
    let cell = |cell: &String| match cell.replace('|', "\\|") {
        empty if empty.is_empty() => " |".to_owned(),
        text => format!(" {text} |"),
    };
    format!("|{}\n", cells.iter().map(cell).collect::<String>())
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
    let title = anchor.strip_prefix('#').unwrap_or_else(|| page.rsplit('/').next().unwrap_or(page));
    format!("[{}]({target}{extension}{anchor}){punctuation}", title.replace('-', " "))
}

#[test]
fn pages_become_links() {
    assert_eq!(
        with_links(
            "Replicas: docs/how-to/run-replicas.md. More: docs/reference/connectors.md#network-policy, too."
        ),
        "Replicas: [run replicas](../how-to/run-replicas.md). \
         More: [network policy](connectors.md#network-policy), too."
    );
}

#[test]
fn bars_in_cells_are_escaped() {
    assert_eq!(
        table(&["a", "b"], [vec!["x|y".to_owned(), String::new()]]),
        "| a | b |\n|---|---|\n| x\\|y | |\n"
    );
}
