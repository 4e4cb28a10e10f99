//! Faces, with the network that `scripts/fetch-models` fetches. Skipped without it.

use std::{io::Cursor, path::Path, time::Duration};

use guardengine_media::{
    Face, Missing,
    image::{Detectors, FaceDetector, read},
};
use guardengine_test_support::{drawn_face::portrait, models, page::PLAIN};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, imageops};

use crate::ocr::{LIMITS, engine};

#[track_caller]
fn detector() -> Option<FaceDetector> {
    Some(FaceDetector::load(&models::folder()?).unwrap_or_else(|missing| panic!("{missing}")))
}

/// Returns whether an area contains the eyes, nose and mouth of a portrait of this size that lies here, and not much more.
fn covers(face: &Face, (x, y): (i64, i64), size: f32) -> bool {
    let (left, top) = (x as f32, y as f32);
    let area = face.area;
    let inner = [left + 0.36 * size, top + 0.39 * size, left + 0.64 * size, top + 0.69 * size];
    let outer = [left + 0.15 * size, top + 0.05 * size, left + 0.85 * size, top + 0.9 * size];
    let edges = [area.x, area.y, area.right(), area.bottom()].map(|edge| edge as f32);
    edges[0] <= inner[0]
        && edges[1] <= inner[1]
        && edges[2] >= inner[2]
        && edges[3] >= inner[3]
        && edges[0] >= outer[0]
        && edges[1] >= outer[1]
        && edges[2] <= outer[2]
        && edges[3] <= outer[3]
}

#[test]
fn faces_of_several_sizes_are_found_where_they_are() {
    let Some(detector) = detector() else { return };
    let mut page = RgbImage::from_pixel(900, 640, Rgb([255, 255, 255]));
    let places = [((40, 60), 80), ((500, 300), 96), ((700, 40), 120)];
    for ((x, y), size) in places {
        imageops::replace(&mut page, &portrait(size), x, y);
    }
    let found = detector.detect(&page).unwrap();
    assert_eq!(found.len(), places.len(), "{found:?}");
    for (place, size) in places {
        assert!(found.iter().any(|face| covers(face, place, size as f32)), "{place:?}: {found:?}");
    }
    assert!(found.iter().all(|face| (0.35..=1.0).contains(&face.confidence)));
}

#[test]
fn a_large_image_is_made_smaller_and_places_are_those_of_the_image() {
    let Some(detector) = detector() else { return };
    let mut page = RgbImage::from_pixel(2400, 1500, Rgb([235, 235, 230]));
    imageops::replace(&mut page, &portrait(240), 1500, 700);
    let found = detector.detect(&page).unwrap();
    assert!(found.len() == 1 && covers(&found[0], (1500, 700), 240.0), "{found:?}");
}

#[test]
fn pages_of_text_have_no_faces() {
    let Some(detector) = detector() else { return };
    let lines = ["Invoice 2024-117", "The total is 1,250.00", ":-) (o_o) 8-)", "Jane Miller, Head of Sales"];
    for page in [PLAIN.draw(&lines), PLAIN.draw(&[]), PLAIN.draw(&["@ @ OO oo 00"; 12])] {
        let page = DynamicImage::from(page).to_rgb8();
        assert_eq!(detector.detect(&page).unwrap(), [], "a page of text");
    }
}

#[test]
fn a_face_follows_the_text_of_its_image() {
    let Some(detector) = detector() else { return };
    let text = PLAIN.draw(&["Visitor badge"]);
    let mut page = RgbImage::from_pixel(text.width().max(400), text.height() + 300, Rgb([255, 255, 255]));
    imageops::replace(&mut page, &DynamicImage::from(text).to_rgb8(), 0, 0);
    let below = i64::from(page.height()) - 220;
    imageops::replace(&mut page, &portrait(100), 100, below);
    let mut file = Cursor::new(Vec::new());
    page.write_to(&mut file, ImageFormat::Png).unwrap();
    let file = file.into_inner();
    let result = read(
        &mut engine(),
        Detectors { faces: Some(&detector), nsfw: None },
        &file,
        LIMITS,
        Duration::from_mins(1),
    )
    .unwrap();
    let passage = result.located_text();
    assert!(passage.text.ends_with("\n[face]"), "{}", passage.text);
    let faces = result.placed_faces(&passage);
    let [(place, face)] = &faces[..] else { panic!("{faces:?}") };
    assert_eq!(&passage.text[place.clone()], "[face]");
    let [area] = passage.areas(place.clone())[..] else { panic!("{passage:?}") };
    assert_eq!(area.cover(face.area), area);
    assert!(covers(face, (100, below), 100.0), "{face:?}");
    let without = read(&mut engine(), Detectors::default(), &file, LIMITS, Duration::from_mins(1)).unwrap();
    assert!(without.faces.is_empty() && !without.located_text().text.contains("[face]"));
}

#[test]
fn a_missing_network_is_named() {
    let missing = FaceDetector::load(Path::new("/nonexistent")).err().unwrap();
    assert_eq!(missing, Missing::Models("faces".to_owned()));
}
