//! PDF: a single page, drawn.

use hayro::{
    PixmapSettings, RenderCache, RenderSettings, hayro_interpret::InterpreterSettings, hayro_syntax::Pdf,
    vello_cpu::color::palette::css::WHITE,
};
use image::{DynamicImage, RgbImage};

use super::{ImageError, Limits};

/// Pixels for each point of a page, a 72nd of an inch: 200 dots per inch.
const SCALE: f32 = 200.0 / 72.0;
/// Pixels of an edge that the renderer knows.
const LONGEST: f32 = 16_000.0;

/// The page of a file that has one.
pub(super) fn render(file: &[u8], limits: Limits) -> Result<DynamicImage, ImageError> {
    let refused = |why: &str| ImageError::Unreadable(why.to_owned());
    let pdf = Pdf::new(file.to_vec()).map_err(|_| refused("the PDF is damaged or encrypted"))?;
    let [page] = &**pdf.pages() else {
        return Err(refused(&format!("the PDF has {} pages; one is accepted", pdf.pages().len())));
    };
    let (width, height) = page.render_dimensions();
    let edge = |length: f32| (length * SCALE).clamp(0.0, LONGEST * 2.0);
    if edge(width).max(edge(height)) > LONGEST {
        return Err(refused("the page is too large"));
    }
    limits.admit(edge(width) as u32, edge(height) as u32)?;
    let settings = PixmapSettings { x_scale: SCALE, y_scale: SCALE, bg_color: WHITE };
    let (cache, interpreter) = (RenderCache::new(), InterpreterSettings::default());
    let pixels = hayro::render(page, &cache, &interpreter, &RenderSettings::default(), &settings);
    let (width, height) = (u32::from(pixels.width()), u32::from(pixels.height()));
    // The ground is opaque, so that premultiplied is plain.
    let rgb =
        pixels.data_as_u8_slice().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    let page = RgbImage::from_raw(width, height, rgb).ok_or_else(|| refused("the page cannot be drawn"))?;
    Ok(page.into())
}
