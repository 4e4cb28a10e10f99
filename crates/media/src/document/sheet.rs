//! Spreadsheets (ECMA-376, part 1, section 18): rows as lines, cells separated by tabs, so that headers are the labels of
//! their columns.

use std::collections::HashMap;

use super::{
    Changed, DocumentError, encoding,
    limits::MAX_CELLS,
    markup::{Patches, Syntax, Tag, Token, Tokens, decode, encode, local},
    office::{self, Part},
    package::Package,
    runs::Runs,
    visitor::{Walk, apply},
};
use crate::{Edit, Role};

/// Empty cells that keep their place in a row.
const MAX_GAP: usize = 64;

/// Walks through a file of Excel.
pub(super) fn walk(file: &[u8], walk: &mut Walk<'_>) -> Result<Changed, DocumentError> {
    let mut package = Package::open(file)?;
    walk.enter(package.names.len())?;
    let mut contents = HashMap::new();
    let mut entries = Vec::with_capacity(package.names.len());
    for at in 0..package.names.len() {
        entries.push(if package.is_folder(at) { Vec::new() } else { package.read(at, walk)? });
    }
    let parts: Vec<_> = entries.iter().map(|entry| part(entry)).collect();
    let find = |root: &str| parts.iter().position(|part| part.as_ref().is_some_and(|part| part.root == root));
    let shared_at = find("sst");
    let shared_source = shared_at.and_then(|at| parts[at].as_ref()).map(|part| part.source.text.as_str());
    let mut shared = shared_source.map_or_else(Vec::new, shared_strings);
    let hidden =
        find("workbook").and_then(|at| parts[at].as_ref()).map(|part| hidden_sheets(&part.source.text));
    let (hidden, mut cells) = (hidden.unwrap_or_default(), 0);
    for (at, part) in parts.iter().enumerate() {
        let Some(part) = part.as_ref().filter(|part| part.root == "worksheet") else { continue };
        walk.check_time()?;
        walk.page = number(&package.names[at]);
        let is_hidden = walk.page.is_some_and(|page| hidden.contains(&page));
        let role = if is_hidden { Role::Hidden } else { Role::Body };
        let mut sheet = Sheet::new(&part.source.text, role, &mut shared, cells);
        sheet.walk(walk)?;
        cells = sheet.cells;
        let patches = sheet.part.patches;
        if !patches.is_empty() {
            contents.insert(at, part.source.encode(&patches.apply(&part.source.text)));
        }
        walk.separate("\n");
    }
    walk.page = None;
    if let (Some(at), Some(part)) = (shared_at, shared_at.and_then(|at| parts[at].as_ref())) {
        let patches = finish_shared(shared, walk)?;
        if !patches.is_empty() {
            contents.insert(at, part.source.encode(&patches.apply(&part.source.text)));
        }
    }
    for (at, part) in parts.iter().enumerate() {
        if part.as_ref().is_some_and(|part| matches!(part.root, "worksheet" | "sst")) || package.is_folder(at)
        {
            continue;
        }
        if let Some(changed) = office::walk_entry(&entries[at], &package.names[at], walk)? {
            contents.insert(at, changed);
        }
    }
    office::finish(package, contents)
}

/// A part in XML, with the name of its first element.
struct Source {
    source: encoding::Decoded,
    root: &'static str,
}

fn part(entry: &[u8]) -> Option<Source> {
    const ROOTS: [&str; 3] = ["worksheet", "sst", "workbook"];
    let is_markup = entry.iter().take(8).any(|byte| *byte == b'<');
    let source = encoding::decode(entry, None).filter(|_| is_markup)?;
    let name = Tokens::new(&source.text, Syntax::Xml).find_map(|token| match token {
        Token::Start(tag) => Some(local(tag.name).to_owned()),
        _ => None,
    })?;
    let root = ROOTS.into_iter().find(|root| *root == name)?;
    Some(Source { source, root })
}

/// Returns the number in the name of a sheet's part.
fn number(name: &str) -> Option<u32> {
    let digits: String = name.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Returns the numbers of hidden sheets. Their parts are numbered in the order of the workbook, as programs write them.
fn hidden_sheets(workbook: &str) -> Vec<u32> {
    let sheets = Tokens::new(workbook, Syntax::Xml).filter_map(|token| match token {
        Token::Start(tag) if local(tag.name) == "sheet" => {
            Some(tag.value(workbook, "state").is_some_and(|state| state != "visible"))
        }
        _ => None,
    });
    (1..).zip(sheets).filter(|(_, is_hidden)| *is_hidden).map(|(number, _)| number).collect()
}

/// A string that cells refer to by its index.
#[derive(Default)]
struct Shared {
    runs: Runs,
    /// Pronunciation, which is shown beside the text at most.
    phonetic: Runs,
    edits: Vec<Edit>,
    is_used: bool,
}

fn shared_strings(source: &str) -> Vec<Shared> {
    let mut strings = Vec::new();
    let (mut is_phonetic, mut is_text) = (false, false);
    for token in Tokens::new(source, Syntax::Xml) {
        match token {
            Token::Start(tag) => match local(tag.name) {
                "si" => strings.push(Shared::default()),
                "rPh" => is_phonetic = !tag.is_empty,
                "t" => is_text = !tag.is_empty,
                _ => {}
            },
            Token::End(name) => match local(name) {
                "rPh" => is_phonetic = false,
                "t" => is_text = false,
                _ => {}
            },
            Token::Text(place) | Token::Verbatim(place) if is_text => {
                let Some(string) = strings.last_mut() else { continue };
                let runs = if is_phonetic { &mut string.phonetic } else { &mut string.runs };
                runs.push(&decode(&source[place.clone()]), place);
            }
            _ => {}
        }
    }
    strings
}

/// Shows the strings that no cell uses, and returns the changes of all.
fn finish_shared(shared: Vec<Shared>, walk: &mut Walk<'_>) -> Result<Patches, DocumentError> {
    let mut patches = Patches::new();
    for mut string in shared {
        if !string.is_used {
            string.edits = walk.text(&string.runs.text, Role::Hidden)?;
        }
        let phonetic = walk.text(&string.phonetic.text, Role::Hidden)?;
        string.edits.sort_by_key(|edit| edit.span.start);
        string.runs.rewrite(&string.edits, &mut patches);
        string.phonetic.rewrite(&phonetic, &mut patches);
    }
    Ok(patches)
}

/// A sheet that is read.
struct Sheet<'s, 'w> {
    part: Part<'s>,
    shared: &'w mut [Shared],
    role: Role,
    cells: usize,
    row_is_hidden: bool,
    /// Column of the last cell of the row, from 1; 0 before the first.
    column: usize,
    cell: Option<Cell>,
    /// Cells with formulas, each with its end in the source and its text.
    formulas: Vec<(Cell, usize, String)>,
}

/// A cell that is read.
#[derive(Default)]
struct Cell {
    start: usize,
    reference: String,
    style: String,
    kind: String,
    element: &'static str,
    value: String,
    inline: String,
    formula: String,
}

impl<'s, 'w> Sheet<'s, 'w> {
    const fn new(source: &'s str, role: Role, shared: &'w mut [Shared], cells: usize) -> Self {
        let part = Part::new(source, role);
        Self { part, shared, role, cells, row_is_hidden: false, column: 0, cell: None, formulas: Vec::new() }
    }

    fn walk(&mut self, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        let mut tokens = Tokens::new(self.part.source, Syntax::Xml);
        while let Some(token) = tokens.next() {
            let name = match &token {
                Token::Start(tag) => local(tag.name),
                Token::End(name) => local(name),
                _ => "",
            };
            match (&token, name, self.cell.is_some()) {
                (Token::Start(tag), "row", _) => self.start_row(tag, walk),
                (Token::Start(tag), "c", _) if !tag.is_empty => self.start_cell(tag)?,
                (Token::End(_), "c", true) => self.finish_cell(tokens.position(), walk)?,
                (_, _, true) => self.cell_token(&token, name),
                (_, "row" | "c", _) => {}
                _ => self.part.token(token, walk)?,
            }
        }
        self.walk_formulas(walk)
    }

    fn start_row(&mut self, tag: &Tag<'_>, walk: &mut Walk<'_>) {
        self.row_is_hidden = tag.value(self.part.source, "hidden").is_some_and(|hidden| hidden != "0");
        self.column = 0;
        walk.separate("\n");
    }

    fn start_cell(&mut self, tag: &Tag<'_>) -> Result<(), DocumentError> {
        self.cells += 1;
        if self.cells > MAX_CELLS {
            return Err(DocumentError::too_large(format!("more than {MAX_CELLS} cells")));
        }
        let value = |name| tag.value(self.part.source, name).unwrap_or_default().into_owned();
        let (reference, style, kind) = (value("r"), value("s"), value("t"));
        self.cell = Some(Cell { start: tag.start, reference, style, kind, ..Cell::default() });
        Ok(())
    }

    /// Follows an element of a cell.
    fn cell_token(&mut self, token: &Token<'_>, name: &str) {
        let Some(cell) = &mut self.cell else { return };
        match token {
            Token::Start(tag) if !tag.is_empty => {
                cell.element = ["v", "t", "f"].into_iter().find(|known| *known == name).unwrap_or_default();
            }
            Token::End(_) => cell.element = "",
            Token::Text(place) | Token::Verbatim(place) => {
                let text = decode(&self.part.source[place.clone()]);
                match cell.element {
                    "v" => cell.value.push_str(&text),
                    "t" => cell.inline.push_str(&text),
                    "f" => cell.formula.push_str(&text),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn finish_cell(&mut self, end: usize, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        let Some(cell) = self.cell.take() else { return Ok(()) };
        self.move_to(column(&cell.reference), walk);
        let role = if self.row_is_hidden { Role::Hidden } else { self.role };
        let mut edits = Vec::new();
        match cell.kind.as_str() {
            "s" => {
                let string = cell.value.trim().parse().ok().and_then(|at: usize| self.shared.get_mut(at));
                let Some(string) = string else { return Ok(()) };
                string.is_used = true;
                let edits = walk.text(&string.runs.text, role)?;
                let is_new = |edit: &Edit| {
                    string
                        .edits
                        .iter()
                        .all(|known| known.span.end <= edit.span.start || edit.span.end <= known.span.start)
                };
                let new: Vec<_> = edits.into_iter().filter(is_new).collect();
                string.edits.extend(new);
            }
            "b" | "e" => {}
            _ => edits = walk.text(&cell.text(), role)?,
        }
        let text = apply(&cell.text(), &edits);
        if !edits.is_empty() {
            // A formula would compute the value again.
            self.part.patches.replace(cell.start..end, cell.with_text(&text));
        }
        if cell.formula.contains('"') {
            self.formulas.push((cell, end, text));
        }
        Ok(())
    }

    /// Reads the formulas with texts of their own, after the table.
    fn walk_formulas(&mut self, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        for (cell, end, text) in std::mem::take(&mut self.formulas) {
            if !walk.text(&cell.formula, Role::Macro)?.is_empty() {
                self.part.patches.replace(cell.start..end, cell.with_text(&text));
            }
        }
        Ok(())
    }

    /// Adds the tabs between the last cell and this one.
    fn move_to(&mut self, column: Option<usize>, walk: &mut Walk<'_>) {
        let column = column.unwrap_or(self.column + 1);
        let gap = column.saturating_sub(self.column.max(1)).min(MAX_GAP);
        walk.separate(&"\t".repeat(gap));
        self.column = column.max(self.column);
    }
}

impl Cell {
    /// Returns the text as it is shown, without the format of numbers.
    fn text(&self) -> String {
        if self.kind == "inlineStr" {
            return self.inline.clone();
        }
        let is_long = self.kind.is_empty() && self.value.contains(['E', 'e']);
        match self.value.parse::<f64>() {
            // Long numbers are written with an exponent.
            Ok(number) if is_long && number.fract() == 0.0 && number.abs() < 1e18 => format!("{number:.0}"),
            _ => self.value.clone(),
        }
    }

    /// Writes the cell as one with a text of its own.
    fn with_text(&self, text: &str) -> String {
        let attribute = |name: &str, value: &str| match value {
            "" => String::new(),
            value => format!(" {name}=\"{}\"", encode(value)),
        };
        let (reference, style) = (attribute("r", &self.reference), attribute("s", &self.style));
        format!(
            "<c{reference}{style} t=\"inlineStr\"><is><t xml:space=\"preserve\">{}</t></is></c>",
            encode(text)
        )
    }
}

/// Returns the column of a reference such as `B2`, from 1.
fn column(reference: &str) -> Option<usize> {
    let letters = reference.bytes().take_while(u8::is_ascii_uppercase).take(4);
    let column = letters.fold(0, |column, letter| column * 26 + usize::from(letter - b'A') + 1);
    (column > 0).then_some(column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_from_one() {
        assert_eq!(["A1", "Z9", "AB12", "1", ""].map(column), [Some(1), Some(26), Some(28), None, None]);
    }
}
