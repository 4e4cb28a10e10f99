//! Faces, found by the network CenterFace (Xu et al., arXiv:1911.03599), which `scripts/fetch-models` fetches.

use std::{path::Path, sync::Arc};

use image::{RgbImage, imageops::FilterType};
use rten::ThreadPool;
use rten_tensor::{NdTensor, prelude::*};

use super::network::Network;
use crate::{Face, Rect, protocol::Missing};

/// Folder of the network in the folder of the models.
pub const FOLDER: &str = "faces";
const FILE: &str = "centerface.onnx";
/// Names of the input, and of the outputs: how much each cell is the center of a face, the size of that face, and the
/// offset of its center from the cell.
const INPUT: &str = "input.1";
const OUTPUTS: [&str; 3] = ["537", "538", "539"];
/// Pixels of a side of a cell.
const CELL: f32 = 4.0;
/// Sides of the network's input are multiples of this.
const STEP: u32 = 32;
/// Longest side of the network's input. A face needs about 12 pixels.
const MAX_SIDE: u32 = 960;
/// Score of a center from which it counts.
const MIN_SCORE: f32 = 0.35;
/// Share of the common area from which two faces are one.
const MAX_OVERLAP: f32 = 0.3;
/// Faces of one image.
const MAX_FACES: usize = 1_000;
/// Share of its size by which the area of a face grows on each side, for hair, chin and ears.
const MARGIN: f32 = 0.1;

/// The network.
pub struct FaceDetector(Network);

impl FaceDetector {
    /// Loads the network from the folder of the models.
    pub fn load(models: &Path) -> Result<Self, Missing> {
        // One thread, because workers run in parallel as processes.
        let pool = Arc::new(ThreadPool::with_num_threads(1));
        Ok(Self(Network::load(models, (FOLDER, FILE), (INPUT, &OUTPUTS), free_input_size, &pool)?))
    }

    /// Returns the faces of an image, the surest first.
    pub fn detect(&self, image: &RgbImage) -> Result<Vec<Face>, Missing> {
        let (width, height) = input_size(image.width(), image.height());
        let small = image::imageops::resize(image, width, height, FilterType::Triangle);
        let [scores, sizes, offsets] = self.0.run(planes(&small))?;
        let [_, _, rows, columns] = scores.shape();
        if sizes.shape() != [1, 2, rows, columns] || offsets.shape() != [1, 2, rows, columns] {
            return Err(self.0.rejected("has another output than expected"));
        }
        let mut found = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let confidence = scores[[0, 0, row, column]];
                if confidence < MIN_SCORE {
                    continue;
                }
                let size = |axis| sizes[[0, axis, row, column]].exp() * CELL;
                let center = |axis, cell: usize| (cell as f32 + offsets[[0, axis, row, column]] + 0.5) * CELL;
                let (height, width) = (size(0), size(1));
                let area = Area { x: center(1, column), y: center(0, row), width, height };
                found.push((area, confidence.min(1.0)));
            }
        }
        let scale = (image.width() as f32 / width as f32, image.height() as f32 / height as f32);
        let bounds = (image.width(), image.height());
        let face = |(area, confidence): (Area, f32)| Face { area: area.in_pixels(scale, bounds), confidence };
        Ok(separate(found)
            .into_iter()
            .map(face)
            .filter(|face| face.area.width > 0 && face.area.height > 0)
            .collect())
    }
}

/// Removes the size of the input from the file, which declares ten images of 32 × 32 pixels although the network takes any.
///
/// In the encoding of protocol buffers, each size is the field 1 of a dimension (tag 0x08). As field 4 (tag 0x20), which a
/// dimension does not have, it is skipped.
fn free_input_size(file: &mut [u8]) {
    const SHAPE: [u8; 16] = [0x0a, 2, 0x08, 10, 0x0a, 2, 0x08, 3, 0x0a, 2, 0x08, 32, 0x0a, 2, 0x08, 32];
    if let Some(start) = file.windows(SHAPE.len()).rposition(|part| part == SHAPE) {
        for dimension in file[start..start + SHAPE.len()].chunks_exact_mut(4) {
            dimension[2] = 0x20;
        }
    }
}

/// An area by its center, in pixels of the network's input.
#[derive(Clone, Copy)]
struct Area {
    x: f32,
    y: f32,
    width: f32,
    height: f32,
}

impl Area {
    /// Returns how much of both areas together is common.
    fn overlap(self, other: Self) -> f32 {
        let common = |from: f32, size: f32, other_from: f32, other_size: f32| {
            let half = (size / 2.0, other_size / 2.0);
            ((from + half.0).min(other_from + half.1) - (from - half.0).max(other_from - half.1)).max(0.0)
        };
        let both = common(self.x, self.width, other.x, other.width)
            * common(self.y, self.height, other.y, other.height);
        both / (self.width * self.height + other.width * other.height - both).max(f32::EPSILON)
    }

    /// Returns the area in pixels of the image, with a margin.
    fn in_pixels(self, (across, down): (f32, f32), (width, height): (u32, u32)) -> Rect {
        let half = |size: f32| size * (0.5 + MARGIN);
        // Casts of floats saturate, so what is left of the edge is 0.
        let [left, right] = [-1.0, 1.0].map(|side: f32| ((self.x + side * half(self.width)) * across) as u32);
        let [top, bottom] = [-1.0, 1.0].map(|side: f32| ((self.y + side * half(self.height)) * down) as u32);
        let (right, bottom) = ((right + 1).min(width), (bottom + 1).min(height));
        Rect { x: left, y: top, width: right.saturating_sub(left), height: bottom.saturating_sub(top) }
    }
}

/// Returns the surest of areas that overlap, the surest first.
fn separate(mut found: Vec<(Area, f32)>) -> Vec<(Area, f32)> {
    found.sort_by(|one, other| other.1.total_cmp(&one.1));
    let mut kept: Vec<(Area, f32)> = Vec::new();
    for one in found {
        if kept.len() < MAX_FACES && kept.iter().all(|known| known.0.overlap(one.0) < MAX_OVERLAP) {
            kept.push(one);
        }
    }
    kept
}

/// Returns the size of the network's input for an image: its proportions, as multiples of [`STEP`].
fn input_size(width: u32, height: u32) -> (u32, u32) {
    let scale = (MAX_SIDE as f32 / width.max(height) as f32).min(1.0);
    let side = |side: u32| ((side as f32 * scale / STEP as f32).round() as u32).max(1) * STEP;
    (side(width), side(height))
}

/// Returns the pixels as planes of red, green and blue, 0 to 255.
fn planes(image: &RgbImage) -> NdTensor<f32, 4> {
    let (width, height) = (image.width() as usize, image.height() as usize);
    let pixels = image.as_raw();
    NdTensor::from_fn([1, 3, height, width], |[_, color, row, column]| {
        f32::from(pixels[(row * width + column) * 3 + color])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(x: f32, y: f32, size: f32) -> Area {
        Area { x, y, width: size, height: size }
    }

    #[test]
    fn the_surest_of_overlapping_areas_is_kept() {
        let kept = separate(vec![
            (area(10.0, 10.0, 8.0), 0.5),
            (area(11.0, 10.0, 8.0), 0.9),
            (area(40.0, 10.0, 8.0), 0.4),
        ]);
        let kept: Vec<_> = kept.iter().map(|(area, confidence)| (area.x, *confidence)).collect();
        assert_eq!(kept, [(11.0, 0.9), (40.0, 0.4)]);
    }

    #[test]
    fn areas_stay_within_the_image() {
        let area = area(2.0, 30.0, 20.0).in_pixels((2.0, 2.0), (100, 70));
        assert_eq!(area, Rect { x: 0, y: 36, width: 29, height: 34 });
    }

    #[test]
    fn the_input_keeps_the_proportions_and_has_a_limit() {
        assert_eq!(input_size(640, 480), (640, 480));
        assert_eq!(input_size(3000, 1500), (960, 480));
        assert_eq!(input_size(5, 2000), (32, 960));
    }
}
