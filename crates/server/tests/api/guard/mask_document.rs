//! Masking of documents: `POST /v2/pii/mask_document`.

use std::io::Read as _;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use guardengine_test_support::{
    documents::{Beside, Line, docx, paragraph, pdf, xlsx, zip},
    drawn_face::portrait,
    drawn_skin::ellipses,
    models,
    page::{PLAIN, png},
};
use image::{ImageFormat, Rgb, RgbImage, imageops};
use reqwest::multipart::{Form, Part};
use serde_json::json;

use crate::support::{Response, TestService, send};

const PATH: &str = "/v2/pii/mask_document";
const CARD: &str = "4111 1111 1111 1111";

fn form(name: &str, file: Vec<u8>) -> Form {
    Form::new().part("file", Part::bytes(file).file_name(name.to_owned()))
}

async fn masked(service: &TestService, token: &str, form: Form) -> Response {
    send(service.post(PATH).bearer_auth(token).header("Accept", "application/json").multipart(form)).await
}

fn file(answer: &Response) -> Vec<u8> {
    BASE64_STANDARD.decode(answer.text("file")).unwrap()
}

#[tokio::test]
async fn a_document_is_masked_and_logged() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let parts = [(
        "word/comments.xml",
        format!("<w:comments>{}</w:comments>", paragraph(&["Mail jane.doe@example.com"])),
    )];
    let document = docx(&paragraph(&["Card 4111 1111", " 1111 1111"]), &parts);
    let answer = masked(&service, &token, form("a.docx", document)).await;
    assert_eq!(
        (answer.status, &answer.body["pii_found"]),
        (200, &json!(["credit_card", "email"])),
        "{}",
        answer.body
    );
    let finding = json!({ "kind": "credit_card", "page": null, "start": 5, "end": 24, "role": "body" });
    assert_eq!(answer.body["findings"][0], finding);
    assert_eq!(answer.body["findings"][1]["role"], "comment");
    assert_eq!(answer.body["unread"], 0);

    let again = masked(&service, &token, form("a.docx", file(&answer))).await;
    let text = "Card [CREDIT_CARD_REDACTED]\n\nMail [EMAIL_REDACTED]";
    assert_eq!((&again.body["findings"], again.text("text")), (&json!([]), text.to_owned()));

    let row = service.get(&token, &format!("/api/logs/{}", answer.text("log_id"))).await;
    assert_eq!((row.text("endpoint"), row.text("text")), ("mask_document".to_owned(), text.to_owned()));
    assert_eq!((&row.body["decision"], &row.body["credits"]), (&json!("mask"), &json!(1)));
    let credits = service.get(&token, "/api/credits").await;
    assert_eq!(credits.body["ledger"][0]["operation"], "mask");
}

#[tokio::test]
async fn the_file_itself_is_returned_in_its_format() {
    let service = TestService::start().await;
    let token = service.owner().await;
    for (name, document, media_type) in [
        ("a.csv", format!("name,card\nAnn,{CARD}\n").into_bytes(), "text/csv"),
        ("a.json", format!("{{\"card\":\"{CARD}\"}}").into_bytes(), "application/json"),
        ("a.html", format!("<html><p>{CARD}</p></html>").into_bytes(), "text/html"),
        (
            "a.eml",
            format!("From: a@b.example\r\nSubject: x\r\n\r\nCard {CARD}\r\n").into_bytes(),
            "message/rfc822",
        ),
        ("a.pdf", pdf(&[&[Line::visible(CARD)]], Beside::default()), "application/pdf"),
    ] {
        let response =
            service.post(PATH).bearer_auth(&token).multipart(form(name, document)).send().await.unwrap();
        assert_eq!(response.status().as_u16(), 200, "{name}");
        assert_eq!(response.headers()["content-type"], media_type);
        let bytes = response.bytes().await.unwrap();
        assert!(!bytes.is_empty() && !String::from_utf8_lossy(&bytes).contains("1111"), "{name}");
    }
}

#[tokio::test]
async fn columns_give_their_cells_a_meaning() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let document = xlsx(&[&["Name", "SSN"], &["Ann Miller", "219-09-9999"]], &[]);
    let answer = masked(&service, &token, form("a.xlsx", document).text("strategy", "partial")).await;
    assert!(answer.body["pii_found"].as_array().unwrap().contains(&json!("us_ssn")), "{}", answer.body);
    assert_eq!(answer.body["findings"][0]["page"], 1);
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(file(&answer))).unwrap();
    let mut strings = String::new();
    archive.by_name("xl/sharedStrings.xml").unwrap().read_to_string(&mut strings).unwrap();
    assert!(strings.contains("9999") && !strings.contains("219-09"), "{strings}");
}

#[tokio::test]
async fn invalid_documents_are_refused_and_free() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let refused = async |form: Form, detail: &str| masked(&service, &token, form).await.refuses(422, detail);
    refused(Form::new().text("projectId", "1"), "field required: file").await;
    let accepted = "file: must be PDF, DOCX, XLSX, PPTX, HTML, EML, ZIP, TXT, CSV or JSON";
    refused(form("a.bin", b"\x00\x01".to_vec()), accepted).await;
    let wrong = "file: the name ends as that of a PDF file, but the file is DOCX";
    refused(form("a.pdf", docx(&paragraph(&["x"]), &[])), wrong).await;
    refused(form("a.pdf", b"%PDF-1.4 nothing".to_vec()), "file: the PDF is damaged").await;
    let mut pages = Vec::new();
    pages.resize(51, &[][..]);
    let long = "file: the PDF has 51 pages; at most 50 are read while the caller waits";
    refused(form("a.pdf", pdf(&pages, Beside::default())), long).await;
    assert_eq!(service.charges(&token).await, 0);
}

#[tokio::test]
async fn a_document_costs_its_text() {
    let service = TestService::with(&[("credits.unit", "10"), ("credits.initial", "2")]).await;
    let token = service.owner().await;
    let short = masked(&service, &token, form("a.txt", b"short".to_vec())).await;
    assert_eq!(short.status, 200);
    let long = masked(&service, &token, form("a.txt", b"more than ten letters".to_vec())).await;
    long.refuses(403, "insufficient credits: mask needs 3, balance is 1");
}

#[tokio::test]
async fn images_in_documents_are_redacted() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let image = png(&PLAIN.draw(&["Booking for the garden party", &format!("Card {CARD}")]));
    let parts = docx(&paragraph(&["See the image."]), &[]);
    let archive = zip(&[("contract.docx", &parts), ("scan.png", &image)]);
    let answer = masked(&service, &token, form("a.zip", archive)).await;
    assert_eq!((answer.status, &answer.body["pii_found"]), (200, &json!(["credit_card"])), "{}", answer.body);
    assert_eq!((&answer.body["findings"][0]["role"], &answer.body["unread"]), (&json!("image"), &json!(0)));
    let row = service.get(&token, &format!("/api/logs/{}", answer.text("log_id"))).await;
    assert_eq!(row.body["credits"], 3);
    let again = masked(&service, &token, form("a.zip", file(&answer))).await;
    let text = again.text("text");
    assert_eq!(again.body["findings"], json!([]), "{text}");
    assert!(text.contains("garden party") && text.contains("See the image."), "{text}");
}

#[tokio::test]
async fn scanned_pages_are_read_and_redacted() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let lines =
        [Line::visible("Booking for the garden party"), Line::visible("Write to jane.doe@example.com")];
    let scanned = masked(&service, &token, form("a.pdf", pdf(&[&lines], Beside::default()))).await;
    assert_eq!(scanned.body["pii_found"], json!(["email"]), "{}", scanned.body);
    let read = masked(&service, &token, form("a.pdf", file(&scanned))).await;
    let text = read.text("text");
    assert!(text.contains("garden party") && !text.contains("jane"), "{text}");

    let card = format!("Card {CARD}");
    let account = Line::visible("Account DE89 3704 0044 0532 0130 00");
    let page = [Line::visible(&card), lines[0], Line { size: 18.0, ..account }];
    let cards = json!({ "policyName": "cards",
        "guardrails": [{ "guardrail": "pii", "pii_kinds": ["credit_card"] }] });
    let project = service.project_with(&token, &cards).await;
    let upload = form("a.pdf", pdf(&[&page], Beside::default())).text("projectId", project);
    let scan = masked(&service, &token, upload).await;
    let redacted = masked(&service, &token, form("a.pdf", file(&scan))).await;
    assert_eq!(redacted.body["pii_found"], json!(["iban"]), "{}", redacted.body["text"]);
    let finding = &redacted.body["findings"][0];
    assert_eq!((&finding["page"], &finding["role"]), (&json!(1), &json!("image")));
    let again = masked(&service, &token, form("a.pdf", file(&redacted))).await;
    assert_eq!(again.body["findings"], json!([]), "{}", again.body["text"]);
    assert!(again.text("text").contains("garden party"), "{}", again.body["text"]);
}

fn encoded(image: &RgbImage) -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    image.write_to(&mut file, ImageFormat::Png).unwrap();
    file.into_inner()
}

#[tokio::test]
async fn images_in_documents_are_looked_at_as_the_policy_asks() {
    if models::folder().is_none() {
        return;
    }
    let service = TestService::start().await;
    let token = service.owner().await;
    let mut badge = RgbImage::from_pixel(400, 300, Rgb([255, 255, 255]));
    imageops::replace(&mut badge, &portrait(120), 140, 90);
    let badges = zip(&[("badge.png", &encoded(&badge)), ("a.txt", b"Visitors")]);
    let faces = json!({ "policyName": "faces", "guardrails": [
        { "guardrail": "pii", "pii_kinds": ["face"], "pii_masking_enabled": true }] });
    let faces = service.project_with(&token, &faces).await;
    let upload = form("a.zip", badges.clone()).text("projectId", faces.clone());
    let answer = masked(&service, &token, upload).await;
    assert_eq!(answer.body["pii_found"], json!(["face"]), "{}", answer.body);
    let again = form("a.zip", file(&answer)).text("projectId", faces);
    assert_eq!(masked(&service, &token, again).await.body["findings"], json!([]));
    let unasked = masked(&service, &token, form("a.zip", badges)).await;
    assert_eq!(unasked.body["pii_found"], json!([]), "{}", unasked.body);

    let nsfw = json!({ "policyName": "images", "guardrails": [{ "guardrail": "nsfw", "nsfw_images": true, "applies_to": ["documents"] }] });
    let nsfw = service.project_with(&token, &nsfw).await;
    let decided = async |image: &RgbImage| {
        let data = BASE64_STANDARD.encode(zip(&[("a.png", &encoded(image)), ("a.txt", b"Visitors")]));
        let body = json!({ "prompt": "Summarize.", "projectId": nsfw, "documents": [{ "data": data }] });
        service.post_json(&token, "/v2/guardengine/svc_firewall_analyze", &body).await
    };
    let blocked = decided(&ellipses(300)).await;
    assert_eq!(blocked.text("action"), "block", "{}", blocked.body);
    let found = &blocked.body["triggered_guardrails"][0];
    assert_eq!((&found["evidence"], &found["spans"][0]["document"]), (&json!(["image"]), &json!(0)));
    assert_eq!(decided(&badge).await.text("action"), "allow");
}
