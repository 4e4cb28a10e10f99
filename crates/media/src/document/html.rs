//! HTML: what a browser shows, what it hides, and the attributes, comments and scripts around it.

use std::ops::Range;

use base64::{Engine as _, prelude::BASE64_STANDARD};

use super::{
    Changed, DocumentError, embedded, encoding,
    limits::MAX_OPEN_ELEMENTS,
    markup::{Attribute, Patches, Syntax, Tag, Token, Tokens, decode, decode_attribute},
    runs::Runs,
    visitor::{Walk, apply},
};
use crate::Role;

/// Bytes in which an encoding is declared (HTML, section 13.2.3.2).
const DECLARATION: usize = 1024;
/// Elements that do not end a line of text.
const INLINE: [&str; 33] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font",
    "i", "ins", "kbd", "label", "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub",
    "sup", "time", "tt", "u", "wbr",
];
/// Elements without an end (HTML, section 13.1.2).
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
];
/// Elements that browsers do not show.
const UNSEEN: [&str; 6] = ["template", "noscript", "noembed", "noframes", "datalist", "iframe"];
/// Declarations of styles that hide an element, without blanks.
const HIDING: [&str; 14] = [
    "display:none",
    "visibility:hidden",
    "visibility:collapse",
    "opacity:0;",
    "opacity:0.0",
    "font-size:0",
    "font-size:1px",
    "color:transparent",
    "text-indent:-",
    "left:-",
    "top:-9",
    "clip:rect(0",
    "clip-path:inset(50%",
    "clip-path:inset(100%",
];
/// Colors of text that is not seen on white.
const WHITE: [&str; 5] =
    ["color:white", "color:#fff", "color:rgb(255,255,255", "color:hsl(0,0%,100%", "color:snow"];
/// Attributes that describe an element.
const DESCRIPTIONS: [&str; 10] = [
    "alt",
    "title",
    "aria-label",
    "aria-description",
    "placeholder",
    "value",
    "content",
    "summary",
    "label",
    "srcdoc",
];
/// Attributes that hold an address.
const LINKS: [&str; 7] = ["href", "src", "action", "formaction", "cite", "data", "poster"];

/// Walks through a file in HTML. `declared` is an encoding that its surroundings name.
pub(super) fn walk(
    file: &[u8],
    declared: Option<&str>,
    walk: &mut Walk<'_>,
) -> Result<Changed, DocumentError> {
    let own = declared.is_none().then(|| declared_encoding(file)).flatten();
    let decoded =
        encoding::decode(file, declared.or(own.as_deref())).ok_or_else(DocumentError::unknown_format)?;
    let changed = walk_text(&decoded.text, walk)?;
    Ok(changed.map(|changed| decoded.encode(&changed)))
}

/// Walks through a text in HTML.
pub(super) fn walk_text(source: &str, walk: &mut Walk<'_>) -> Result<Option<String>, DocumentError> {
    let mut page = Page::new(source);
    for token in Tokens::new(source, Syntax::Html) {
        page.token(token, walk)?;
    }
    page.flush(walk)?;
    Ok((!page.patches.is_empty()).then(|| page.patches.apply(source)))
}

/// Returns the encoding that a `meta` element declares.
fn declared_encoding(file: &[u8]) -> Option<String> {
    let beginning = String::from_utf8_lossy(&file[..file.len().min(DECLARATION)]).to_ascii_lowercase();
    let (_, value) = beginning.split_once("charset=")?;
    let name = value.trim_start_matches(['"', '\'']);
    Some(
        name.chars()
            .take_while(|letter| letter.is_ascii_alphanumeric() || "-_:.".contains(*letter))
            .collect(),
    )
}

struct Page<'s> {
    source: &'s str,
    patches: Patches,
    /// Open elements, each with whether it is hidden.
    open: Vec<(String, bool)>,
    line: Runs,
    /// True if the text of the line is hidden.
    line_is_hidden: bool,
}

impl<'s> Page<'s> {
    const fn new(source: &'s str) -> Self {
        Self { source, patches: Patches::new(), open: Vec::new(), line: Runs::new(), line_is_hidden: false }
    }

    fn token(&mut self, token: Token<'s>, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        match token {
            Token::Start(tag) => self.start(&tag, walk),
            Token::End(name) => self.end(&name.to_ascii_lowercase(), walk),
            Token::Text(place) => {
                let text = decode(&self.source[place.clone()]);
                self.text(&text, place, walk)
            }
            Token::Verbatim(place) => self.alone(place, Role::Macro, walk),
            Token::Comment(place) => {
                let text = &self.source[place.clone()];
                let is_doctype = text.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("doctype"));
                if is_doctype { Ok(()) } else { self.alone(place, Role::Comment, walk) }
            }
        }
    }

    fn is_hidden(&self) -> bool {
        self.open.last().is_some_and(|(_, is_hidden)| *is_hidden)
    }

    fn start(&mut self, tag: &Tag<'s>, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        let name = tag.name.to_ascii_lowercase();
        if !INLINE.contains(&name.as_str()) {
            if name == "br" {
                self.line.push_separator("\n");
            } else {
                self.flush(walk)?;
            }
        }
        self.attributes(tag, &name, walk)?;
        if tag.is_empty || VOID.contains(&name.as_str()) {
            return Ok(());
        }
        if self.open.len() == MAX_OPEN_ELEMENTS {
            return Err(DocumentError::too_large(format!("more than {MAX_OPEN_ELEMENTS} nested elements")));
        }
        let is_hidden = self.is_hidden() || hides(tag, &name, self.source);
        self.open.push((name, is_hidden));
        Ok(())
    }

    fn end(&mut self, name: &str, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        if let Some(at) = self.open.iter().rposition(|(open, _)| open == name) {
            self.open.truncate(at);
        }
        match name {
            _ if INLINE.contains(&name) => Ok(()),
            "td" | "th" => {
                self.flush(walk)?;
                walk.separate("\t");
                Ok(())
            }
            "tr" => {
                self.flush(walk)?;
                walk.separate("\n");
                Ok(())
            }
            _ => self.flush(walk),
        }
    }

    fn text(&mut self, text: &str, place: Range<usize>, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        if self.is_hidden() != self.line_is_hidden {
            self.flush(walk)?;
            self.line_is_hidden = self.is_hidden();
        }
        self.line.push(text, place);
        Ok(())
    }

    /// Shows the line to the visitor.
    fn flush(&mut self, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        let line = std::mem::take(&mut self.line);
        let role = if self.line_is_hidden { Role::Hidden } else { Role::Body };
        let edits = walk.text(&line.text, role)?;
        line.rewrite(&edits, &mut self.patches);
        Ok(())
    }

    /// Shows a place without entities to the visitor.
    fn alone(&mut self, place: Range<usize>, role: Role, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        self.flush(walk)?;
        let text = &self.source[place.clone()];
        let edits = walk.text(text, role)?;
        if !edits.is_empty() {
            self.patches.replace(place, apply(text, &edits));
        }
        Ok(())
    }

    fn attributes(&mut self, tag: &Tag<'s>, name: &str, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        for attribute in &tag.attributes {
            let attribute_name = attribute.name.to_ascii_lowercase();
            let value = decode_attribute(&self.source[attribute.value.clone()]);
            let role = match attribute_name.as_str() {
                "content" if name == "meta" => Role::Metadata,
                one if DESCRIPTIONS.contains(&one) => Role::AltText,
                one if LINKS.contains(&one) => Role::Link,
                // Programs keep texts and records in attributes of their own, and handlers of events.
                one if one.starts_with("data-") || one.starts_with("on") => Role::Macro,
                _ => continue,
            };
            if role == Role::Link && is_embedded(&value) {
                self.embedded_image(attribute, &value, walk);
                continue;
            }
            self.attribute(attribute, &value, role, walk)?;
        }
        Ok(())
    }

    /// Shows an image within the page to the visitor.
    fn embedded_image(&mut self, attribute: &Attribute<'_>, address: &str, walk: &mut Walk<'_>) {
        let parts = address.trim().split_once(";base64,");
        let file = parts.and_then(|(kind, data)| Some((kind, BASE64_STANDARD.decode(data).ok()?)));
        let Some((kind, file)) = file.filter(|(_, file)| embedded::is_image(file)) else {
            walk.unread += 1;
            return;
        };
        if let Some(redacted) = embedded::walk(&file, walk) {
            let address = format!("{kind};base64,{}", BASE64_STANDARD.encode(redacted));
            self.patches.replace_attribute(attribute, &address);
        }
    }

    fn attribute(
        &mut self,
        attribute: &Attribute<'_>,
        value: &str,
        role: Role,
        walk: &mut Walk<'_>,
    ) -> Result<(), DocumentError> {
        // A link within a line is read after it, so that the line stays one text.
        let edits = walk.text(value, role)?;
        if !edits.is_empty() {
            self.patches.replace_attribute(attribute, &apply(value, &edits));
        }
        Ok(())
    }
}

/// Returns true for an image within the page itself.
fn is_embedded(address: &str) -> bool {
    address.trim_start().get(..11).is_some_and(|start| start.eq_ignore_ascii_case("data:image/"))
}

/// Returns true if an element hides its text.
fn hides(tag: &Tag<'_>, name: &str, source: &str) -> bool {
    let has = |name: &str| tag.attributes.iter().any(|attribute| attribute.name.eq_ignore_ascii_case(name));
    if UNSEEN.contains(&name) || has("hidden") {
        return true;
    }
    let color = tag.value(source, "color").is_some_and(|color| {
        let color = color.to_ascii_lowercase();
        WHITE.iter().any(|white| *white == format!("color:{color}")) || color == "#ffffff"
    });
    let Some(style) = tag.value(source, "style") else { return color };
    let mut style: String =
        style.to_ascii_lowercase().chars().filter(|letter| !letter.is_whitespace()).collect();
    style.push(';');
    let is_white = WHITE.iter().any(|white| style.starts_with(white) || style.contains(&format!(";{white}")));
    color || is_white || HIDING.iter().any(|hiding| style.contains(hiding))
}
