//! Reads the letters of a page: what it shows, and what it hides.

use hayro::{
    hayro_interpret::{
        BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
        InterpreterSettings, Paint as Ink, SoftMask,
        font::{Glyph, GlyphRun},
        hayro_cmap::BfString,
        interpret_page,
    },
    hayro_syntax::{Pdf, page::Page},
    kurbo::{Affine, BezPath, Point, Rect, Shape as _},
};

use super::letters::Letters;

/// Units of a glyph's space to the size of its font.
const UNITS: f64 = 1000.0;
/// Box of a letter above and below its baseline, in those units.
const ASCENT: f64 = 800.0;
const DESCENT: f64 = -220.0;
/// Width of a letter whose font does not give one.
const WIDTH: f64 = 500.0;
/// Height in points below which text is not seen.
const TINY: f64 = 2.0;
/// Channels of colors that are not seen on white.
const WHITE: u8 = 245;
/// Opacity below which nothing is seen.
const TRANSPARENT: u8 = 25;
/// Share of the page that images must cover to hold text that is worth reading.
const COVERED: f64 = 0.15;
/// Paths on a page without text that may draw letters.
const MANY_PATHS: usize = 40;

/// Text of a page.
#[derive(Debug, Default)]
pub struct PageText {
    /// Text that a reader sees.
    pub visible: Letters,
    /// White, tiny, transparent, invisible, and beside the page.
    pub hidden: Letters,
    page: Rect,
    /// Area of images, in square points.
    covered: f64,
    paths: usize,
}

impl PageText {
    /// Reads a page.
    pub fn read<'a>(page: &'a Page<'a>, pdf: &'a Pdf) -> Self {
        let (width, height) = page.render_dimensions();
        let area = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
        let transform = Affine::new(page.initial_transform(true).as_coeffs());
        let cache = InterpreterCache::new();
        let mut context = Context::new(transform, area, &cache, pdf.xref(), InterpreterSettings::default());
        let mut text = Self { page: area, ..Self::default() };
        interpret_page(page, &mut context, &mut text);
        text
    }

    /// Returns true if the page shows more than its letters, so that only its image shows everything.
    pub fn needs_ocr(&self) -> bool {
        let has_images = self.covered > self.page.area() * COVERED;
        let is_blank = self.visible.text.trim().is_empty();
        has_images || (is_blank && (self.covered > 0.0 || self.paths >= MANY_PATHS))
    }

    fn is_hidden(&self, props: &DrawProps<'_>, mode: &DrawMode, area: Rect) -> bool {
        let is_unseen = match &props.paint {
            Ink::Color(color) => {
                let [red, green, blue, alpha] = color.to_rgba().to_rgba8();
                alpha < TRANSPARENT || red.min(green).min(blue) >= WHITE
            }
            Ink::Pattern(_) => false,
        };
        let is_outside = area.intersect(self.page).area() <= 0.0;
        matches!(mode, DrawMode::Invisible) || is_unseen || is_outside || area.height() < TINY
    }
}

impl<'a> Device<'a> for PageText {
    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {
        self.paths += 1;
    }

    fn push_clip_path(&mut self, _: &ClipPath) {}

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}

    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        // Text that is filled and stroked is drawn twice.
        if matches!(mode, DrawMode::Stroke(_)) && self.is_repeated(run, &props) {
            return;
        }
        for glyph in run.glyphs() {
            let text = match glyph.as_unicode() {
                Some(BfString::Char(letter)) => letter.to_string(),
                Some(BfString::String(text)) => text,
                None => continue,
            };
            let transform = props.transform * glyph.transform();
            let width = advance(glyph).unwrap_or(WIDTH);
            let area = transform.transform_rect_bbox(Rect::new(0.0, DESCENT, width, ASCENT));
            let (start, end) = (transform * Point::ZERO, transform * Point::new(width, 0.0));
            let letters =
                if self.is_hidden(&props, mode, area) { &mut self.hidden } else { &mut self.visible };
            letters.push(&text, area, start, end);
        }
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        let place = props.transform
            * Rect::new(0.0, 0.0, f64::from(image.width()), f64::from(image.height())).to_path(0.1);
        self.covered += place.bounding_box().intersect(self.page).area();
    }

    fn pop_clip(&mut self) {}

    fn pop_transparency_group(&mut self) {}
}

impl PageText {
    /// Returns true if the first letter of a run was just drawn at the same place.
    fn is_repeated(&self, run: &GlyphRun<'_, '_>, props: &DrawProps<'_>) -> bool {
        let Some(first) = run.glyphs().first() else { return false };
        let at = props.transform * first.transform() * Point::ZERO;
        self.visible.has_letter_at(at) || self.hidden.has_letter_at(at)
    }
}

/// Returns the width of a glyph in units of its space.
fn advance(glyph: &Glyph<'_>) -> Option<f64> {
    let width = match glyph {
        Glyph::Outline(outline) => outline.advance_width(),
        Glyph::Type3(glyph) => glyph.advance_width(),
    };
    width.map(f64::from).filter(|width| *width > 0.0 && *width < UNITS * 4.0)
}
