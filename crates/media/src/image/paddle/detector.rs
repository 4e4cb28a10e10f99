//! Detection of text: differentiable binarization (Liao and others, "Real-time Scene Text Detection with Differentiable
//! Binarization", AAAI 2020).
//!
//! The network returns the probability of each pixel that it is in the core of a line of text. Connected pixels are a
//! line; its rectangle is enlarged from the core to the letters.

use std::{path::Path, sync::Arc};

use image::RgbImage;
use rten::ThreadPool;
use rten_tensor::{NdTensor, prelude::*};

use super::{FOLDER, ink_bounds::ink_bounds, pixels::planes};
use crate::{
    image::{
        geometry::{
            components::components,
            hull::Corner,
            min_rectangle::smallest_rectangle,
            tilted::{Tilted, Vector},
        },
        network::Network,
    },
    protocol::Missing,
};

const FILE: &str = "PP-OCRv6_det_small.onnx";
/// Edges of the image that the network reads are multiples of this.
const STRIDE: f32 = 32.0;
/// Pixels of the image that the network reads, at most. Larger images are scaled down.
const MAX_PIXELS: f32 = 3.0e6;
/// Longest edge of it in strides. The other edge is then one stride.
const MAX_STRIDES: f32 = MAX_PIXELS / (STRIDE * STRIDE);
/// Probability above which a pixel is in the core of a line.
const CORE: f32 = 0.3;
/// Mean probability in the rectangle of a core below which it is not text.
const MIN_SCORE: f32 = 0.5;
/// Distance between a core and the ends of its letters, as a share of the core's area divided by its perimeter.
const UNCLIP: f32 = 1.6;
/// Height of a core in pixels of the map below which it is noise.
const MIN_HEIGHT: f32 = 3.0;
/// Cores that are read, at most.
const MAX_CORES: usize = 3000;

/// A line of text in an image.
#[derive(Clone, Debug)]
pub struct Region {
    /// Smallest rectangle around the letters.
    pub smallest: Tilted,
    hull: Vec<Corner>,
    map: Map,
}

/// The place of a map in the image.
#[derive(Clone, Copy, Debug)]
struct Map {
    /// Its first pixel, in pixels of the image.
    origin: Vector,
    /// Pixels of the image per pixel of the map.
    scale: Vector,
}

impl Region {
    /// Returns the region of a core.
    #[cfg(test)]
    pub fn of_rectangle(core: Tilted) -> Self {
        let corners = [(0.0, 0.0), (core.length, 0.0), (core.length, core.height), (0.0, core.height)];
        let corners = corners.map(|(x, y)| core.point(x, y));
        let hull = corners.map(|(x, y)| (x.round() as i32, y.round() as i32)).to_vec();
        Self { smallest: unclipped(core), hull, map: Map { origin: (0.0, 0.0), scale: (1.0, 1.0) } }
    }

    /// Returns the rectangle around the letters whose text runs in the direction `along`.
    pub fn along(&self, along: Vector) -> Tilted {
        let core = Tilted::around(self.hull.iter().map(|(x, y)| (*x as f32, *y as f32)), along);
        in_image(unclipped(core), self.map)
    }
}

/// The network that detects text.
pub struct Detector(Network);

impl Detector {
    /// Loads the network from the folder of the models.
    pub fn load(models: &Path, pool: &Arc<ThreadPool>) -> Result<Self, Missing> {
        let detector = Self(Network::simple(models, (FOLDER, FILE), pool)?);
        let [probe] = detector.0.run::<4, 1>(NdTensor::zeros([1, 3, 32, 32]))?;
        if probe.shape() == [1, 1, 32, 32] {
            Ok(detector)
        } else {
            Err(detector.0.rejected("has another output than expected"))
        }
    }

    /// Returns the lines of text of an image, from the top.
    pub fn detect(&self, image: &RgbImage) -> Result<Vec<Region>, Missing> {
        let part = ink_bounds(image);
        let (width, height) = (part.width as f32, part.height as f32);
        let (columns, rows) = map_size(width, height);
        let origin = (part.x as f32, part.y as f32);
        let center = (origin.0 + width / 2.0, origin.1 + height / 2.0);
        let area = Tilted { center, along: (1.0, 0.0), length: width, height };
        let input = NdTensor::from_data([1, 3, rows, columns], planes(image, &area, (columns, rows)));
        let [probabilities] = self.0.run::<4, 1>(input)?;
        let map = Map { origin, scale: (width / columns as f32, height / rows as f32) };
        let cores = components(&probabilities.into_data(), columns, CORE, MAX_CORES).into_iter();
        let regions = cores.filter_map(|core| {
            let rectangle = smallest_rectangle(&core.hull)?;
            let score = core.sum / (rectangle.length * rectangle.height);
            let is_text = rectangle.height >= MIN_HEIGHT && score >= MIN_SCORE;
            let smallest = in_image(unclipped(rectangle), map);
            is_text.then_some(Region { smallest, hull: core.hull, map })
        });
        Ok(regions.collect())
    }
}

/// Returns the columns and rows of the map for an image of this size.
fn map_size(width: f32, height: f32) -> (usize, usize) {
    let scale = (MAX_PIXELS / (width * height)).sqrt().min(1.0);
    let edge = |length: f32| ((length * scale / STRIDE).round().clamp(1.0, MAX_STRIDES) * STRIDE) as usize;
    (edge(width), edge(height))
}

/// Enlarges the rectangle of a core to that of the letters.
fn unclipped(core: Tilted) -> Tilted {
    let perimeter = 2.0 * (core.length + core.height);
    core.grown(core.length * core.height * UNCLIP / perimeter)
}

/// Places a rectangle of the map in the image. Scales differ by the rounding of the map's edges only.
fn in_image(rectangle: Tilted, map: Map) -> Tilted {
    let corners =
        [(0.0, 0.0), (rectangle.length, 0.0), (rectangle.length, rectangle.height), (0.0, rectangle.height)];
    let place = |(x, y): Vector| (map.origin.0 + x * map.scale.0, map.origin.1 + y * map.scale.1);
    let corners = corners.map(|(x, y)| place(rectangle.point(x, y)));
    let (from, to) = (corners[0], corners[1]);
    let length = (to.0 - from.0).hypot(to.1 - from.1).max(f32::MIN_POSITIVE);
    Tilted::around(corners.into_iter(), ((to.0 - from.0) / length, (to.1 - from.1) / length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_has_the_image_s_proportions_and_a_bounded_size() {
        assert_eq!(map_size(1000.0, 800.0), (992, 800));
        assert_eq!(map_size(400.0, 200.0), (416, 192));
        assert_eq!(map_size(10.0, 10.0), (32, 32));
        for (width, height) in
            [(8000.0, 5000.0), (40_000.0, 1000.0), (4_000_000.0, 10.0), (1.0, 40_000_000.0)]
        {
            let (columns, rows) = map_size(width, height);
            assert!(
                columns * rows <= 4_500_000 && columns.min(rows) >= 32,
                "{width} × {height}: {columns} × {rows}"
            );
        }
    }

    #[test]
    fn enlarges_cores_to_their_letters() {
        let core = Tilted { center: (50.0, 50.0), along: (1.0, 0.0), length: 90.0, height: 10.0 };
        let letters = unclipped(core);
        assert!((letters.height - 24.4).abs() < 0.1 && (letters.length - 104.4).abs() < 0.1, "{letters:?}");
        let placed = in_image(letters, Map { origin: (7.0, 5.0), scale: (2.0, 2.0) });
        assert!((placed.height - 48.8).abs() < 0.1 && placed.center == (107.0, 105.0), "{placed:?}");
    }
}
