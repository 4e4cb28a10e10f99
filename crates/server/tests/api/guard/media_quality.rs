//! Measurements of `docs/how-to/read-images-and-audio.md`: `make bench-media`.

use guardengine_test_support::{
    page::{PLAIN, Paper, png, turned},
    transcript_score::{SENTENCES, VOICES, compared, words},
    voice::said,
};
use image::{GrayImage, Luma};
use reqwest::multipart::{Form, Part};
use serde_json::Value;

use crate::support::{TestService, send};

/// Synthetic pages. Personal data is between `«` and `»`.
const PAPERS: [&[&str]; 6] = [
    &[
        "Invoice 2024-117",
        "Bill to: «jane.doe@example.com»",
        "Phone: «+1 212 555 0187»",
        "Card: «4111 1111 1111 1111»",
        "Two boxes of tulip bulbs and one garden spade",
    ],
    &[
        "Account details for the refund",
        "IBAN «DE89 3704 0044 0532 0130 00»",
        "SSN: «536-90-4399»",
        "The refund arrives within five working days",
    ],
    &[
        "Server notes, please keep",
        "host «192.168.17.44» is the build machine",
        "write to «ops.team@example.org» when it stops",
        "restart it with the usual command and wait a minute",
    ],
    &[
        "Team chat, Monday morning",
        "call me at «(415) 555-0132» after lunch",
        "or mail «maria.gonzalez@example.net»",
        "the meeting room on the second floor is free",
    ],
    &[
        "Registration form",
        "Date of birth: «1984-07-23»",
        "Passport number: «C01X00T47»",
        "Favourite colour: green, favourite season: autumn",
    ],
    &["Shipping label", "Card number «5500 0055 5555 5559»", "Handle with care, this side up, keep dry"],
];

/// Name of a rendering and the function that draws it.
type Look = (&'static str, fn(Paper, &[&str], bool) -> GrayImage);

fn drawn(paper: Paper, lines: &[&str], marked: bool) -> GrayImage {
    if marked { paper.draw_marked(lines) } else { paper.draw(lines) }
}

/// Imitates a photo of a screen: light from one side, raster lines, noise.
fn photographed(page: &GrayImage) -> GrayImage {
    GrayImage::from_fn(page.width(), page.height(), |x, y| {
        let light = 1.0 - 0.45 * x as f32 / page.width() as f32;
        let raster = if (x + y) % 3 == 0 { 0.9 } else { 1.0 };
        let noise = ((x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(2_246_822_519))
            .wrapping_mul(3_266_489_917)
            >> 27) as f32;
        Luma([(f32::from(page[(x, y)].0[0]) * light * raster + noise - 16.0).clamp(0.0, 255.0) as u8])
    })
}

/// Adds a reflection of a lamp, which lightens the text below it.
fn with_glare(page: &GrayImage) -> GrayImage {
    let (width, height) = (page.width() as f32, page.height() as f32);
    GrayImage::from_fn(page.width(), page.height(), |x, y| {
        let (x, y, shade) = (x as f32 / width - 0.4, y as f32 / height - 0.45, page[(x, y)].0[0]);
        let strength = 0.8 * (-(x * x + y * y) * 12.0).exp();
        Luma([(f32::from(shade) * (1.0 - strength) + 255.0 * strength) as u8])
    })
}

/// Imitates a page that is photographed from below: the upper edge is shorter, and lines slope.
fn from_below(page: &GrayImage) -> GrayImage {
    let (width, height) = (page.width() as f32, page.height() as f32);
    GrayImage::from_fn(page.width(), (height * 1.1) as u32, |x, y| {
        let (x, y) = (x as f32 - width / 2.0, y as f32 / 1.1);
        let source = (x / (0.82 + 0.18 * y / height) + width / 2.0, y - x * 0.06);
        let is_inside = source.0 >= 0.0 && source.1 >= 0.0 && source.0 < width && source.1 < height;
        if is_inside { page[(source.0 as u32, source.1 as u32)] } else { page[(0, 0)] }
    })
}

/// Draws each line in a bubble of its own, left and right in turn.
fn in_bubbles(paper: Paper, lines: &[&str], marked: bool) -> GrayImage {
    let paper = Paper { ground: 242, size: 18.0, ..paper };
    let bubbles: Vec<_> = lines.iter().map(|line| drawn(paper, &[*line], marked)).collect();
    let height = bubbles.iter().map(|bubble| bubble.height() + 12).sum::<u32>() + 12;
    let width = bubbles.iter().map(GrayImage::width).max().unwrap_or(0) + 120;
    let mut page = GrayImage::from_pixel(width, height, Luma([255]));
    let mut top = 12;
    for (at, bubble) in bubbles.iter().enumerate() {
        let left = if at % 2 == 0 { 12 } else { width - bubble.width() - 12 };
        image::imageops::replace(&mut page, bubble, left.into(), top);
        top += i64::from(bubble.height()) + 12;
    }
    page
}

/// Draws the lines as rows of a table with rules, labels and values side by side.
fn in_table(paper: Paper, lines: &[&str], marked: bool) -> GrayImage {
    let paper = Paper { font: "DejaVuSansMono", size: 16.0, ..paper };
    let cells = |line: &&str| {
        let (label, value) = line.split_once(": ").unwrap_or((line, ""));
        // Marks are not drawn.
        let width = 24 + label.matches(['«', '»']).count();
        format!("{label:<width$}{value}")
    };
    let rows: Vec<_> = lines.iter().map(cells).collect();
    let mut page = drawn(paper, &rows.iter().map(String::as_str).collect::<Vec<_>>(), marked);
    if !marked {
        let step = paper.size * 1.7;
        for row in 0..=lines.len() {
            let y = (paper.size * 1.4 + row as f32 * step) as u32;
            (10..page.width() - 10).for_each(|x| page[(x, y)] = Luma([120]));
        }
    }
    page
}

const LOOKS: [Look; 16] = [
    ("plain, 28 px", drawn),
    ("small, 13 px", |paper, lines, marked| drawn(Paper { size: 13.0, ..paper }, lines, marked)),
    ("serif, 20 px", |paper, lines, marked| {
        drawn(Paper { font: "DejaVuSerif", size: 20.0, ..paper }, lines, marked)
    }),
    ("monospaced, 16 px", |paper, lines, marked| {
        drawn(Paper { font: "DejaVuSansMono", size: 16.0, ..paper }, lines, marked)
    }),
    ("dark mode", |paper, lines, marked| drawn(Paper { ground: 25, ink: 220, ..paper }, lines, marked)),
    ("little contrast", |paper, lines, marked| {
        drawn(Paper { ground: 200, ink: 165, ..paper }, lines, marked)
    }),
    ("sloping by 6°", |paper, lines, marked| turned(&drawn(paper, lines, marked), 6.0)),
    ("on its side", |paper, lines, marked| turned(&drawn(paper, lines, marked), 90.0)),
    ("upside down", |paper, lines, marked| turned(&drawn(paper, lines, marked), 180.0)),
    ("photo of a screen", |paper, lines, marked| {
        let page = turned(&drawn(paper, lines, marked), 2.5);
        if marked { page } else { photographed(&page) }
    }),
    ("small print, 11 px", |paper, lines, marked| drawn(Paper { size: 11.0, ..paper }, lines, marked)),
    ("dark terminal, 15 px", |_, lines, marked| {
        drawn(Paper { font: "DejaVuSansMono", size: 15.0, ground: 12, ink: 190 }, lines, marked)
    }),
    ("chat bubbles, 18 px", in_bubbles),
    ("table with rules, 16 px", in_table),
    ("glare", |paper, lines, marked| {
        let page = drawn(paper, lines, marked);
        if marked { page } else { with_glare(&page) }
    }),
    ("photographed from below", |paper, lines, marked| from_below(&drawn(paper, lines, marked))),
];

/// Returns the share of the ink that lies in the boxes.
fn covered(page: &GrayImage, boxes: &[Value]) -> f32 {
    let ground = page[(0, 0)].0[0];
    let ink = page.enumerate_pixels().filter(|(_, _, shade)| shade.0[0].abs_diff(ground) > 20);
    let places: Vec<_> = ink.map(|(x, y, _)| (u64::from(x), u64::from(y))).collect();
    let is_in = |(x, y): &&(u64, u64), area: &Value| {
        let edge = |name: &str| area[name].as_u64().unwrap();
        (edge("x")..edge("x") + edge("width")).contains(x)
            && (edge("y")..edge("y") + edge("height")).contains(y)
    };
    let inside = places.iter().filter(|place| boxes.iter().any(|area| is_in(place, area))).count();
    inside as f32 / places.len().max(1) as f32
}

/// Keeps the mark of the line `row` only. A line without a mark is marked as a whole.
fn only(lines: &[&str], row: usize) -> Vec<String> {
    let alone = |(at, line): (usize, &&str)| match (at == row, line.contains('«')) {
        (true, true) => (*line).to_owned(),
        (true, false) => format!("«{line}»"),
        (false, _) => line.replace(['«', '»'], ""),
    };
    lines.iter().enumerate().map(alone).collect()
}

#[tokio::test]
#[ignore = "measurements for the documentation"]
async fn images() {
    for engine in ["paddle", "tesseract"] {
        println!("## {engine}");
        measure_images(engine).await;
    }
}

async fn measure_images(engine: &str) {
    let service =
        TestService::with(&[("limits.default", "off"), ("media.ocr", engine), ("media.image_timeout", "2m")])
            .await;
    let token = service.owner().await;
    let (mut all_removed, mut all_personal, mut all_left, mut all_harmless) = (0, 0, 0, 0);
    for (name, look) in LOOKS {
        let (mut removed, mut personal, mut left, mut harmless) = (0, 0, 0, 0);
        for lines in PAPERS {
            let form =
                Form::new().part("file", Part::bytes(png(&look(PLAIN, lines, false))).file_name("a.png"));
            let answer = send(service.post("/v2/pii/mask_image").bearer_auth(&token).multipart(form)).await;
            let boxes = answer.body["boxes"].as_array().unwrap_or_else(|| panic!("{}", answer.body));
            for (row, line) in lines.iter().enumerate() {
                let is_personal = line.contains('«');
                let alone = only(lines, row);
                let alone: Vec<_> = alone.iter().map(String::as_str).collect();
                let share = covered(&look(PLAIN, &alone, true), boxes);
                if is_personal {
                    (removed, personal) = (removed + usize::from(share > 0.95), personal + 1);
                    if share <= 0.95 {
                        println!("    left: {line} ({share:.2})");
                    }
                } else {
                    (left, harmless) = (left + usize::from(share < 0.05), harmless + 1);
                    if share >= 0.05 {
                        println!("    removed: {line} ({share:.2})");
                    }
                }
            }
        }
        println!("| {name} | {removed} of {personal} | {left} of {harmless} |");
        (all_removed, all_personal) = (all_removed + removed, all_personal + personal);
        (all_left, all_harmless) = (all_left + left, all_harmless + harmless);
    }
    println!("| all | {all_removed} of {all_personal} | {all_left} of {all_harmless} |");
}

#[tokio::test]
#[ignore = "measurements for the documentation"]
async fn speech() {
    let service = TestService::with(&[("limits.default", "off")]).await;
    let token = service.owner().await;
    for voice in VOICES {
        let (mut all, mut found, mut wrong, mut stopped) = (0, 0, 0, Vec::new());
        for text in SENTENCES {
            let form = Form::new().part("file", Part::bytes(said(text, voice)).file_name("a.wav"));
            let answer =
                send(service.post("/v2/guardengine/analyze_audio").bearer_auth(&token).multipart(form)).await;
            let spoken = words(text);
            let (in_order, errors) = compared(&spoken, &words(&answer.text("transcript")));
            (all, found, wrong) = (all + spoken.len(), found + in_order, wrong + errors);
            stopped.push(if answer.text("overall_decision") == "block" { 'x' } else { '.' });
            println!("    {}", answer.text("transcript"));
        }
        let rate = 100.0 * wrong as f32 / all as f32;
        let stopped: String = stopped.iter().collect();
        println!("| {voice} | {found} of {all} words | {rate:.1} % wrong | {stopped} |");
    }
}
