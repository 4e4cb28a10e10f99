//! Measurements of `docs/how-to/read-images-and-audio.md`: `make bench-media`.

use std::{path::Path, time::Duration};

use guardengine_media::{
    OcrEngine,
    image::{Detectors, Engine, read},
};
use guardengine_test_support::{
    models,
    page::{PLAIN, Paper, png},
};
use image::{GrayImage, Luma};
use rustix::time::{ClockId, clock_gettime};

use crate::{
    ocr::{LIMITS, engine, share_read},
    paddle,
};

const ENGINES: [&str; 2] = ["paddle", "tesseract"];

fn load(name: &str) -> Engine {
    if name == "tesseract" { engine() } else { paddle::engine().unwrap() }
}

/// Returns the processor time of this process in milliseconds.
fn processor_time() -> i64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}

/// Returns a screenshot of 1000 × 800 pixels with these lines.
fn screenshot(lines: &[&str]) -> GrayImage {
    let text = Paper { size: 16.0, ..PLAIN }.draw(lines);
    let mut screen = GrayImage::from_pixel(1000, 800, Luma([255]));
    image::imageops::replace(&mut screen, &text, 100, 0);
    screen
}

#[test]
#[ignore = "measurements for the documentation"]
fn time_of_a_screenshot() {
    let long = "The quick brown fox jumps over the lazy dog, invoice 2024-117 and 4711";
    let pages = [
        ("5 short lines", screenshot(&["Invoice 2024-117"; 5])),
        ("12 lines", screenshot(&[&long[..43]; 12])),
        ("26 long lines", screenshot(&[long; 26])),
    ];
    for name in ENGINES {
        let mut engine = load(name);
        for (what, page) in &pages {
            let before = processor_time();
            let result =
                read(&mut engine, Detectors::default(), &png(page), LIMITS, Duration::from_mins(5)).unwrap();
            let (time, words) = (processor_time() - before, result.lines.concat().len());
            println!("| {name} | {what} | {words} words | {time} ms |");
        }
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let memory = status.lines().filter(|line| line.starts_with("VmPeak") || line.starts_with("VmHWM"));
        println!("{}", memory.collect::<Vec<_>>().join(", "));
    }
}

const LANGUAGES: [(&str, &str); 9] = [
    ("English", "Please send the report to the whole team before Friday"),
    ("German", "Schöne Grüße aus Köln, die Größe ändert nichts an der Höhe"),
    ("French", "L'élève a reçu à Noël un garçon très gêné, où êtes-vous"),
    ("Polish", "Zażółć gęślą jaźń, proszę odesłać wiadomość jutro"),
    ("Czech", "Příliš žluťoučký kůň úpěl ďábelské ódy"),
    ("Turkish", "Şişli'de ığdır çiçeği için güzel bir gün"),
    ("Vietnamese", "Tôi muốn đặt một bàn cho bốn người vào tối thứ bảy"),
    ("Greek", "Παρακαλώ στείλτε την αναφορά σε όλη την ομάδα"),
    ("Russian", "Пожалуйста отправьте отчёт всей команде до пятницы"),
];

#[test]
#[ignore = "measurements for the documentation"]
fn words_of_other_languages() {
    let Some(folder) = models::folder() else { return };
    let mut engine = paddle::load(OcrEngine::Paddle, Path::new(&folder), "eng").unwrap();
    for (language, text) in LANGUAGES {
        let words: Vec<_> = text.split(' ').collect();
        let result = read(
            &mut engine,
            Detectors::default(),
            &png(&PLAIN.draw(&[text])),
            LIMITS,
            Duration::from_mins(1),
        )
        .unwrap();
        let read = result.located_text().text;
        println!("| {language} | {:.0} % | {read} |", share_read(&words, &read) * 100.0);
    }
}
