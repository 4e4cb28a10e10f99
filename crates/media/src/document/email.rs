//! Messages of electronic mail (RFC 5322, RFC 2045 to 2047): header fields, texts and attachments. What does not change is
//! kept byte for byte.

use std::ops::Range;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use mail_parser::{
    Encoding, Header, MessageParser, MessagePart, MimeHeaders as _, PartType, parsers::MessageStream,
};

use super::{
    Changed, DocumentError, html,
    visitor::{Walk, apply},
    walk_nested,
};
use crate::{Format, Role};

/// Fields that carry no text of their own: settings of MIME, and signatures that look like secrets.
const SKIPPED: [&str; 7] = [
    "content-transfer-encoding",
    "mime-version",
    "dkim-signature",
    "x-google-dkim-signature",
    "arc-seal",
    "arc-message-signature",
    "autocrypt",
];
/// Bytes of a line of base64 (RFC 2045, section 6.8).
const LINE: usize = 76;
/// Bytes of text in an encoded word (RFC 2047, section 2).
const WORD: usize = 42;

/// Walks through a message.
pub(super) fn walk(file: &[u8], walk: &mut Walk<'_>) -> Result<Changed, DocumentError> {
    let message =
        MessageParser::default().parse(file).ok_or_else(|| DocumentError::damaged(Format::Email))?;
    walk.enter(message.parts.len())?;
    let mut changes = Changes { file, splices: Vec::new() };
    for part in &message.parts {
        walk.check_time()?;
        changes.part(part, walk)?;
    }
    Ok(changes.apply())
}

/// New contents of places of a message.
struct Changes<'f> {
    file: &'f [u8],
    splices: Vec<(Range<usize>, Vec<u8>)>,
}

impl Changes<'_> {
    fn part(&mut self, part: &MessagePart<'_>, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        let place = part.offset_body as usize..part.offset_end as usize;
        let mut content_type = None;
        for header in &part.headers {
            let value = self.header(header, walk)?;
            if header.name.as_str().eq_ignore_ascii_case("content-type") {
                content_type = value;
            }
        }
        let name = part.attachment_name();
        match &part.body {
            PartType::Text(text) => {
                let edits = walk.text(text, Role::Body)?;
                if !edits.is_empty() {
                    self.replace_text(part, content_type, "text/plain", &apply(text, &edits));
                }
            }
            PartType::Html(text) => {
                if let Some(changed) = html::walk_text(text, walk)? {
                    self.replace_text(part, content_type, "text/html", &changed);
                }
            }
            PartType::Binary(bytes) | PartType::InlineBinary(bytes) => {
                if let Some(changed) = walk_nested(bytes, name, walk)? {
                    self.replace_body(part, &changed);
                }
            }
            PartType::Message(nested) if part.encoding == Encoding::None => {
                let _ = nested;
                let bytes = self.file.get(place.clone()).unwrap_or_default();
                if let Some(changed) = walk_nested(bytes, Some("message.eml"), walk)? {
                    self.splices.push((place, changed));
                }
            }
            PartType::Message(nested) => {
                if let Some(changed) = walk_nested(&nested.raw_message, Some("message.eml"), walk)? {
                    self.replace_body(part, &changed);
                }
            }
            PartType::Multipart(_) => {}
        }
        Ok(())
    }

    /// Reads a field and returns its new value, if it changes.
    fn header(&mut self, header: &Header<'_>, walk: &mut Walk<'_>) -> Result<Option<String>, DocumentError> {
        let name = header.name.as_str();
        let place = header.offset_start as usize..header.offset_end as usize;
        let raw = self.file.get(place.clone()).unwrap_or_default();
        if SKIPPED.iter().any(|skipped| name.eq_ignore_ascii_case(skipped)) {
            return Ok(None);
        }
        let value = decode_field(raw);
        let text = format!("{name}: {value}");
        let start = text.len() - value.len();
        let mut edits = walk.text(&text, Role::Metadata)?;
        edits.retain(|edit| edit.span.start >= start);
        if edits.is_empty() {
            return Ok(None);
        }
        let changed = apply(&text, &edits)[start..].to_owned();
        self.splices.push((place, encode_field(&changed)));
        Ok(Some(changed))
    }

    /// Writes a text as UTF-8 in base64, and the fields that declare that.
    fn replace_text(&mut self, part: &MessagePart<'_>, changed: Option<String>, default: &str, text: &str) {
        let field = find(part, "content-type");
        let value = changed.or_else(|| field.map(|field| decode_field(&self.file[place(field)])));
        let value = with_charset(value.as_deref().unwrap_or(default));
        match field {
            Some(field) => {
                let place = place(field);
                self.splices.retain(|(known, _)| *known != place);
                self.splices.push((place, encode_field(&value)));
            }
            None => self.insert_field(part, &format!("Content-Type: {value}\r\n")),
        }
        self.replace_body(part, text.as_bytes());
    }

    fn replace_body(&mut self, part: &MessagePart<'_>, bytes: &[u8]) {
        match find(part, "content-transfer-encoding") {
            Some(field) => self.splices.push((place(field), encode_field("base64"))),
            None => self.insert_field(part, "Content-Transfer-Encoding: base64\r\n"),
        }
        let encoded = BASE64_STANDARD.encode(bytes);
        let mut lines = Vec::with_capacity(encoded.len() + encoded.len() / LINE * 2 + 2);
        for line in encoded.as_bytes().chunks(LINE) {
            lines.extend_from_slice(line);
            lines.extend_from_slice(b"\r\n");
        }
        self.splices.push((part.offset_body as usize..part.offset_end as usize, lines));
    }

    fn insert_field(&mut self, part: &MessagePart<'_>, field: &str) {
        let at = part.offset_header as usize;
        self.splices.push((at..at, field.as_bytes().to_vec()));
    }

    fn apply(mut self) -> Changed {
        if self.splices.is_empty() {
            return None;
        }
        self.splices.sort_by_key(|(place, _)| place.start);
        let mut changed = Vec::with_capacity(self.file.len());
        let mut at = 0;
        for (place, bytes) in self.splices {
            if place.start < at {
                continue;
            }
            changed.extend_from_slice(&self.file[at..place.start]);
            changed.extend_from_slice(&bytes);
            at = place.end;
        }
        changed.extend_from_slice(&self.file[at..]);
        Some(changed)
    }
}

fn find<'p>(part: &'p MessagePart<'_>, name: &str) -> Option<&'p Header<'p>> {
    part.headers.iter().find(|header| header.name.as_str().eq_ignore_ascii_case(name))
}

const fn place(header: &Header<'_>) -> Range<usize> {
    header.offset_start as usize..header.offset_end as usize
}

/// Returns the value of a field without folding and encoded words.
fn decode_field(raw: &[u8]) -> String {
    let line = [raw.trim_ascii(), b"\r\n"].concat();
    MessageStream::new(&line).parse_unstructured().as_text().unwrap_or_default().to_owned()
}

/// Writes the value of a field, with words of other letters than those of ASCII encoded (RFC 2047).
fn encode_field(value: &str) -> Vec<u8> {
    let mut written = String::new();
    let mut was_encoded = false;
    for word in value.split_whitespace() {
        written.push(' ');
        if word.is_ascii() {
            written.push_str(word);
            was_encoded = false;
            continue;
        }
        // Blanks between two encoded words are dropped, so that the second one holds its own.
        let word = if was_encoded { format!(" {word}") } else { word.to_owned() };
        let chunks: Vec<String> =
            chunks(&word).map(|chunk| format!("=?utf-8?B?{}?=", BASE64_STANDARD.encode(chunk))).collect();
        written.push_str(&chunks.join(" "));
        was_encoded = true;
    }
    written.push_str("\r\n");
    written.into_bytes()
}

/// Splits a text into pieces that fit into an encoded word.
fn chunks(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let length = text
            .char_indices()
            .map(|(at, letter)| at + letter.len_utf8())
            .take_while(|end| *end <= WORD)
            .last()?;
        let (chunk, rest) = text.split_at(length);
        text = rest;
        Some(chunk)
    })
}

/// Returns a content type with UTF-8 as its charset.
fn with_charset(content_type: &str) -> String {
    let is_charset = |parameter: &&str| parameter.trim_start().to_ascii_lowercase().starts_with("charset");
    let kept: Vec<&str> =
        content_type.split(';').map(str::trim).filter(|one| !is_charset(one) && !one.is_empty()).collect();
    format!("{}; charset=utf-8", kept.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_decoded_and_encoded() {
        assert_eq!(
            decode_field(b" =?utf-8?Q?J=C3=BCrgen?=\r\n <j@example.org>\r\n"),
            "Jürgen <j@example.org>"
        );
        let long = "Grüße ä ö <[EMAIL_REDACTED]>";
        let encoded = encode_field(long);
        assert!(encoded.is_ascii() && encoded.ends_with(b"\r\n"));
        assert_eq!(decode_field(&encoded), long);
    }

    #[test]
    fn a_content_type_has_one_charset() {
        assert_eq!(
            with_charset("text/plain; charset=\"iso-8859-1\"; format=flowed"),
            "text/plain; format=flowed; charset=utf-8"
        );
    }
}
