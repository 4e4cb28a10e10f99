//! Texts beside the pages: annotations, fields of forms, properties, addresses, scripts and attached files.

use hayro::hayro_syntax::{
    Pdf,
    object::{Array, Dict, MaybeRef, Object, Stream, String as PdfString},
};

use crate::Role;

use super::super::{
    DocumentError,
    limits::MAX_ENTRIES,
    markup::{Syntax, Token, Tokens, decode},
    visitor::Walk,
    walk_nested,
};

/// Levels of dictionaries within each other.
const MAX_DEPTH: usize = 16;
/// Objects of a file that are read.
const MAX_OBJECTS: usize = 200_000;

/// Keys of dictionaries whose values are texts (ISO 32000-1, sections 12 and 14).
const TEXTS: [(&[u8], Role); 22] = [
    (b"Contents", Role::Comment),
    (b"RC", Role::Comment),
    (b"Subj", Role::Comment),
    (b"T", Role::Comment),
    (b"TU", Role::AltText),
    (b"V", Role::Body),
    (b"DV", Role::Hidden),
    (b"CA", Role::AltText),
    (b"Alt", Role::AltText),
    (b"ActualText", Role::Hidden),
    (b"E", Role::AltText),
    (b"Title", Role::Metadata),
    (b"Author", Role::Metadata),
    (b"Subject", Role::Metadata),
    (b"Keywords", Role::Metadata),
    (b"Creator", Role::Metadata),
    (b"Producer", Role::Metadata),
    (b"Desc", Role::Metadata),
    (b"F", Role::Metadata),
    (b"UF", Role::Metadata),
    (b"URI", Role::Link),
    (b"JS", Role::Macro),
];

/// Walks through the objects of a file. Returns true if anything in them is masked.
pub fn walk(pdf: &Pdf, walk: &mut Walk<'_>) -> Result<bool, DocumentError> {
    let mut objects = Objects { pdf, is_changed: false, attachments: 0 };
    for object in pdf.objects().into_iter().take(MAX_OBJECTS) {
        walk.check_time()?;
        objects.object(&object, walk, 0)?;
    }
    Ok(objects.is_changed)
}

struct Objects<'p> {
    pdf: &'p Pdf,
    is_changed: bool,
    attachments: usize,
}

impl Objects<'_> {
    fn object(
        &mut self,
        object: &Object<'_>,
        walk: &mut Walk<'_>,
        depth: usize,
    ) -> Result<(), DocumentError> {
        if depth > MAX_DEPTH {
            return Ok(());
        }
        match object {
            Object::Dict(dict) => self.dict(dict, walk, depth),
            Object::Array(array) => self.array(array, walk, depth),
            Object::Stream(stream) => self.stream(stream, walk, depth),
            _ => Ok(()),
        }
    }

    fn array(&mut self, array: &Array<'_>, walk: &mut Walk<'_>, depth: usize) -> Result<(), DocumentError> {
        for item in array.raw_iter() {
            if let MaybeRef::NotRef(item) = item {
                self.object(&item, walk, depth + 1)?;
            }
        }
        Ok(())
    }

    fn dict(&mut self, dict: &Dict<'_>, walk: &mut Walk<'_>, depth: usize) -> Result<(), DocumentError> {
        for (key, value) in dict.entries() {
            let role = TEXTS.into_iter().find(|(name, _)| *name == key.as_ref()).map(|(_, role)| role);
            match (value, role) {
                (MaybeRef::NotRef(Object::String(text)), Some(role)) => {
                    self.text(&decoded(&text), role, walk)?;
                }
                (MaybeRef::Ref(at), Some(role)) => {
                    let at = at.into();
                    if let Some(text) = self.pdf.xref().get::<PdfString<'_>>(at) {
                        self.text(&decoded(&text), role, walk)?;
                    } else if let Some(stream) =
                        self.pdf.xref().get::<Stream<'_>>(at).filter(|_| role == Role::Macro)
                    {
                        let script = stream.decoded().unwrap_or_default();
                        self.text(&String::from_utf8_lossy(&script), role, walk)?;
                    }
                }
                (MaybeRef::NotRef(value), _) => self.object(&value, walk, depth + 1)?,
                (MaybeRef::Ref(_), None) => {}
            }
        }
        Ok(())
    }

    fn stream(
        &mut self,
        stream: &Stream<'_>,
        walk: &mut Walk<'_>,
        depth: usize,
    ) -> Result<(), DocumentError> {
        let is = |key: &[u8], value: &str| {
            stream
                .dict()
                .get::<hayro::hayro_syntax::object::Name<'_>>(key)
                .is_some_and(|name| name.as_str() == value)
        };
        if is(b"Type", "Metadata") {
            let xml = stream.decoded().unwrap_or_default();
            walk.unpack(xml.len())?;
            return self.properties(&String::from_utf8_lossy(&xml), walk);
        }
        if is(b"Type", "EmbeddedFile") {
            self.attachments += 1;
            if self.attachments > MAX_ENTRIES {
                return Err(DocumentError::too_many_entries());
            }
            let Ok(file) = stream.decoded() else {
                walk.unread += 1;
                return Ok(());
            };
            walk.unpack(file.len())?;
            self.is_changed |= walk_nested(&file, None, walk)?.is_some();
            return Ok(());
        }
        self.dict(stream.dict(), walk, depth)
    }

    /// Reads properties in XML (XMP).
    fn properties(&mut self, xml: &str, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        for token in Tokens::new(xml, Syntax::Xml) {
            match token {
                Token::Text(place) => self.text(&decode(&xml[place]), Role::Metadata, walk)?,
                Token::Verbatim(place) => self.text(&xml[place], Role::Metadata, walk)?,
                Token::Start(tag) => {
                    for attribute in tag.attributes.iter().filter(|one| !one.name.starts_with("xmlns")) {
                        self.text(&decode(&xml[attribute.value.clone()]), Role::Metadata, walk)?;
                    }
                }
                Token::End(_) | Token::Comment(_) => {}
            }
        }
        Ok(())
    }

    fn text(&mut self, text: &str, role: Role, walk: &mut Walk<'_>) -> Result<(), DocumentError> {
        self.is_changed |= !walk.text(text, role)?.is_empty();
        Ok(())
    }
}

/// Decodes a text string (ISO 32000-1, section 7.9.2.2). The letters of `PDFDocEncoding` that differ from Latin-1 are
/// punctuation.
fn decoded(text: &PdfString<'_>) -> String {
    let bytes = text.as_bytes();
    match bytes {
        [0xfe, 0xff, utf16 @ ..] => {
            let units: Vec<u16> =
                utf16.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
            String::from_utf16_lossy(&units)
        }
        [0xff, 0xfe, utf16 @ ..] => {
            let units: Vec<u16> =
                utf16.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
            String::from_utf16_lossy(&units)
        }
        [0xef, 0xbb, 0xbf, utf8 @ ..] => String::from_utf8_lossy(utf8).into_owned(),
        bytes => std::str::from_utf8(bytes)
            .map_or_else(|_| bytes.iter().map(|byte| char::from(*byte)).collect(), str::to_owned),
    }
}
