//! Sexual images, with the network that `scripts/fetch-models` fetches. Skipped without it.

use std::path::Path;

use guardengine_media::{Missing, image::NsfwClassifier};
use guardengine_test_support::{drawn_face::portrait, drawn_skin::ellipses, models, page::PLAIN};
use image::{DynamicImage, Rgb, RgbImage, imageops};

#[track_caller]
fn classifier() -> Option<NsfwClassifier> {
    Some(NsfwClassifier::load(&models::folder()?).unwrap_or_else(|missing| panic!("{missing}")))
}

#[test]
fn pages_and_portraits_are_harmless() {
    let Some(classifier) = classifier() else { return };
    let pages = [PLAIN.draw(&["Invoice 2024-117", "The total is 1,250.00"]), PLAIN.draw(&[])];
    let pages = pages.map(|page| DynamicImage::from(page).to_rgb8());
    for image in pages.into_iter().chain([portrait(300)]) {
        let score = classifier.score(&image).unwrap();
        assert!(score < 0.3, "{score}");
    }
}

/// The same drawing has 0.92 in ONNX Runtime.
#[test]
fn scores_are_those_of_other_runtimes() {
    let Some(classifier) = classifier() else { return };
    for size in [256, 700] {
        let score = classifier.score(&ellipses(size)).unwrap();
        assert!(score > 0.85, "{size}: {score}");
    }
}

#[test]
fn a_very_long_image_is_read_too() {
    let Some(classifier) = classifier() else { return };
    let mut strip = RgbImage::from_pixel(40, 9_000, Rgb([255, 255, 255]));
    imageops::replace(&mut strip, &portrait(40), 0, 100);
    assert!(classifier.score(&strip).unwrap() < 0.5);
}

#[test]
fn a_missing_network_is_named() {
    let missing = NsfwClassifier::load(Path::new("/nonexistent")).err().unwrap();
    assert_eq!(missing, Missing::Models("nsfw".to_owned()));
}
