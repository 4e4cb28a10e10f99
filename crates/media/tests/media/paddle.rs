//! OCR with the networks that `scripts/fetch-models` fetches.

use std::{fs, path::Path, time::Duration};

use guardengine_media::{
    Missing, OcrEngine, OcrResult, WorkerLimits,
    image::{Detectors, Engine, ImageError, read, redact},
};
use guardengine_test_support::{
    models,
    page::{PLAIN, Paper, png, turned},
};
use image::{GrayImage, Luma};

use crate::ocr::{LIMITS, assert_reads_everything, share_read};

const DETECTOR: &str = "PP-OCRv6_det_small.onnx";
const READER: &str = "PP-OCRv6_rec_small.onnx";

pub fn load(ocr: OcrEngine, models: &Path, languages: &str) -> Result<Engine, Missing> {
    Engine::load(&WorkerLimits {
        memory: 1 << 30,
        pixels: LIMITS.pixels,
        seconds: 60,
        processor_seconds: 60,
        ocr,
        models: models.to_owned(),
        languages: languages.to_owned(),
        whisper: None,
        background: false,
        require_sandbox: false,
    })
}

pub fn engine() -> Option<Engine> {
    Some(load(OcrEngine::Paddle, &models::folder()?, "eng").unwrap())
}

fn ocr(engine: &mut Engine, image: &GrayImage) -> OcrResult {
    read(engine, Detectors::default(), &png(image), LIMITS, Duration::from_mins(2)).unwrap()
}

#[test]
fn reads_pages_of_every_kind() {
    let Some(mut engine) = engine() else { return };
    assert_reads_everything(&mut engine);
}

#[test]
fn places_the_lines_of_two_columns_one_after_the_other() {
    let Some(mut engine) = engine() else { return };
    let left = ["The first column speaks", "of tulips and of roses", "and of a small garden"];
    let right = ["The second column has", "a recipe for bread and", "needs no flour at all"];
    let columns: Vec<_> = left.iter().zip(right).map(|(left, right)| format!("{left:<40}{right}")).collect();
    let paper = Paper { font: "DejaVuSansMono", size: 18.0, ..PLAIN };
    let page = paper.draw(&columns.iter().map(String::as_str).collect::<Vec<_>>());
    let text = ocr(&mut engine, &page).located_text().text;
    assert_eq!(text, [left, right].concat().join("\n"));
}

#[test]
fn keeps_a_label_beside_its_value() {
    let Some(mut engine) = engine() else { return };
    let rows =
        ["Name                Jane Doe", "Passport            C01X00T47", "City                Lisbon"];
    let page = Paper { font: "DejaVuSansMono", size: 20.0, ..PLAIN }.draw(&rows);
    let text = ocr(&mut engine, &page).located_text().text;
    assert_eq!(text, "Name Jane Doe\nPassport C01X00T47\nCity Lisbon");
}

#[test]
fn the_area_of_a_word_covers_its_ink_and_no_other() {
    let Some(mut engine) = engine() else { return };
    for degrees in [0.0, 5.0, 90.0, 180.0] {
        let marked = "Please write to «jane.doe@example.com» before noon";
        let page = turned(&PLAIN.draw(&[marked]), degrees);
        let located = ocr(&mut engine, &page).located_text();
        let start = located.text.find("jane.doe").unwrap_or_else(|| panic!("{degrees}: {}", located.text));
        let redacted = redact(&png(&page), &located.areas(start..start + 20), LIMITS).unwrap();
        let redacted = image::load_from_memory(&redacted).unwrap().into_luma8();
        let (secret, other) = (turned(&PLAIN.draw_marked(&[marked]), degrees), page);
        let (mut hidden, mut ink, mut lost, mut rest) = (0, 0, 0, 0);
        for (x, y, shade) in other.enumerate_pixels().filter(|(_, _, shade)| shade.0[0] < 128) {
            let (is_secret, is_black) = (secret[(x, y)].0[0] < 128, redacted[(x, y)].0[0] == 0);
            let is_drawn_black = is_black && shade.0[0] != 0;
            ink += usize::from(is_secret);
            hidden += usize::from(is_secret && is_black);
            rest += usize::from(!is_secret);
            lost += usize::from(!is_secret && is_drawn_black);
        }
        assert!(hidden * 100 > ink * 97, "{degrees}: {hidden} of {ink}");
        // Boxes of sloping words are upright, so that they touch those of their neighbors.
        let most = if degrees % 90.0 == 0.0 { rest / 20 } else { rest / 4 };
        assert!(lost < most, "{degrees}: {lost} of {rest}");
    }
}

#[test]
fn reads_a_line_that_is_alone_on_a_large_page() {
    let Some(mut engine) = engine() else { return };
    for size in [22.0, 28.0, 40.0] {
        let line = Paper { size, ..PLAIN }.draw(&["Card 4111 1111 1111 1111"]);
        let mut page = GrayImage::from_pixel(1654, 2339, Luma([255]));
        image::imageops::replace(&mut page, &line, 200, 700);
        let result = ocr(&mut engine, &page);
        assert_eq!(result.located_text().text, "Card 4111 1111 1111 1111", "{size}");
        let area = result.lines[0][1].position;
        assert!(area.x > 200 && area.y > 700 && area.y < 800, "{area:?}");
    }
}

#[test]
fn a_page_without_text_has_no_words() {
    let Some(mut engine) = engine() else { return };
    for image in [
        GrayImage::from_pixel(400, 300, image::Luma([200])),
        GrayImage::from_fn(300, 300, |x, y| image::Luma([(x ^ y) as u8])),
        GrayImage::from_pixel(1, 1, image::Luma([0])),
        GrayImage::from_pixel(3000, 2, image::Luma([0])),
    ] {
        let result = ocr(&mut engine, &image);
        let text = result.located_text().text;
        assert!(text.chars().filter(|letter| letter.is_alphanumeric()).count() < 8, "{text}");
    }
}

#[test]
fn stops_at_the_time_limit() {
    let Some(mut engine) = engine() else { return };
    let page = PLAIN.draw(&["some words that take a while"; 30]);
    let result = read(&mut engine, Detectors::default(), &png(&page), LIMITS, Duration::from_millis(1));
    assert_eq!(result, Err(ImageError::TimedOut));
}

#[test]
fn missing_models_are_named_and_auto_prefers_tesseract_to_nothing() {
    let none = Path::new("/nonexistent");
    let missing = Missing::Models("ocr".to_owned());
    assert_eq!(load(OcrEngine::Paddle, none, "eng").err(), Some(missing.clone()));
    assert_eq!(missing.to_string(), "media.models has no models of ocr: run scripts/fetch-models FOLDER ocr");
    assert_eq!(load(OcrEngine::Auto, none, "xyz").err(), Some(missing));
    assert!(matches!(load(OcrEngine::Auto, none, "eng"), Ok(Engine::Tesseract(_))));
}

#[test]
fn auto_takes_the_networks_where_they_are() {
    let Some(folder) = models::folder() else { return };
    assert!(matches!(load(OcrEngine::Auto, &folder, "eng"), Ok(Engine::Paddle(_))));
    assert!(matches!(load(OcrEngine::Tesseract, &folder, "eng"), Ok(Engine::Tesseract(_))));
}

/// Returns the error of models whose files `change` changed.
fn error(change: impl Fn(&Path)) -> String {
    let source = models::folder().unwrap().join("ocr");
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("ocr");
    fs::create_dir(&copy).unwrap();
    for name in [DETECTOR, READER] {
        fs::copy(source.join(name), copy.join(name)).unwrap();
    }
    change(&copy);
    // A file that cannot be used is an error, also where another engine is installed.
    load(OcrEngine::Auto, folder.path(), "eng").err().unwrap().to_string()
}

#[test]
fn rejects_models_that_are_cut_short_or_something_else() {
    if models::folder().is_none() {
        return;
    }
    for share in [0, 1, 5, 9] {
        let error = error(|folder| {
            let file = fs::read(folder.join(READER)).unwrap();
            fs::write(folder.join(READER), &file[..file.len() * share / 10]).unwrap();
        });
        assert!(error.starts_with("media.models: PP-OCRv6_rec_small.onnx "), "{share}: {error}");
    }
    let swapped = error(|folder| {
        fs::copy(folder.join(READER), folder.join(DETECTOR)).unwrap();
    });
    assert!(swapped.starts_with("media.models: PP-OCRv6_det_small.onnx "), "{swapped}");
    let removed = error(|folder| fs::remove_file(folder.join(READER)).unwrap());
    assert_eq!(removed, Missing::Models("ocr".to_owned()).to_string());
}

#[test]
fn rejects_an_alphabet_that_does_not_fit_the_network() {
    if models::folder().is_none() {
        return;
    }
    let error = error(|folder| {
        let mut file = fs::read(folder.join(READER)).unwrap();
        // Two letters of the alphabet become one line.
        let at = file.windows(8).position(|bytes| bytes == b"!\n\"\n#\n$\n").unwrap();
        file[at + 1] = b'x';
        fs::write(folder.join(READER), file).unwrap();
    });
    assert!(
        error.starts_with("media.models: PP-OCRv6_rec_small.onnx has an alphabet of 18709 letters"),
        "{error}"
    );
}

#[test]
fn reads_small_print_and_umlauts() {
    let Some(mut engine) = engine() else { return };
    let lines = ["Grüße aus Köln, Straße 7", "Zażółć gęślą jaźń", "¿Mañana por la mañana?"];
    let text = ocr(&mut engine, &Paper { size: 22.0, ..PLAIN }.draw(&lines)).located_text().text;
    let words: Vec<_> = lines.iter().flat_map(|line| line.split(' ')).collect();
    assert!(share_read(&words, &text) > 0.7, "{text}");
    let small = ["Interest is charged at 4.5 percent a year", "on any balance that remains unpaid"];
    let text = ocr(&mut engine, &Paper { size: 11.0, ..PLAIN }.draw(&small)).located_text().text;
    let words: Vec<_> = small.iter().flat_map(|line| line.split(' ')).collect();
    assert!(share_read(&words, &text) > 0.9, "{text}");
}
