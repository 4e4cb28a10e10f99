//! ZIP archives (APPNOTE 6.3), within the limits of a walk.

use std::{
    collections::HashMap,
    io::{Cursor, Read as _, Write as _},
};

use zip::{CompressionMethod, ZipArchive, ZipWriter, write::SimpleFileOptions};

use super::{DocumentError, limits::MAX_ENTRIES, visitor::Walk};
use crate::Format;

const CONTENT_TYPES: &str = "[Content_Types].xml";
/// Media types of main parts, with the format (ECMA-376, part 1, sections 11.3, 12.3, 13.3).
const MAIN_PARTS: [(&str, Format); 10] = [
    ("wordprocessingml.document.main+xml", Format::Word),
    ("wordprocessingml.template.main+xml", Format::Word),
    ("ms-word.", Format::Word),
    ("spreadsheetml.sheet.main+xml", Format::Sheet),
    ("spreadsheetml.template.main+xml", Format::Sheet),
    ("ms-excel.sheet.macroenabled.main+xml", Format::Sheet),
    ("presentationml.presentation.main+xml", Format::Slides),
    ("presentationml.slideshow.main+xml", Format::Slides),
    ("presentationml.template.main+xml", Format::Slides),
    ("ms-powerpoint.", Format::Slides),
];

/// An archive.
pub struct Package<'f> {
    archive: ZipArchive<Cursor<&'f [u8]>>,
    /// Names of the entries, in order.
    pub names: Vec<String>,
}

impl<'f> Package<'f> {
    /// Opens an archive. Refuses encrypted ones, and those with too many entries.
    pub fn open(file: &'f [u8]) -> Result<Self, DocumentError> {
        let mut archive = ZipArchive::new(Cursor::new(file)).map_err(|_| damaged())?;
        if archive.len() > MAX_ENTRIES {
            return Err(DocumentError::too_many_entries());
        }
        let mut names = Vec::with_capacity(archive.len());
        for at in 0..archive.len() {
            let entry = archive.by_index_raw(at).map_err(|_| damaged())?;
            if entry.encrypted() {
                return Err(DocumentError::Unreadable("the archive is encrypted".to_owned()));
            }
            names.push(String::from_utf8_lossy(entry.name_raw()).into_owned());
        }
        Ok(Self { archive, names })
    }

    /// Returns the comment of the archive.
    pub fn comment(&self) -> String {
        String::from_utf8_lossy(self.archive.comment()).into_owned()
    }

    /// Returns the format that the content types declare; an archive without them is one of any files.
    pub(super) fn format(&mut self, walk: &mut Walk<'_>) -> Result<Format, DocumentError> {
        let Some(at) = self.names.iter().position(|name| name == CONTENT_TYPES) else {
            return Ok(Format::Archive);
        };
        let types = String::from_utf8_lossy(&self.read(at, walk)?).to_ascii_lowercase();
        let found = MAIN_PARTS.into_iter().find(|(main, _)| types.contains(main));
        Ok(found.map_or(Format::Archive, |(_, format)| format))
    }

    /// Unpacks an entry.
    pub(super) fn read(&mut self, at: usize, walk: &mut Walk<'_>) -> Result<Vec<u8>, DocumentError> {
        let entry = self.archive.by_index(at).map_err(|_| damaged())?;
        let mut contents = Vec::new();
        let limit = walk.may_unpack() as u64 + 1;
        entry.take(limit).read_to_end(&mut contents).map_err(|_| damaged())?;
        walk.unpack(contents.len())?;
        Ok(contents)
    }

    /// Returns true if an entry is a folder.
    pub fn is_folder(&self, at: usize) -> bool {
        self.names[at].ends_with('/')
    }

    /// Writes the archive with changed contents and names; the other entries are copied as they are.
    pub fn write(
        mut self,
        contents: &HashMap<usize, Vec<u8>>,
        names: &HashMap<usize, String>,
    ) -> Result<Vec<u8>, DocumentError> {
        let failed = |_| DocumentError::Unreadable("the archive cannot be written".to_owned());
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for at in 0..self.archive.len() {
            let name = names.get(&at).unwrap_or(&self.names[at]);
            if let Some(contents) = contents.get(&at) {
                let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
                writer.start_file(name, options).map_err(failed)?;
                writer.write_all(contents).map_err(|_| damaged())?;
            } else {
                let entry = self.archive.by_index_raw(at).map_err(|_| damaged())?;
                writer.raw_copy_file_rename(entry, name).map_err(failed)?;
            }
        }
        Ok(writer.finish().map_err(failed)?.into_inner())
    }
}

fn damaged() -> DocumentError {
    DocumentError::Unreadable("the archive is damaged".to_owned())
}
