//! Grounds that are not everywhere alike: light that falls from one side, dark panels on a light page.
//!
//! The ground of a place is the median of what is around it, for less than half of a page is ink. How far a pixel is
//! from its ground, in the direction of ink, is how dark it is drawn, whichever of both is the lighter one.

use image::GrayImage;

/// Shades between the darkest and the lightest grounds of a picture that is everywhere alike.
const ALIKE: u8 = 24;
/// Grounds that are left out of account at either end: edges and small pictures within it.
const OUTLIERS: f32 = 0.04;
/// Places along the shorter edge.
const PLACES: u32 = 24;
/// Pixels along the edge of a place, at least and at most: letters are smaller.
const EDGE: (u32, u32) = (12, 48);

/// Draws what stands out against its ground dark on white; pictures whose ground is everywhere alike stay as they are.
pub fn even_out(picture: &mut GrayImage) {
    let grounds = Grounds::of(picture);
    if grounds.are_alike() {
        return;
    }
    for (x, y, shade) in picture.enumerate_pixels_mut() {
        let ground = grounds.at(x, y);
        let reach = ground.max(255.0 - ground);
        let ink = (f32::from(shade.0[0]) - ground).abs() / reach;
        shade.0[0] = (255.0 * (1.0 - ink.min(1.0))) as u8;
    }
}

/// The grounds of the places of a grid.
struct Grounds {
    shades: GrayImage,
    edge: u32,
}

impl Grounds {
    fn of(picture: &GrayImage) -> Self {
        let (width, height) = picture.dimensions();
        let edge = (width.min(height) / PLACES).clamp(EDGE.0, EDGE.1);
        let place = |x: u32, y: u32| {
            let (right, bottom) = (((x + 1) * edge).min(width), ((y + 1) * edge).min(height));
            let rows = y * edge..bottom;
            median(rows.flat_map(|y| (x * edge..right).map(move |x| (x, y))).map(|at| picture[at].0[0]))
        };
        let shades =
            GrayImage::from_fn(width.div_ceil(edge), height.div_ceil(edge), |x, y| [place(x, y)].into());
        Self { shades: smooth(&shades), edge }
    }

    fn are_alike(&self) -> bool {
        let mut sorted = self.shades.as_raw().clone();
        sorted.sort_unstable();
        let outliers = (sorted.len() as f32 * OUTLIERS) as usize;
        sorted[sorted.len() - 1 - outliers] - sorted[outliers] <= ALIKE
    }

    /// The ground of a pixel, between those of the places around it.
    fn at(&self, x: u32, y: u32) -> f32 {
        let middle = |at: u32| (at as f32 + 0.5) / self.edge as f32 - 0.5;
        let clamped = |at: f32, most: u32| at.clamp(0.0, (most - 1) as f32);
        let (x, y) = (clamped(middle(x), self.shades.width()), clamped(middle(y), self.shades.height()));
        let (left, top) = (x as u32, y as u32);
        let (right, bottom) =
            ((left + 1).min(self.shades.width() - 1), (top + 1).min(self.shades.height() - 1));
        let shade = |x: u32, y: u32| f32::from(self.shades[(x, y)].0[0]);
        let between = |one: f32, other: f32, share: f32| one + (other - one) * share;
        let above = between(shade(left, top), shade(right, top), x.fract());
        let below = between(shade(left, bottom), shade(right, bottom), x.fract());
        between(above, below, y.fract())
    }
}

/// Each place as the median of itself and those around it: a heading in large letters is no ground.
fn smooth(places: &GrayImage) -> GrayImage {
    let (width, height) = places.dimensions();
    GrayImage::from_fn(width, height, |x, y| {
        let rows = y.saturating_sub(1)..(y + 2).min(height);
        let around = rows.flat_map(|y| (x.saturating_sub(1)..(x + 2).min(width)).map(move |x| (x, y)));
        [median(around.map(|at| places[at].0[0]))].into()
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

    /// Thin strokes on a ground whose shade a place tells.
    fn page(ground: impl Fn(u32) -> u8, ink: impl Fn(u8) -> u8) -> GrayImage {
        GrayImage::from_fn(480, 240, |x, y| {
            let ground = ground(x);
            Luma([if y % 12 < 2 && x % 3 != 0 { ink(ground) } else { ground }])
        })
    }

    /// The lightest ink and the darkest ground.
    fn extremes(picture: &GrayImage) -> (u8, u8) {
        let inked = |place: &(u32, u32)| place.1 % 12 < 2 && !place.0.is_multiple_of(3);
        let places = || (0..480).flat_map(|x| (0..240).map(move |y| (x, y)));
        let ink = places().filter(inked).map(|place| picture[place].0[0]).max();
        (ink.unwrap(), places().filter(|place| !inked(place)).map(|place| picture[place].0[0]).min().unwrap())
    }

    #[test]
    fn light_from_one_side_is_levelled() {
        let mut picture = page(|x| (240 - x / 4) as u8, |ground| ground / 4);
        even_out(&mut picture);
        let (ink, ground) = extremes(&picture);
        assert!(ink < 80 && ground > 225, "{ink} {ground}");
    }

    #[test]
    fn a_dark_panel_and_a_light_page_are_both_read() {
        let mut picture =
            page(|x| if x < 240 { 20 } else { 240 }, |ground| if ground < 100 { 220 } else { 10 });
        even_out(&mut picture);
        for x in (40..200).chain(280..440).filter(|x| x % 3 != 0) {
            assert!(picture[(x, 120)].0[0] < 80 && picture[(x, 126)].0[0] > 225, "{x}");
        }
    }

    #[test]
    fn what_is_everywhere_alike_stays_as_it_is() {
        let even = page(|_| 230, |_| 20);
        let mut picture = even.clone();
        even_out(&mut picture);
        assert_eq!(picture, even);
    }
}
