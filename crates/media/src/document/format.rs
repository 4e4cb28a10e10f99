//! The format of a file, by its contents. A name only distinguishes formats of text.

use serde::de::IgnoredAny;

use super::{DocumentError, encoding, package::Package, visitor::Walk};
use crate::Format;

/// Signature of compound files: Office before 2007, and encrypted files of Office.
const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
/// Bytes in which a PDF begins (ISO 32000-1, implementation note 13).
const PDF_HEADER: usize = 1024;
/// Bytes of a text by which it is recognized.
const BEGINNING: usize = 4096;
/// First elements of an HTML file.
const HTML: [&str; 10] =
    ["<!doctype html", "<html", "<head", "<body", "<title", "<meta", "<div", "<p>", "<table", "<h1"];
/// Fields of which a message has at least one.
const EMAIL: [&str; 6] =
    ["from:", "received:", "return-path:", "mime-version:", "message-id:", "delivered-to:"];

/// Formats by the extension of a name.
const EXTENSIONS: [(&str, Format); 18] = [
    ("pdf", Format::Pdf),
    ("docx", Format::Word),
    ("docm", Format::Word),
    ("dotx", Format::Word),
    ("xlsx", Format::Sheet),
    ("xlsm", Format::Sheet),
    ("xltx", Format::Sheet),
    ("pptx", Format::Slides),
    ("pptm", Format::Slides),
    ("ppsx", Format::Slides),
    ("html", Format::Html),
    ("htm", Format::Html),
    ("xhtml", Format::Html),
    ("eml", Format::Email),
    ("zip", Format::Archive),
    ("txt", Format::Text),
    ("csv", Format::Csv),
    ("json", Format::Json),
];

/// Returns the format of a file. Refuses formats that are not read, and names that promise another one.
pub(super) fn detect(file: &[u8], name: Option<&str>, walk: &mut Walk<'_>) -> Result<Format, DocumentError> {
    let named = name.and_then(|name| name.rsplit_once('.')).and_then(|(_, extension)| {
        EXTENSIONS.into_iter().find(|(known, _)| extension.eq_ignore_ascii_case(known))
    });
    let named = named.map(|(_, format)| format);
    let format = match binary(file, walk)? {
        Some(format) => format,
        None => text(file, named)?,
    };
    match named {
        Some(named) if named != format && !(is_text(named) && is_text(format)) => {
            let (named, format) = (named.name(), format.name());
            Err(DocumentError::Unreadable(format!(
                "the name ends as that of a {named} file, but the file is {format}"
            )))
        }
        _ => Ok(format),
    }
}

/// Returns true for formats that are text. Any of them may be read as another.
const fn is_text(format: Format) -> bool {
    matches!(format, Format::Html | Format::Email | Format::Text | Format::Csv | Format::Json)
}

fn binary(file: &[u8], walk: &mut Walk<'_>) -> Result<Option<Format>, DocumentError> {
    if file[..file.len().min(PDF_HEADER)].windows(5).any(|start| start == b"%PDF-") {
        return Ok(Some(Format::Pdf));
    }
    if file.starts_with(COMPOUND) {
        return Err(DocumentError::Unreadable(
            "the file is encrypted or of Office before 2007; save it without a password as DOCX, XLSX or PPTX".to_owned(),
        ));
    }
    if file.starts_with(b"PK\x03\x04") || file.starts_with(b"PK\x05\x06") {
        return Package::open(file)?.format(walk).map(Some);
    }
    Ok(None)
}

fn text(file: &[u8], named: Option<Format>) -> Result<Format, DocumentError> {
    let decoded = encoding::decode(file, None).ok_or_else(DocumentError::unknown_format)?;
    if let Some(named) = named.filter(|named| is_text(*named)) {
        return Ok(named);
    }
    let beginning: String = decoded.text.chars().take(BEGINNING).collect::<String>().to_ascii_lowercase();
    let beginning = beginning.trim_start();
    if HTML.iter().any(|start| beginning.starts_with(start)) || is_commented_html(beginning) {
        return Ok(Format::Html);
    }
    if is_email(beginning) {
        return Ok(Format::Email);
    }
    let is_json =
        beginning.starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(&decoded.text).is_ok();
    Ok(if is_json { Format::Json } else { Format::Text })
}

fn is_commented_html(beginning: &str) -> bool {
    beginning.starts_with("<!--") && HTML.iter().any(|start| beginning.contains(start))
}

/// Returns true if the first lines are fields of a header and one of them is of a message.
fn is_email(beginning: &str) -> bool {
    let header: Vec<&str> = beginning.lines().take_while(|line| !line.trim().is_empty()).collect();
    let is_field = |line: &&str| {
        line.starts_with([' ', '\t'])
            || line
                .split_once(':')
                .is_some_and(|(name, _)| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic()))
    };
    let is_known = |line: &&str| EMAIL.iter().any(|field| line.starts_with(field));
    header.iter().all(is_field) && header.iter().any(is_known)
}
