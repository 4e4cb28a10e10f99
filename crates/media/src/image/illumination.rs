//! Correction of uneven backgrounds: light from one side, or dark panels on a light page.
//!
//! The background of a tile is the median of its pixels, because less than half of a page is ink. A pixel becomes the
//! darker the more it differs from its background, in either direction.

use image::GrayImage;

/// Range of background shades up to which a background counts as uniform.
const UNIFORM_RANGE: u8 = 24;
/// Share of the darkest and of the lightest tiles that are ignored: edges and small illustrations.
const OUTLIERS: f32 = 0.04;
/// Tiles along the shorter edge.
const TILES: u32 = 24;
/// Minimum and maximum edge of a tile in pixels, larger than letters.
const TILE_EDGE: (u32, u32) = (12, 48);

/// Redraws the image with dark ink on white. Leaves images with a uniform background unchanged.
pub fn even_out(image: &mut GrayImage) {
    let background = Background::of(image);
    if background.is_uniform() {
        return;
    }
    for (x, y, shade) in image.enumerate_pixels_mut() {
        let local = background.at(x, y);
        let max_difference = local.max(255.0 - local);
        let ink = (f32::from(shade.0[0]) - local).abs() / max_difference;
        shade.0[0] = (255.0 * (1.0 - ink.min(1.0))) as u8;
    }
}

/// Background shades of a grid of tiles.
struct Background {
    shades: GrayImage,
    /// Edge of a tile in pixels.
    edge: u32,
}

impl Background {
    fn of(image: &GrayImage) -> Self {
        let (width, height) = image.dimensions();
        let edge = (width.min(height) / TILES).clamp(TILE_EDGE.0, TILE_EDGE.1);
        let tile = |x: u32, y: u32| {
            let (right, bottom) = (((x + 1) * edge).min(width), ((y + 1) * edge).min(height));
            let rows = y * edge..bottom;
            median(rows.flat_map(|y| (x * edge..right).map(move |x| (x, y))).map(|at| image[at].0[0]))
        };
        let shades =
            GrayImage::from_fn(width.div_ceil(edge), height.div_ceil(edge), |x, y| [tile(x, y)].into());
        Self { shades: smooth(&shades), edge }
    }

    fn is_uniform(&self) -> bool {
        let mut sorted = self.shades.as_raw().clone();
        sorted.sort_unstable();
        let outliers = (sorted.len() as f32 * OUTLIERS) as usize;
        sorted[sorted.len() - 1 - outliers] - sorted[outliers] <= UNIFORM_RANGE
    }

    /// Returns the background at a pixel, interpolated between the surrounding tiles.
    fn at(&self, x: u32, y: u32) -> f32 {
        let tile_position = |at: u32| (at as f32 + 0.5) / self.edge as f32 - 0.5;
        let clamped = |at: f32, count: u32| at.clamp(0.0, (count - 1) as f32);
        let (x, y) =
            (clamped(tile_position(x), self.shades.width()), clamped(tile_position(y), self.shades.height()));
        let (left, top) = (x as u32, y as u32);
        let (right, bottom) =
            ((left + 1).min(self.shades.width() - 1), (top + 1).min(self.shades.height() - 1));
        let shade = |x: u32, y: u32| f32::from(self.shades[(x, y)].0[0]);
        let interpolate = |one: f32, other: f32, share: f32| one + (other - one) * share;
        let above = interpolate(shade(left, top), shade(right, top), x.fract());
        let below = interpolate(shade(left, bottom), shade(right, bottom), x.fract());
        interpolate(above, below, y.fract())
    }
}

/// Replaces each tile by the median of itself and its neighbours, because a heading in large letters can fill a tile.
fn smooth(tiles: &GrayImage) -> GrayImage {
    let (width, height) = tiles.dimensions();
    GrayImage::from_fn(width, height, |x, y| {
        let rows = y.saturating_sub(1)..(y + 2).min(height);
        let around = rows.flat_map(|y| (x.saturating_sub(1)..(x + 2).min(width)).map(move |x| (x, y)));
        [median(around.map(|at| tiles[at].0[0]))].into()
    })
}

fn median(shades: impl Iterator<Item = u8>) -> u8 {
    let mut shades: Vec<u8> = shades.collect();
    let middle = shades.len() / 2;
    *shades.select_nth_unstable(middle).1
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    /// Thin strokes on a background whose shade depends on the column.
    fn page(background: impl Fn(u32) -> u8, ink: impl Fn(u8) -> u8) -> GrayImage {
        GrayImage::from_fn(480, 240, |x, y| {
            let background = background(x);
            Luma([if y % 12 < 2 && x % 3 != 0 { ink(background) } else { background }])
        })
    }

    /// Returns the lightest ink and the darkest background.
    fn extremes(image: &GrayImage) -> (u8, u8) {
        let is_ink = |at: &(u32, u32)| at.1 % 12 < 2 && !at.0.is_multiple_of(3);
        let pixels = || (0..480).flat_map(|x| (0..240).map(move |y| (x, y)));
        let ink = pixels().filter(is_ink).map(|at| image[at].0[0]).max();
        (ink.unwrap(), pixels().filter(|at| !is_ink(at)).map(|at| image[at].0[0]).min().unwrap())
    }

    #[test]
    fn evens_out_light_from_one_side() {
        let mut image = page(|x| (240 - x / 4) as u8, |background| background / 4);
        even_out(&mut image);
        let (ink, background) = extremes(&image);
        assert!(ink < 80 && background > 225, "{ink} {background}");
    }

    #[test]
    fn redraws_dark_panels_and_light_pages_alike() {
        let mut image =
            page(|x| if x < 240 { 20 } else { 240 }, |background| if background < 100 { 220 } else { 10 });
        even_out(&mut image);
        for x in (40..200).chain(280..440).filter(|x| x % 3 != 0) {
            assert!(image[(x, 120)].0[0] < 80 && image[(x, 126)].0[0] > 225, "{x}");
        }
    }

    #[test]
    fn leaves_uniform_backgrounds_unchanged() {
        let uniform = page(|_| 230, |_| 20);
        let mut image = uniform.clone();
        even_out(&mut image);
        assert_eq!(image, uniform);
    }
}
