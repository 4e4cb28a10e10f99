//! Images of texts, drawn with the fonts of Debian's fonts-dejavu-core.

use ab_glyph::{Font as _, FontVec, PxScale, ScaleFont as _};
use image::{GrayImage, Luma};

const FOLDER: &str = "/usr/share/fonts/truetype/dejavu";

/// Style of a drawn page.
#[derive(Clone, Copy)]
pub struct Paper {
    /// Font file without its extension.
    pub font: &'static str,
    /// Font size in pixels.
    pub size: f32,
    /// Shade of the background; 0 is black.
    pub ground: u8,
    /// Shade of the text.
    pub ink: u8,
}

/// Black text of 28 pixels on white.
pub const PLAIN: Paper = Paper { font: "DejaVuSans", size: 28.0, ground: 255, ink: 0 };

impl Paper {
    /// Draws a page with one line per text.
    pub fn draw(self, lines: &[&str]) -> GrayImage {
        self.draw_where(lines, |_| true)
    }

    /// Draws only the text between `«` and `»`, at the same position as in the full page. The two characters are never
    /// drawn.
    pub fn draw_marked(self, lines: &[&str]) -> GrayImage {
        self.draw_where(lines, |is_marked| is_marked)
    }

    fn draw_where(self, lines: &[&str], is_drawn: impl Fn(bool) -> bool) -> GrayImage {
        let file = format!("{FOLDER}/{}.ttf", self.font);
        let font = std::fs::read(&file)
            .unwrap_or_else(|_| panic!("{file} is missing: run scripts/install-deps test"));
        let font = FontVec::try_from_vec(font).unwrap();
        let scaled = font.as_scaled(PxScale::from(self.size));
        let advance = |letter: char| match letter {
            '«' | '»' => 0.0,
            letter => scaled.h_advance(scaled.glyph_id(letter)),
        };
        let width = |line: &&str| line.chars().map(advance).sum::<f32>();
        let widest = lines.iter().map(width).fold(0.0, f32::max);
        let (margin, step) = (self.size * 1.5, self.size * 1.7);
        let size = (widest + 2.0 * margin, lines.len() as f32 * step + 2.0 * margin);
        let mut page = GrayImage::from_pixel(size.0 as u32, size.1 as u32, Luma([self.ground]));
        for (row, line) in lines.iter().enumerate() {
            let (mut x, y) = (margin, margin + row as f32 * step + scaled.ascent());
            let mut is_marked = false;
            for letter in line.chars() {
                if matches!(letter, '«' | '»') {
                    is_marked = letter == '«';
                    continue;
                }
                let id = scaled.glyph_id(letter);
                let glyph = id.with_scale_and_position(PxScale::from(self.size), ab_glyph::point(x, y));
                x += scaled.h_advance(id);
                let outline = font.outline_glyph(glyph).filter(|_| is_drawn(is_marked));
                let Some(outline) = outline else { continue };
                let corner = outline.px_bounds().min;
                outline.draw(|right, down, cover| {
                    let at = (corner.x as u32 + right, corner.y as u32 + down);
                    let pixel = &mut page[at].0[0];
                    let mixed = f32::from(*pixel) * (1.0 - cover) + f32::from(self.ink) * cover;
                    *pixel = mixed.round() as u8;
                });
            }
        }
        page
    }
}

/// Rotates `image` clockwise by `degrees` and fills the corners with its background.
pub fn turned(image: &GrayImage, degrees: f32) -> GrayImage {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (width, height) = (image.width() as f32, image.height() as f32);
    let size = (width * cos.abs() + height * sin.abs(), width * sin.abs() + height * cos.abs());
    let background = image[(0, 0)];
    GrayImage::from_fn(size.0 as u32, size.1 as u32, |x, y| {
        let (x, y) = (x as f32 - size.0 / 2.0, y as f32 - size.1 / 2.0);
        let (x, y) = (x * cos + y * sin + width / 2.0, y * cos - x * sin + height / 2.0);
        let is_inside = x >= 0.0 && y >= 0.0 && x < width && y < height;
        if is_inside { image[(x as u32, y as u32)] } else { background }
    })
}

/// Encodes an image.
pub fn file(image: &GrayImage, format: image::ImageFormat) -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    image::DynamicImage::from(image.clone()).into_rgb8().write_to(&mut file, format).unwrap();
    file.into_inner()
}

/// Encodes an image as PNG.
pub fn png(image: &GrayImage) -> Vec<u8> {
    file(image, image::ImageFormat::Png)
}
