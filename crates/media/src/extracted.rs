//! Text of a document with the place of each segment, and the changes that mask it.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::Rect;

/// Format of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    /// Portable Document Format (ISO 32000).
    Pdf,
    /// Word processing (ECMA-376).
    Word,
    /// Spreadsheet (ECMA-376).
    Sheet,
    /// Presentation (ECMA-376).
    Slides,
    /// HTML.
    Html,
    /// Message of electronic mail (RFC 5322, MIME).
    Email,
    /// ZIP archive of files.
    Archive,
    /// Plain text.
    Text,
    /// Comma-separated values.
    Csv,
    /// JSON.
    Json,
}

impl Format {
    /// Returns the name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pdf => "PDF",
            Self::Word => "DOCX",
            Self::Sheet => "XLSX",
            Self::Slides => "PPTX",
            Self::Html => "HTML",
            Self::Email => "EML",
            Self::Archive => "ZIP",
            Self::Text => "TXT",
            Self::Csv => "CSV",
            Self::Json => "JSON",
        }
    }

    /// Returns the media type of a file.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Word => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Sheet => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Slides => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            Self::Html => "text/html",
            Self::Email => "message/rfc822",
            Self::Archive => "application/zip",
            Self::Text => "text/plain",
            Self::Csv => "text/csv",
            Self::Json => "application/json",
        }
    }
}

/// Role of a segment in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Text that a reader sees.
    Body,
    /// Text that viewers hide: hidden, white, tiny, deleted, on a hidden sheet or slide.
    Hidden,
    /// Comment.
    Comment,
    /// Speaker note, footnote or endnote.
    Note,
    /// Properties of the document, header fields of a message, names of files.
    Metadata,
    /// Description of an image or shape.
    AltText,
    /// Address that the document refers to.
    Link,
    /// Program: macro, script or formula.
    Macro,
    /// Text of an image that OCR read.
    Image,
}

/// A stretch of the text from one place of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// Role.
    pub role: Role,
    /// Page, slide or sheet, from 1.
    pub page: Option<u32>,
}

/// An image in a document, or a rendered page without text. OCR reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentImage {
    /// Size of its file in bytes. The files follow each other in the response.
    pub length: usize,
    /// Page, slide or sheet, from 1.
    pub page: Option<u32>,
}

/// Text of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extracted {
    /// Format of the file.
    pub format: Format,
    /// The whole text: the segments with separators between them.
    pub text: String,
    /// Segments, in order.
    pub segments: Vec<Segment>,
    /// Images, in order.
    pub images: Vec<DocumentImage>,
    /// Pages, images and entries that were not read.
    pub unread: u32,
}

/// A replacement of a byte range of the whole text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// Byte range to replace.
    pub span: Range<usize>,
    /// New text.
    pub text: String,
}

/// Changes of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rewrite {
    /// Replacements, in order and disjoint.
    pub edits: Vec<Edit>,
    /// Areas to black out in each image.
    pub areas: Vec<Vec<Rect>>,
}

impl Extracted {
    /// Returns the segment that contains a byte of the text, or the next one.
    pub fn segment_at(&self, byte: usize) -> Option<&Segment> {
        self.segments.get(self.segments.partition_point(|segment| segment.span.end <= byte))
    }
}
