//! Word processing and presentations (ECMA-376): every text of every part.
//!
//! The parts differ in their elements, but paragraphs are `p`, their runs `r` and their texts `t` in all of them. What
//! stands elsewhere is read as a text of its own, so that nothing depends on knowing the part.

use std::{collections::HashMap, ops::Range};

use super::{
    Changed, DocumentError, encoding,
    limits::MAX_OPEN_ELEMENTS,
    macros,
    markup::{Attribute, Patches, Syntax, Tag, Token, Tokens, decode, decode_attribute, local},
    package::Package,
    runs::Runs,
    visitor::{Walk, apply},
    walk_nested,
};
use crate::Role;

/// Elements that hold one text whose pieces belong together.
const PARAGRAPHS: [&str; 4] = ["p", "si", "is", "text"];
/// Elements of a paragraph that hold its text.
const TEXTS: [&str; 6] = ["t", "delText", "instrText", "delInstrText", "text", "fld"];
/// Elements whose text is a setting of the layout.
const SETTINGS: [&str; 9] = [
    "posOffset",
    "align",
    "pctWidth",
    "pctHeight",
    "pctPosHOffset",
    "pctPosVOffset",
    "TotalTime",
    "AppVersion",
    "DocSecurity",
];
/// Attributes that hold text which a reader does not see at once.
const DESCRIPTIONS: [&str; 12] = [
    "descr",
    "title",
    "tooltip",
    "alt",
    "string",
    "displayText",
    "prompt",
    "promptTitle",
    "error",
    "errorTitle",
    "author",
    "display",
];
/// Elements whose attribute `val` holds text.
const WITH_VALUES: [&str; 4] = ["tag", "alias", "docVar", "statusText"];
/// Half-points of text that is too small to be seen.
const TINY: u32 = 4;

/// Walks through a file of Word or PowerPoint.
pub(super) fn walk(file: &[u8], walk: &mut Walk<'_>) -> Result<Changed, DocumentError> {
    let mut package = Package::open(file)?;
    walk.enter(package.names.len())?;
    let mut contents = HashMap::new();
    for at in 0..package.names.len() {
        if package.is_folder(at) {
            continue;
        }
        let entry = package.read(at, walk)?;
        if let Some(changed) = walk_entry(&entry, &package.names[at], walk)? {
            contents.insert(at, changed);
        }
    }
    finish(package, contents)
}

/// Writes a package with these changes. Its preview, which shows the first page as it was, becomes empty.
pub(super) fn finish(
    package: Package<'_>,
    mut contents: HashMap<usize, Vec<u8>>,
) -> Result<Changed, DocumentError> {
    if contents.is_empty() {
        return Ok(None);
    }
    let previews =
        package.names.iter().enumerate().filter(|(_, name)| is_preview(&name.to_ascii_lowercase()));
    contents.extend(previews.map(|(at, _)| (at, Vec::new())));
    package.write(&contents, &HashMap::new()).map(Some)
}

/// Returns true for the image of the first page that programs show in lists of files.
fn is_preview(name: &str) -> bool {
    name.starts_with("docprops/thumbnail.")
}

/// Walks through one entry of a package.
pub(super) fn walk_entry(entry: &[u8], name: &str, walk: &mut Walk<'_>) -> Result<Changed, DocumentError> {
    walk.check_time()?;
    let lower = name.to_ascii_lowercase();
    let extension = lower.rsplit_once('.').map_or("", |(_, extension)| extension);
    walk.page = page(&lower);
    let changed = match extension {
        _ if lower == "[content_types].xml" || is_preview(&lower) => None,
        "xml" | "rels" | "vml" | "svg" => walk_part(entry, &lower, walk)?,
        "bin" if lower.ends_with("vbaproject.bin") => {
            macros::walk(entry, walk)?;
            None
        }
        // Settings of printers, fonts: no text that a reader or a model sees.
        "bin" if lower.contains("printersettings") => None,
        "odttf" | "fntdata" | "ttf" => None,
        _ => walk_nested(entry, Some(name), walk)?,
    };
    walk.page = None;
    Ok(changed)
}

/// Returns the number of a slide, from the name of its part or of its notes.
fn page(name: &str) -> Option<u32> {
    let (folder, part) = name.rsplit_once('/')?;
    let is_slide = folder.ends_with("slides") || folder.ends_with("notesslides");
    let digits: String =
        part.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    is_slide.then(|| digits.parse().ok())?
}

fn role(name: &str) -> Role {
    const ROLES: [(&str, Role); 9] = [
        ("comment", Role::Comment),
        ("footnotes", Role::Note),
        ("endnotes", Role::Note),
        ("notesslide", Role::Note),
        ("docprops/", Role::Metadata),
        ("customxml/", Role::Metadata),
        ("people", Role::Metadata),
        ("glossary/", Role::Hidden),
        ("handoutmaster", Role::Hidden),
    ];
    ROLES.into_iter().find(|(part, _)| name.contains(part)).map_or(Role::Body, |(_, role)| role)
}

fn walk_part(entry: &[u8], name: &str, walk: &mut Walk<'_>) -> Result<Changed, DocumentError> {
    let Some(decoded) = encoding::decode(entry, None) else {
        walk.unread += 1;
        return Ok(None);
    };
    let mut part = Part::new(&decoded.text, role(name));
    part.walk(walk)?;
    Ok((!part.patches.is_empty()).then(|| decoded.encode(&part.patches.apply(&decoded.text))))
}

/// A part of a package in XML.
pub(super) struct Part<'s> {
    pub source: &'s str,
    pub patches: Patches,
    role: Role,
    open: Vec<&'s str>,
    paragraphs: Vec<Paragraph>,
}

/// A paragraph that is read: what a reader sees of it, and what is hidden.
#[derive(Default)]
struct Paragraph {
    visible: Runs,
    hidden: Runs,
    is_hidden: bool,
}

impl<'s> Part<'s> {
    pub const fn new(source: &'s str, role: Role) -> Self {
        Self { source, patches: Patches::new(), role, open: Vec::new(), paragraphs: Vec::new() }
    }

    fn walk(&mut self, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        for token in Tokens::new(self.source, Syntax::Xml) {
            self.token(token, walk)?;
        }
        while let Some(paragraph) = self.paragraphs.pop() {
            self.finish(&paragraph, walk)?;
        }
        Ok(())
    }

    /// Reads a token.
    pub fn token(&mut self, token: Token<'s>, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        match token {
            Token::Start(tag) => self.start(&tag, walk),
            Token::End(name) => self.end(local(name), walk),
            Token::Text(place) => self.text(&decode(&self.source[place.clone()]), place, walk),
            Token::Verbatim(place) => {
                // A change replaces the section with its brackets.
                let around = place.start.saturating_sub(9)..(place.end + 3).min(self.source.len());
                self.text(&self.source[place], around, walk)
            }
            Token::Comment(place) => {
                let is_declaration = self.source[place.clone()].starts_with("xml ");
                if is_declaration { Ok(()) } else { self.alone(place, Role::Comment, walk) }
            }
        }
    }

    fn start(&mut self, tag: &Tag<'s>, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        let name = local(tag.name);
        self.attributes(tag, walk)?;
        if name == "sld" && tag.value(self.source, "show").is_some_and(|show| is_off(&show)) {
            self.role = Role::Hidden;
        }
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.format(name, tag, self.source);
        }
        if tag.is_empty {
            return Ok(());
        }
        if self.open.len() == MAX_OPEN_ELEMENTS {
            return Err(DocumentError::too_large(format!("more than {MAX_OPEN_ELEMENTS} nested elements")));
        }
        if PARAGRAPHS.contains(&name) {
            self.paragraphs.push(Paragraph::default());
        }
        self.open.push(name);
        Ok(())
    }

    fn end(&mut self, name: &'s str, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        if let Some(at) = self.open.iter().rposition(|open| *open == name) {
            self.open.truncate(at);
        }
        if PARAGRAPHS.contains(&name)
            && let Some(paragraph) = self.paragraphs.pop()
        {
            self.finish(&paragraph, walk)?;
        }
        match name {
            "tc" => walk.separate("\t"),
            "tr" => walk.separate("\n"),
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str, place: Range<usize>, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        let element = self.open.last().copied().unwrap_or_default();
        if SETTINGS.contains(&element) {
            return Ok(());
        }
        match self.paragraphs.last_mut() {
            Some(paragraph) if TEXTS.contains(&element) => {
                let is_deleted = element.starts_with("del");
                let runs = if paragraph.is_hidden || is_deleted {
                    &mut paragraph.hidden
                } else {
                    &mut paragraph.visible
                };
                runs.push(text, place);
                Ok(())
            }
            _ => {
                let edits = walk.text(text, self.role)?;
                let mut runs = Runs::default();
                runs.push(text, place);
                runs.rewrite(&edits, &mut self.patches);
                Ok(())
            }
        }
    }

    /// Reads a place whose text has no entities.
    fn alone(&mut self, place: Range<usize>, role: Role, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        let text = &self.source[place.clone()];
        let edits = walk.text(text, role)?;
        if !edits.is_empty() {
            self.patches.replace(place, apply(text, &edits));
        }
        Ok(())
    }

    fn finish(&mut self, paragraph: &Paragraph, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        for (runs, role) in [(&paragraph.visible, self.role), (&paragraph.hidden, Role::Hidden)] {
            let edits = walk.text(&runs.text, role)?;
            runs.rewrite(&edits, &mut self.patches);
        }
        Ok(())
    }

    /// Reads the attributes that hold texts and addresses.
    pub fn attributes(&mut self, tag: &Tag<'s>, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        let name = local(tag.name);
        let is_external = name == "Relationship"
            && tag.value(self.source, "TargetMode").is_some_and(|mode| mode.eq_ignore_ascii_case("External"));
        for attribute in &tag.attributes {
            let role = match local(attribute.name) {
                "Target" if is_external => Role::Link,
                "author" | "lastEdited" => Role::Metadata,
                one if DESCRIPTIONS.contains(&one) => Role::AltText,
                "val" if WITH_VALUES.contains(&name) => Role::Metadata,
                // Values of a pivot table's cache.
                "v" if name == "s" => Role::Hidden,
                _ => continue,
            };
            self.attribute(attribute, role, walk)?;
        }
        Ok(())
    }

    fn attribute(
        &mut self,
        attribute: &Attribute<'_>,
        role: Role,
        walk: &mut Walk<'_>,
    ) -> Result<(), DocumentError> {
        let value = decode_attribute(&self.source[attribute.value.clone()]);
        let edits = walk.text(&value, role)?;
        if !edits.is_empty() {
            self.patches.replace_attribute(attribute, &apply(&value, &edits));
        }
        Ok(())
    }
}

impl Paragraph {
    /// Follows an element of the paragraph: separators, and formatting that hides the run.
    fn format(&mut self, name: &str, tag: &Tag<'_>, source: &str) {
        let value = || tag.value(source, "val");
        match name {
            "r" => self.is_hidden = false,
            "vanish" | "webHidden" | "specVanish" => {
                self.is_hidden |= !value().is_some_and(|value| is_off(&value));
            }
            "color" => self.is_hidden |= value().is_some_and(|color| color.eq_ignore_ascii_case("ffffff")),
            "sz" => {
                let size: Option<u32> = value().and_then(|size| size.parse().ok());
                self.is_hidden |= size.is_some_and(|size| size <= TINY);
            }
            "tab" => self.visible.push_separator("\t"),
            "br" | "cr" => self.visible.push_separator("\n"),
            "noBreakHyphen" => self.visible.push_separator("-"),
            _ => {}
        }
    }
}

/// Returns true for a value of a switch that is off (ECMA-376, part 1, section 22.9.2.7).
fn is_off(value: &str) -> bool {
    matches!(value, "0" | "false" | "off")
}
