use std::time::Duration;

use guardengine_media::{
    OcrResult,
    image::{ImageError, Limits, read, redact},
    native::tesseract::Tesseract,
};
use image::{DynamicImage, GrayImage, ImageFormat};

use crate::paper::{PLAIN, Paper, file, png, turned};

const LINES: [&str; 4] = [
    "Invoice 2024-117 for the garden party",
    "Jane Doe, jane.doe@example.com",
    "Card 4111 1111 1111 1111, expires 09/27",
    "Thank you for your order and see you soon",
];
pub const LIMITS: Limits = Limits { pixels: 40_000_000 };
const TIME: Duration = Duration::from_mins(1);

pub fn engine() -> Tesseract {
    Tesseract::load("eng").unwrap_or_else(|missing| panic!("{missing}; scripts/packages test does"))
}

fn seen(file: &[u8]) -> OcrResult {
    read(&mut engine(), file, LIMITS, TIME).unwrap()
}

/// How many of the lines' words were read as they are written.
fn share(text: &str) -> f32 {
    let words: Vec<_> = LINES.iter().flat_map(|line| line.split(' ')).collect();
    let read = words.iter().filter(|word| text.contains(**word)).count();
    read as f32 / words.len() as f32
}

#[track_caller]
fn reads(picture: &GrayImage) {
    let text = seen(&png(picture)).passage().text;
    assert!(share(&text) > 0.95, "{} of {text}", share(&text));
}

#[test]
fn screenshots_are_read() {
    reads(&PLAIN.draw(&LINES));
    reads(&Paper { font: "DejaVuSansMono", size: 14.0, ..PLAIN }.draw(&LINES));
    reads(&Paper { font: "DejaVuSerif", size: 20.0, ..PLAIN }.draw(&LINES));
}

#[test]
fn a_dark_ground_and_little_contrast_are_read() {
    reads(&Paper { ground: 24, ink: 225, ..PLAIN }.draw(&LINES));
    reads(&Paper { ground: 205, ink: 170, ..PLAIN }.draw(&LINES));
    reads(&Paper { ground: 60, ink: 90, ..PLAIN }.draw(&LINES));
}

#[test]
fn slopes_and_quarter_turns_are_read() {
    for degrees in [3.0, -7.0, 90.0, 180.0, 270.0] {
        let picture = turned(&PLAIN.draw(&LINES), degrees);
        let text = seen(&png(&picture)).passage().text;
        assert!(share(&text) > 0.95, "{degrees}: {} of {text}", share(&text));
    }
}

#[test]
fn every_format_is_read() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let text = seen(&file(&PLAIN.draw(&LINES), format)).passage().text;
        assert!(share(&text) > 0.95, "{format:?}: {text}");
    }
}

/// A JPEG that says that it lies on its side (EXIF 2.3, tag 0x0112 of value 6: turn by 90° clockwise).
fn on_its_side(picture: &GrayImage) -> Vec<u8> {
    let jpeg = file(&turned(picture, 270.0), ImageFormat::Jpeg);
    let exif = b"\xff\xe1\x00\x22Exif\0\0MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00";
    [&jpeg[..2], exif, &jpeg[2..]].concat()
}

#[test]
fn what_metadata_say_of_the_orientation_holds_and_goes() {
    let upright = PLAIN.draw(&LINES);
    let file = on_its_side(&upright);
    let seen = seen(&file);
    assert!(share(&seen.passage().text) > 0.95);
    assert!(seen.width > seen.height);
    let painted = redact(&file, &[], LIMITS).unwrap();
    assert!(!painted.windows(4).any(|four| four == b"Exif" || four == b"eXIf"));
    let painted = image::load_from_memory(&painted).unwrap();
    assert_eq!((painted.width(), painted.height()), (seen.width, seen.height));
}

/// Shades of the places where a picture holds writing.
fn ink_within(picture: &DynamicImage, area: guardengine_media::Rect) -> usize {
    let gray = picture.to_luma8();
    let places = (area.y..area.bottom()).flat_map(|y| (area.x..area.right()).map(move |x| (x, y)));
    places
        .filter(|place| place.0 < gray.width() && place.1 < gray.height() && gray[*place].0[0] > 100)
        .count()
}

#[test]
fn what_is_painted_over_cannot_be_read_and_the_rest_can() {
    let file = png(&turned(&PLAIN.draw(&LINES), 4.0));
    let passage = seen(&file).passage();
    let start = passage.text.find("4111").unwrap();
    let areas = passage.areas(start..start + 19);
    let painted = redact(&file, &areas, LIMITS).unwrap();
    let picture = image::load_from_memory(&painted).unwrap();
    assert!(areas.iter().all(|area| ink_within(&picture, *area) == 0));
    let text = seen(&painted).passage().text;
    assert!(!text.contains("4111") && !text.contains("1111"), "{text}");
    assert!(text.contains("jane.doe@example.com") && text.contains("Thank you"), "{text}");
}

#[test]
fn codes_are_read() {
    use rxing::{BarcodeFormat, MultiFormatWriter, Writer as _};
    for (format, text, size) in [
        (BarcodeFormat::QR_CODE, "mailto:jane.doe@example.com", (300, 300)),
        (BarcodeFormat::CODE_128, "GE-4711-ABC", (500, 120)),
    ] {
        let code = MultiFormatWriter.encode(text, &format, size.0, size.1).unwrap();
        let mut page = GrayImage::from_pixel(900, 700, image::Luma([255]));
        for y in 0..code.height() {
            for x in (0..code.width()).filter(|x| code.get(*x, y)) {
                page[(x + 200, y + 200)] = image::Luma([0]);
            }
        }
        let seen = seen(&png(&page));
        assert_eq!(seen.codes.len(), 1, "{format:?}");
        assert_eq!(seen.codes[0].text, text);
        let painted =
            redact(&png(&page), &seen.passage().areas(0..seen.passage().text.len()), LIMITS).unwrap();
        assert!(self::seen(&painted).codes.is_empty(), "{format:?}");
    }
}

#[test]
fn the_marks_of_a_page_are_not_drawn() {
    assert_eq!(PLAIN.draw(&["a «b» c"]), PLAIN.draw(&["a b c"]));
    assert_eq!(PLAIN.draw_marked(&["«a b c»"]), PLAIN.draw(&["a b c"]));
    assert_ne!(PLAIN.draw_marked(&["a «b» c"]), PLAIN.draw(&["a b c"]));
}

#[test]
fn a_picture_without_words_has_none() {
    let seen = seen(&png(&GrayImage::from_pixel(400, 300, image::Luma([200]))));
    assert_eq!((seen.passage().text, seen.width, seen.height), (String::new(), 400, 300));
}

#[test]
fn what_is_not_read_in_time_is_not_read() {
    let page = PLAIN.draw(&LINES.repeat(20));
    let read = read(&mut engine(), &png(&page), LIMITS, Duration::from_millis(20));
    assert_eq!(read, Err(ImageError::TimedOut));
}
