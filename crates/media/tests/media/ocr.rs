use std::{path::Path, time::Duration};

use guardengine_media::{
    OcrEngine, OcrResult,
    image::{Detectors, Engine, ImageError, Limits, read, redact},
};
use guardengine_test_support::page::{PLAIN, Paper, file, png, turned};
use image::{DynamicImage, GrayImage, ImageFormat};

use crate::paddle::load;

const LINES: [&str; 4] = [
    "Invoice 2024-117 for the garden party",
    "Jane Doe, jane.doe@example.com",
    "Card 4111 1111 1111 1111, expires 09/27",
    "Thank you for your order and see you soon",
];
pub const LIMITS: Limits = Limits { pixels: 40_000_000 };
const TIME: Duration = Duration::from_mins(1);

pub fn engine() -> Engine {
    load(OcrEngine::Tesseract, Path::new("/nonexistent"), "eng")
        .unwrap_or_else(|missing| panic!("{missing}; run scripts/install-deps test"))
}

fn ocr(file: &[u8]) -> OcrResult {
    read(&mut engine(), Detectors::default(), file, LIMITS, TIME).unwrap()
}

/// Returns the share of `words` that `text` contains.
pub fn share_read(words: &[&str], text: &str) -> f32 {
    let read = words.iter().filter(|word| text.contains(**word)).count();
    read as f32 / words.len() as f32
}

fn assert_read(what: &str, result: &OcrResult) {
    let words: Vec<_> = LINES.iter().flat_map(|line| line.split(' ')).collect();
    let text = result.located_text().text;
    let share = share_read(&words, &text);
    assert!(share > 0.95, "{what}: {share} of {text}");
}

/// Screenshots, dark backgrounds, low contrast, skewed and turned pages.
fn pages() -> Vec<(String, GrayImage)> {
    let papers = [
        PLAIN,
        Paper { font: "DejaVuSansMono", size: 14.0, ..PLAIN },
        Paper { font: "DejaVuSerif", size: 20.0, ..PLAIN },
        Paper { ground: 24, ink: 225, ..PLAIN },
        Paper { ground: 205, ink: 170, ..PLAIN },
        Paper { ground: 60, ink: 90, ..PLAIN },
    ];
    let upright = papers.iter().enumerate().map(|(at, paper)| (format!("paper {at}"), paper.draw(&LINES)));
    let angles = [3.0, -7.0, 90.0, 180.0, 270.0];
    let turned = angles.map(|degrees| (format!("turned by {degrees}"), turned(&PLAIN.draw(&LINES), degrees)));
    upright.chain(turned).collect()
}

pub fn assert_reads_everything(engine: &mut Engine) {
    for (what, page) in pages() {
        assert_read(&what, &read(engine, Detectors::default(), &png(&page), LIMITS, TIME).unwrap());
    }
}

#[test]
fn tesseract_reads_pages_of_every_kind() {
    assert_reads_everything(&mut engine());
}

#[test]
fn reads_every_format() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        assert_read(&format!("{format:?}"), &ocr(&file(&PLAIN.draw(&LINES), format)));
    }
}

/// Returns a JPEG that lies on its side (EXIF 2.3, tag 0x0112 with value 6: rotate by 90° clockwise).
fn on_its_side(image: &GrayImage) -> Vec<u8> {
    let jpeg = file(&turned(image, 270.0), ImageFormat::Jpeg);
    let exif = b"\xff\xe1\x00\x22Exif\0\0MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00";
    [&jpeg[..2], exif, &jpeg[2..]].concat()
}

#[test]
fn applies_and_removes_the_orientation_metadata() {
    let upright = PLAIN.draw(&LINES);
    let file = on_its_side(&upright);
    let result = ocr(&file);
    assert_read("on its side", &result);
    assert!(result.width > result.height);
    let redacted = redact(&file, &[], LIMITS).unwrap();
    assert!(!redacted.windows(4).any(|four| four == b"Exif" || four == b"eXIf"));
    let redacted = image::load_from_memory(&redacted).unwrap();
    assert_eq!((redacted.width(), redacted.height()), (result.width, result.height));
}

/// Counts the pixels of an area that are not black.
fn bright_pixels(image: &DynamicImage, area: guardengine_media::Rect) -> usize {
    let gray = image.to_luma8();
    let pixels = (area.y..area.bottom()).flat_map(|y| (area.x..area.right()).map(move |x| (x, y)));
    pixels.filter(|at| at.0 < gray.width() && at.1 < gray.height() && gray[*at].0[0] > 100).count()
}

#[test]
fn redacted_text_is_unreadable_and_the_rest_is_not() {
    let file = png(&turned(&PLAIN.draw(&LINES), 4.0));
    let located = ocr(&file).located_text();
    let start = located.text.find("4111").unwrap();
    let areas = located.areas(start..start + 19);
    let redacted = redact(&file, &areas, LIMITS).unwrap();
    let image = image::load_from_memory(&redacted).unwrap();
    assert!(areas.iter().all(|area| bright_pixels(&image, *area) == 0));
    let text = ocr(&redacted).located_text().text;
    assert!(!text.contains("4111") && !text.contains("1111"), "{text}");
    assert!(text.contains("jane.doe@example.com") && text.contains("Thank you"), "{text}");
}

#[test]
fn reads_codes() {
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
        let result = ocr(&png(&page));
        assert_eq!(result.codes.len(), 1, "{format:?}");
        assert_eq!(result.codes[0].text, text);
        let redacted =
            redact(&png(&page), &result.located_text().areas(0..result.located_text().text.len()), LIMITS)
                .unwrap();
        assert!(ocr(&redacted).codes.is_empty(), "{format:?}");
    }
}

#[test]
fn draws_no_guillemets() {
    assert_eq!(PLAIN.draw(&["a «b» c"]), PLAIN.draw(&["a b c"]));
    assert_eq!(PLAIN.draw_marked(&["«a b c»"]), PLAIN.draw(&["a b c"]));
    assert_ne!(PLAIN.draw_marked(&["a «b» c"]), PLAIN.draw(&["a b c"]));
}

#[test]
fn finds_no_words_on_an_empty_page() {
    let result = ocr(&png(&GrayImage::from_pixel(400, 300, image::Luma([200]))));
    assert_eq!((result.located_text().text, result.width, result.height), (String::new(), 400, 300));
}

#[test]
fn stops_at_the_time_limit() {
    let page = PLAIN.draw(&LINES.repeat(20));
    let result = read(&mut engine(), Detectors::default(), &png(&page), LIMITS, Duration::from_millis(20));
    assert_eq!(result, Err(ImageError::TimedOut));
}
