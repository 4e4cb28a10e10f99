//! Limits of documents, in one place. All are checked before memory is used.

/// Bytes that all entries of a document may unpack to. Ordinary office files unpack to less than 20 MiB.
pub const MAX_UNPACKED: usize = 64 << 20;
/// Entries of all archives in a document. Large presentations have a few hundred.
pub const MAX_ENTRIES: usize = 2_000;
/// Levels of files within files: an archive in a message in an archive.
pub const MAX_DEPTH: usize = 3;
/// Pages of a PDF that are read while the caller waits.
pub const MAX_PAGES: usize = 50;
/// Cells of all sheets of a document.
pub const MAX_CELLS: usize = 1_000_000;
/// Images of a document that OCR reads. Each takes seconds.
pub const MAX_IMAGES: usize = 50;
/// Bytes of text of a document, twice as many as any policy allows.
pub const MAX_TEXT: usize = 8 << 20;
/// Elements of markup within each other.
pub const MAX_OPEN_ELEMENTS: usize = 10_000;
/// Attributes of an element.
pub const MAX_ATTRIBUTES: usize = 1_000;
/// Shortest edge of an image that can hold words, in pixels.
pub const MIN_EDGE: u32 = 16;
