//! PDF (ISO 32000): the text of pages with the place of each letter, what stands beside the pages, and masked files.
//!
//! A masked file consists of images of its pages: no hidden text, metadata, attachment or program of the original remains.

mod letters;
mod objects;
mod page_text;
mod write;

use hayro::hayro_syntax::{LoadPdfError, Pdf, page::Page};
use image::{DynamicImage, ImageFormat};

use super::{Changed, DocumentError, embedded, limits::MAX_PAGES, visitor::Walk};
use crate::{Rect, Role, image as images};
use page_text::PageText;

/// Walks through a PDF.
pub(super) fn walk(file: &[u8], walk: &mut Walk<'_>) -> Result<Changed, DocumentError> {
    let pdf = open(file.to_vec())?;
    // The layers that are switched off are read too; masked pages show them as hidden as they were.
    let layered = open(without_layers(file))?;
    let pages = pdf.pages();
    if pages.len() > MAX_PAGES {
        let length = pages.len();
        return Err(DocumentError::Unreadable(format!(
            "the PDF has {length} pages; at most {MAX_PAGES} are read while the caller waits"
        )));
    }
    let mut masked = Masked { areas: vec![Vec::new(); pages.len()], is_changed: false };
    for (at, page) in layered.pages().iter().take(pages.len()).enumerate() {
        walk.page = u32::try_from(at + 1).ok();
        masked.areas[at] = walk_page(page, &layered, walk, &mut masked.is_changed)?;
    }
    walk.page = None;
    masked.is_changed |= objects::walk(&pdf, walk)?;
    if !masked.is_changed {
        return Ok(None);
    }
    let images = pages.iter().zip(&masked.areas).map(|(page, areas)| {
        walk.check_time()?;
        let mut image = render(page, walk.pixels)?;
        images::fill(&mut image, areas);
        Ok(image)
    });
    write::images(images).map(Some)
}

/// Changes of the pages.
struct Masked {
    /// Areas to black out on each page, in pixels of its image.
    areas: Vec<Vec<Rect>>,
    /// True if anything of the file is masked.
    is_changed: bool,
}

fn open(file: Vec<u8>) -> Result<Pdf, DocumentError> {
    Pdf::new(file).map_err(|error| DocumentError::Unreadable(reason(error).to_owned()))
}

/// Returns the file with the settings of its layers (ISO 32000-1, section 8.11.4) under another key of the same length, so
/// that all layers are shown. Settings in a compressed object stay.
fn without_layers(file: &[u8]) -> Vec<u8> {
    const KEY: &[u8] = b"/OCProperties";
    let mut changed = file.to_vec();
    let places: Vec<_> =
        file.windows(KEY.len()).enumerate().filter(|(_, bytes)| *bytes == KEY).map(|(at, _)| at).collect();
    for at in places {
        changed[at + 1..at + 3].copy_from_slice(b"XX");
    }
    changed
}

const fn reason(error: LoadPdfError) -> &'static str {
    match error {
        LoadPdfError::Decryption(_) => "the PDF is encrypted",
        LoadPdfError::Invalid => "the PDF is damaged",
    }
}

/// Walks through a page and returns the areas to black out.
fn walk_page<'a>(
    page: &'a Page<'a>,
    pdf: &'a Pdf,
    walk: &mut Walk<'_>,
    is_changed: &mut bool,
) -> Result<Vec<Rect>, DocumentError> {
    walk.check_time()?;
    let text = PageText::read(page, pdf);
    let mut areas = Vec::new();
    for (letters, role) in [(&text.visible, Role::Body), (&text.hidden, Role::Hidden)] {
        let edits = walk.text(&letters.text, role)?;
        *is_changed |= !edits.is_empty();
        areas.extend(edits.iter().flat_map(|edit| letters.areas(edit.span.clone())));
    }
    if text.needs_ocr() {
        let shown = if walk.needs_images() { page_file(page, walk.pixels) } else { Some(Vec::new()) };
        match shown {
            Some(file) => {
                let found = walk.image(&file);
                *is_changed |= !found.is_empty();
                areas.extend(found);
            }
            None => walk.unread += 1,
        }
    }
    Ok(areas)
}

/// Renders a page to the file that OCR reads.
fn page_file(page: &Page<'_>, pixels: u64) -> Option<Vec<u8>> {
    let image = render(page, pixels).ok()?;
    embedded::encode(&image, ImageFormat::Png)
}

fn render(page: &Page<'_>, pixels: u64) -> Result<DynamicImage, DocumentError> {
    images::render_page(page, images::Limits { pixels })
        .map_err(|error| DocumentError::Unreadable(error.to_string()))
}
