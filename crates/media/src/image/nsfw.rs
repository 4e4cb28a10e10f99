//! Sexual content, recognized by Yahoo's network `open_nsfw` (a thin `ResNet` of 50 layers), which `scripts/fetch-models`
//! fetches. Its authors call images below 0.2 safe and above 0.8 very likely not.

use std::{path::Path, sync::Arc};

use image::{RgbImage, imageops::FilterType};
use rten::ThreadPool;
use rten_tensor::{NdTensor, prelude::*};

use super::network::Network;
use crate::protocol::Missing;

/// Folder of the network in the folder of the models.
pub const FOLDER: &str = "nsfw";
const FILE: &str = "open-nsfw.onnx";
/// Side of the square to which an image is brought, and of its middle, which the network looks at, in pixels.
const WHOLE: u32 = 256;
const MIDDLE: u32 = 224;
/// Mean of blue, green and red in the images of the training.
const MEAN: [f32; 3] = [104.0, 117.0, 123.0];

/// The network.
pub struct NsfwClassifier(Network);

impl NsfwClassifier {
    /// Loads the network from the folder of the models.
    pub fn load(models: &Path) -> Result<Self, Missing> {
        // One thread, because workers run in parallel as processes.
        let pool = Arc::new(ThreadPool::with_num_threads(1));
        Ok(Self(Network::simple(models, (FOLDER, FILE), &pool)?))
    }

    /// Returns the probability that an image shows sexual content.
    pub fn score(&self, image: &RgbImage) -> Result<f32, Missing> {
        let [probabilities] = self.0.run::<2, 1>(middle(image))?;
        // Harmless, sexual.
        if probabilities.shape() != [1, 2] {
            return Err(self.0.rejected("has another output than expected"));
        }
        Ok(probabilities[[0, 1]].clamp(0.0, 1.0))
    }
}

/// Returns the middle of an image as rows of pixels, each with its distance from the mean.
fn middle(image: &RgbImage) -> NdTensor<f32, 4> {
    let small = image::imageops::resize(image, WHOLE, WHOLE, FilterType::Triangle);
    let margin = (WHOLE - MIDDLE) / 2;
    let side = MIDDLE as usize;
    NdTensor::from_fn([1, side, side, 3], |[_, row, column, color]| {
        let pixel = small.get_pixel(column as u32 + margin, row as u32 + margin);
        f32::from(pixel.0[2 - color]) - MEAN[color]
    })
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn the_middle_has_blue_first_and_no_margin() {
        let image = RgbImage::from_fn(WHOLE, WHOLE, |x, _| Rgb(if x == 16 { [255, 0, 104] } else { [0; 3] }));
        let input = middle(&image);
        assert_eq!(input.shape(), [1, 224, 224, 3]);
        assert_eq!([0, 1, 2].map(|color| input[[0, 9, 0, color]]), [0.0, -117.0, 132.0]);
        assert_eq!([0, 1, 2].map(|color| input[[0, 9, 1, color]]), [-104.0, -117.0, -123.0]);
    }
}
