//! Rendering of pages of PDF files.

use hayro::{
    PixmapSettings, RenderCache, RenderSettings,
    hayro_interpret::InterpreterSettings,
    hayro_syntax::{Pdf, page::Page},
    vello_cpu::color::palette::css::WHITE,
};
use image::{DynamicImage, RgbImage};

use super::{ImageError, Limits};

/// Pixels per point (1/72 inch): 200 dots per inch.
pub const SCALE: f32 = 200.0 / 72.0;
/// Longest edge in pixels that the renderer supports.
const MAX_EDGE: f32 = 16_000.0;

/// Renders the only page of a file.
pub(super) fn render(file: &[u8], limits: Limits) -> Result<DynamicImage, ImageError> {
    let unreadable = |why: &str| ImageError::Unreadable(why.to_owned());
    let pdf = Pdf::new(file.to_vec()).map_err(|_| unreadable("the PDF is damaged or encrypted"))?;
    let [page] = &**pdf.pages() else {
        return Err(unreadable(&format!("the PDF has {} pages; expected one", pdf.pages().len())));
    };
    render_page(page, limits)
}

/// Renders a page.
pub fn render_page(page: &Page<'_>, limits: Limits) -> Result<DynamicImage, ImageError> {
    let unreadable = |why: &str| ImageError::Unreadable(why.to_owned());
    let (width, height) = page.render_dimensions();
    let edge = |length: f32| (length * SCALE).clamp(0.0, MAX_EDGE * 2.0);
    if edge(width).max(edge(height)) > MAX_EDGE {
        return Err(unreadable("the page is too large"));
    }
    limits.check_size(edge(width) as u32, edge(height) as u32)?;
    let settings = PixmapSettings { x_scale: SCALE, y_scale: SCALE, bg_color: WHITE };
    let (cache, interpreter) = (RenderCache::new(), InterpreterSettings::default());
    let pixels = hayro::render(page, &cache, &interpreter, &RenderSettings::default(), &settings);
    let (width, height) = (u32::from(pixels.width()), u32::from(pixels.height()));
    // The background is opaque, so premultiplied colors equal plain colors.
    let rgb =
        pixels.data_as_u8_slice().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    let page =
        RgbImage::from_raw(width, height, rgb).ok_or_else(|| unreadable("the page cannot be rendered"))?;
    Ok(page.into())
}
