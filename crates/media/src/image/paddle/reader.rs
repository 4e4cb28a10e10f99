//! Reading of single lines of text.

use std::{path::Path, sync::Arc};

use image::RgbImage;
use rten::ThreadPool;
use rten_tensor::{NdTensor, prelude::*};

use super::{
    FOLDER, ctc,
    line::{Line, PlacedLetter},
    pixels::planes,
};
use crate::{
    image::{geometry::tilted::Tilted, network::Network},
    protocol::Missing,
};

const FILE: &str = "PP-OCRv6_rec_small.onnx";
/// Key of the file's metadata with the alphabet, one letter a line. A blank precedes it and a space follows it.
const ALPHABET: &str = "character";
/// Height in pixels of the lines that the network reads.
const HEIGHT: usize = 48;
/// Their width in pixels. Shorter lines are padded, longer ones are narrowed.
const WIDTH: (usize, usize) = (160, 4800);
/// Pixels per column of the output.
const STRIDE: usize = 8;

/// The network that reads lines.
pub struct Reader {
    network: Network,
    /// Letter of each class. The blank is empty.
    alphabet: Vec<Box<str>>,
}

impl Reader {
    /// Loads the network from the folder of the models.
    pub fn load(models: &Path, pool: &Arc<ThreadPool>) -> Result<Self, Missing> {
        let network = Network::simple(models, (FOLDER, FILE), pool)?;
        let letters = network.metadata(ALPHABET)?.lines();
        let alphabet: Vec<Box<str>> =
            std::iter::once("").chain(letters).chain([" "]).map(Box::from).collect();
        let [output] = network.run::<3, 1>(NdTensor::zeros([1, 3, HEIGHT, WIDTH.0]))?;
        let expected = [1, WIDTH.0 / STRIDE, alphabet.len()];
        if output.shape() == expected {
            return Ok(Self { network, alphabet });
        }
        let shape = output.shape();
        Err(network
            .rejected(&format!("has an alphabet of {} letters for an output of {shape:?}", alphabet.len())))
    }

    /// Reads the text in an area of the image.
    pub fn read(&self, image: &RgbImage, area: Tilted) -> Result<Line, Missing> {
        let width = (area.length / area.height.max(1.0) * HEIGHT as f32).round() as usize;
        let width = width.clamp(STRIDE, WIDTH.1).next_multiple_of(STRIDE);
        let drawn = planes(image, &area, (width, HEIGHT));
        let input = NdTensor::from_data([1, 3, HEIGHT, width.max(WIDTH.0)], padded(&drawn, width));
        let [output] = self.network.run::<3, 1>(input)?;
        let letters = ctc::letters(&output.into_data(), self.alphabet.len()).into_iter();
        // A padded line has letters in its own columns only.
        let letters = letters.filter(|letter| letter.columns.start * STRIDE < width);
        let per_column = area.length * STRIDE as f32 / width as f32;
        let placed = letters.map(|letter| PlacedLetter {
            text: self.alphabet[letter.class].clone(),
            from: letter.columns.start as f32 * per_column,
            to: letter.columns.end as f32 * per_column,
            probability: letter.probability,
        });
        Ok(Line { area, letters: placed.collect() })
    }
}

/// Pads rows of `width` pixels to the minimum with the middle gray.
fn padded(drawn: &[f32], width: usize) -> Vec<f32> {
    if width >= WIDTH.0 {
        return drawn.to_vec();
    }
    let mut padded = vec![0.0; drawn.len() / width * WIDTH.0];
    for (row, pixels) in padded.chunks_exact_mut(WIDTH.0).zip(drawn.chunks_exact(width)) {
        row[..width].copy_from_slice(pixels);
    }
    padded
}
