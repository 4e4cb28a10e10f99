//! Tokens of XML and HTML with their places in the source, and changes at these places.
//!
//! Nothing of the source is dropped that may hold text: what is no tag is text, and what is not closed ends with the
//! source. Entities that a document defines are not expanded.

use std::{borrow::Cow, ops::Range};

use super::limits::MAX_ATTRIBUTES;

/// Rules of a markup language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    Xml,
    Html,
}

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub enum Token<'s> {
    /// Text with entities.
    Text(Range<usize>),
    /// Text without entities: CDATA, scripts and styles.
    Verbatim(Range<usize>),
    /// Start of an element.
    Start(Tag<'s>),
    /// End of an element, with its name.
    End(&'s str),
    /// Comment, declaration or processing instruction.
    Comment(Range<usize>),
}

/// The start of an element.
#[derive(Clone, Debug, PartialEq)]
pub struct Tag<'s> {
    /// Place of the opening bracket.
    pub start: usize,
    /// Name with its prefix.
    pub name: &'s str,
    /// Attributes in order.
    pub attributes: Vec<Attribute<'s>>,
    /// True if it ends itself (`<br/>`).
    pub is_empty: bool,
}

/// An attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute<'s> {
    /// Name with its prefix.
    pub name: &'s str,
    /// Place of the value without quotes.
    pub value: Range<usize>,
    /// True if the value stands in quotes.
    pub is_quoted: bool,
}

impl<'s> Tag<'s> {
    /// Returns the decoded value of an attribute with this local name.
    pub fn value(&self, source: &'s str, name: &str) -> Option<Cow<'s, str>> {
        let found = self.attributes.iter().find(|attribute| local(attribute.name).eq_ignore_ascii_case(name));
        found.map(|attribute| decode_attribute(&source[attribute.value.clone()]))
    }
}

/// Returns a name without its prefix.
pub fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// Decodes the entities of a text.
pub fn decode(text: &str) -> Cow<'_, str> {
    htmlize::unescape(text)
}

/// Decodes the entities of an attribute.
pub fn decode_attribute(value: &str) -> Cow<'_, str> {
    htmlize::unescape_attribute(value)
}

/// Writes a text with entities.
pub fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => encoded.push_str("&amp;"),
            '<' => encoded.push_str("&lt;"),
            '>' => encoded.push_str("&gt;"),
            '"' => encoded.push_str("&quot;"),
            '\'' => encoded.push_str("&#39;"),
            letter => encoded.push(letter),
        }
    }
    encoded
}

/// Iterates over the tokens of a source.
pub struct Tokens<'s> {
    source: &'s str,
    syntax: Syntax,
    at: usize,
    /// Element of HTML whose contents are no markup.
    raw: Option<&'static str>,
}

/// Elements of HTML whose contents are no markup (HTML, section 13.1.2).
const RAW: [&str; 8] = ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"];
/// Those of them whose contents have entities.
const WITH_ENTITIES: [&str; 2] = ["textarea", "title"];

impl<'s> Tokens<'s> {
    pub const fn new(source: &'s str, syntax: Syntax) -> Self {
        Self { source, syntax, at: 0, raw: None }
    }

    /// Returns the place after the last token.
    pub const fn position(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    /// Returns the place of the next `length` bytes and moves past `skip` more.
    fn take(&mut self, length: usize, skip: usize) -> Range<usize> {
        let range = self.at..(self.at + length).min(self.source.len());
        self.at = (range.end + skip).min(self.source.len());
        range
    }

    /// Returns the place up to `end`, or up to the end of the source.
    fn until(&mut self, end: &str) -> Range<usize> {
        let length = self.rest().find(end).unwrap_or(self.rest().len());
        self.take(length, end.len())
    }

    fn raw_content(&mut self, element: &'static str) -> Option<Token<'s>> {
        let bytes = self.rest().as_bytes();
        let closes = |at: &usize| {
            bytes[*at..].starts_with(b"</")
                && bytes
                    .get(at + 2..at + 2 + element.len())
                    .is_some_and(|name| name.eq_ignore_ascii_case(element.as_bytes()))
        };
        let length = brackets(bytes).find(closes).unwrap_or(bytes.len());
        let range = self.take(length, 0);
        let is_text = WITH_ENTITIES.contains(&element);
        (!range.is_empty()).then_some(if is_text { Token::Text(range) } else { Token::Verbatim(range) })
    }

    fn markup(&mut self) -> Token<'s> {
        let rest = self.rest();
        if rest.starts_with("<!--") {
            self.at += 4;
            return Token::Comment(self.comment());
        }
        if self.syntax == Syntax::Xml && rest.starts_with("<![CDATA[") {
            self.at += 9;
            return Token::Verbatim(self.until("]]>"));
        }
        if rest.starts_with("<!") || rest.starts_with("<?") {
            self.at += 2;
            let declaration = &rest[..rest.find('>').unwrap_or(rest.len())];
            let has_subset = declaration.starts_with("<!DOCTYPE") && declaration.contains('[');
            return Token::Comment(self.until(if has_subset { "]>" } else { ">" }));
        }
        if rest.starts_with("</") {
            self.at += 2;
            let range = self.until(">");
            let name = self.source[range].trim();
            return Token::End(name.split(char::is_whitespace).next().unwrap_or_default());
        }
        Token::Start(self.tag())
    }

    fn comment(&mut self) -> Range<usize> {
        if self.syntax == Syntax::Html {
            for abrupt in [">", "->"] {
                if self.rest().starts_with(abrupt) {
                    return self.take(0, abrupt.len());
                }
            }
            let rest = self.rest();
            let within = &rest[..rest.find("-->").unwrap_or(rest.len())];
            if within.contains("--!>") {
                return self.until("--!>");
            }
        }
        self.until("-->")
    }

    fn tag(&mut self) -> Tag<'s> {
        let start = self.at;
        self.at += 1;
        let name = self.take_while(|byte| !is_space(byte) && !matches!(byte, b'/' | b'>'));
        let mut tag = Tag { start, name: &self.source[name], attributes: Vec::new(), is_empty: false };
        loop {
            self.take_while(is_space);
            match self.rest().as_bytes().first() {
                // The rest is read as text.
                _ if tag.attributes.len() == MAX_ATTRIBUTES => return tag,
                None => return tag,
                Some(b'>') => {
                    self.at += 1;
                    return tag;
                }
                Some(b'/') => {
                    self.at += 1;
                    tag.is_empty = self.rest().starts_with('>');
                }
                Some(_) => tag.attributes.push(self.attribute()),
            }
        }
    }

    fn attribute(&mut self) -> Attribute<'s> {
        // A name may begin with an equals sign in HTML.
        let start = self.at;
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
        self.take_while(|byte| !is_space(byte) && !matches!(byte, b'=' | b'/' | b'>'));
        let name = &self.source[start..self.at];
        let after_name = self.at;
        self.take_while(is_space);
        if !self.rest().starts_with('=') {
            self.at = after_name;
            return Attribute { name, value: after_name..after_name, is_quoted: false };
        }
        self.at += 1;
        self.take_while(is_space);
        let quote = self.rest().chars().next().filter(|quote| matches!(quote, '"' | '\''));
        let Some(quote) = quote else {
            let value = self.take_while(|byte| !is_space(byte) && byte != b'>');
            return Attribute { name, value, is_quoted: false };
        };
        self.at += 1;
        let value = self.until(if quote == '"' { "\"" } else { "'" });
        Attribute { name, value, is_quoted: true }
    }

    fn take_while(&mut self, holds: impl Fn(u8) -> bool) -> Range<usize> {
        let bytes = self.rest().as_bytes();
        let length = bytes.iter().position(|byte| !holds(*byte)).unwrap_or(bytes.len());
        self.take(length, 0)
    }
}

impl<'s> Iterator for Tokens<'s> {
    type Item = Token<'s>;

    fn next(&mut self) -> Option<Token<'s>> {
        if let Some(element) = self.raw.take()
            && let Some(content) = self.raw_content(element)
        {
            return Some(content);
        }
        let bytes = self.rest().as_bytes();
        if bytes.is_empty() {
            return None;
        }
        let is_markup = |at: &usize| {
            bytes.get(at + 1).is_some_and(|next| next.is_ascii_alphabetic() || b"/!?_".contains(next))
        };
        let text = brackets(bytes).find(is_markup).unwrap_or(bytes.len());
        if text > 0 {
            return Some(Token::Text(self.take(text, 0)));
        }
        let token = self.markup();
        if let (Token::Start(tag), Syntax::Html) = (&token, self.syntax) {
            self.raw = RAW.into_iter().find(|raw| tag.name.eq_ignore_ascii_case(raw));
        }
        Some(token)
    }
}

const fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

/// Returns the positions of `<`.
fn brackets(bytes: &[u8]) -> impl Iterator<Item = usize> {
    bytes.iter().enumerate().filter(|(_, byte)| **byte == b'<').map(|(at, _)| at)
}

/// Changes of a source at places that do not overlap.
pub struct Patches(Vec<(Range<usize>, String)>);

impl Patches {
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn replace(&mut self, place: Range<usize>, text: String) {
        self.0.push((place, text));
    }

    /// Replaces the value of an attribute, in quotes if it has none.
    pub fn replace_attribute(&mut self, attribute: &Attribute<'_>, value: &str) {
        let quote = if attribute.is_quoted { "" } else { "\"" };
        self.replace(attribute.value.clone(), [quote, &encode(value), quote].concat());
    }

    /// Returns the changed source. A change within another one is dropped.
    pub fn apply(mut self, source: &str) -> String {
        self.0.sort_by_key(|(place, _)| (place.start, std::cmp::Reverse(place.end)));
        let mut changed = String::with_capacity(source.len());
        let mut at = 0;
        for (place, text) in &self.0 {
            if place.start < at {
                continue;
            }
            changed.push_str(&source[at..place.start]);
            changed.push_str(text);
            at = place.end;
        }
        changed.push_str(&source[at..]);
        changed
    }
}

#[cfg(test)]
mod tests;
