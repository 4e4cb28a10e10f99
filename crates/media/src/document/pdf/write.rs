//! Writes a PDF whose pages are images.

use image::{DynamicImage, ImageEncoder as _, codecs::jpeg::JpegEncoder};
use pdf_writer::{Content, Filter, Finish as _, Name, Pdf, Rect, Ref};

use super::super::DocumentError;
use crate::image::PAGE_SCALE;

/// Quality of the images: letters stay sharp.
const QUALITY: u8 = 85;
const IMAGE: Name<'_> = Name(b"Page");

/// Returns a file with a page for each image.
pub fn images(
    images: impl ExactSizeIterator<Item = Result<DynamicImage, DocumentError>>,
) -> Result<Vec<u8>, DocumentError> {
    let mut next = 1..;
    let mut id = || Ref::new(next.next().unwrap_or(i32::MAX));
    let (catalog, tree) = (id(), id());
    let mut pdf = Pdf::new();
    let mut pages = Vec::with_capacity(images.len());
    pdf.catalog(catalog).pages(tree);
    for image in images {
        let (page, object, content) = (id(), id(), id());
        write_page(&mut pdf, &image?, [tree, page, object, content])?;
        pages.push(page);
    }
    let count = i32::try_from(pages.len()).unwrap_or(i32::MAX);
    pdf.pages(tree).kids(pages).count(count);
    Ok(pdf.finish())
}

fn write_page(pdf: &mut Pdf, image: &DynamicImage, ids: [Ref; 4]) -> Result<(), DocumentError> {
    let [tree, page_id, object_id, content_id] = ids;
    let mut file = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut file, QUALITY);
    let written = encoder.write_image(image.as_bytes(), image.width(), image.height(), image.color().into());
    written.map_err(|_| DocumentError::Unreadable("the page cannot be written".to_owned()))?;

    let points = |pixels: u32| pixels as f32 / PAGE_SCALE;
    let (width, height) = (points(image.width()), points(image.height()));
    let mut page = pdf.page(page_id);
    page.media_box(Rect::new(0.0, 0.0, width, height)).parent(tree).contents(content_id);
    page.resources().x_objects().pair(IMAGE, object_id);
    page.finish();

    let mut object = pdf.image_xobject(object_id, &file);
    object.filter(Filter::DctDecode);
    object.width(image.width() as i32);
    object.height(image.height() as i32);
    object.color_space().device_rgb();
    object.bits_per_component(8);
    object.finish();

    let mut content = Content::new();
    content.save_state().transform([width, 0.0, 0.0, height, 0.0, 0.0]).x_object(IMAGE).restore_state();
    pdf.stream(content_id, &content.finish());
    Ok(())
}
