//! Image redaction: `POST /v2/pii/mask_image`, with the programs that `scripts/install-deps test` installs.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use guardengine_test_support::{
    drawn_face::portrait,
    models,
    page::{PLAIN, png},
};
use image::{DynamicImage, Rgb, RgbImage, imageops};
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::support::{Response, TestService, send};

const PATH: &str = "/v2/pii/mask_image";
const LINES: [&str; 3] =
    ["Booking for the garden party", "Mail: jane.doe@example.com", "Card 4111 1111 1111 1111"];

fn form(file: Vec<u8>) -> Form {
    Form::new().part("file", Part::bytes(file).file_name("image.png"))
}

async fn masked(service: &TestService, token: &str, form: Form) -> Response {
    send(service.post(PATH).bearer_auth(token).multipart(form)).await
}

fn kinds(answer: &Response) -> Vec<&str> {
    answer.body["pii_found"].as_array().unwrap().iter().filter_map(Value::as_str).collect()
}

#[tokio::test]
async fn personal_data_is_redacted_and_logged() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let before = service.get(&token, "/api/credits").await.body["balance"].as_i64().unwrap();
    let answer = masked(&service, &token, form(png(&PLAIN.draw(&LINES)))).await;
    assert_eq!((answer.status, kinds(&answer)), (200, vec!["email", "credit_card"]), "{}", answer.body);
    assert_eq!(answer.body["boxes"][0]["page"], 1);

    let again = BASE64_STANDARD.decode(answer.text("image")).unwrap();
    let again = masked(&service, &token, form(again)).await;
    assert_eq!((kinds(&again), &again.body["boxes"]), (vec![], &json!([])));

    let row = service.get(&token, &format!("/api/logs/{}", answer.text("log_id"))).await;
    assert_eq!(row.text("endpoint"), "mask_image");
    assert_eq!((&row.body["decision"], &row.body["credits"]), (&json!("mask"), &json!(2)));
    let text = row.text("text");
    assert!(
        text.contains("garden party") && text.contains("[EMAIL_REDACTED]") && !text.contains("jane"),
        "{text}"
    );
    let credits = service.get(&token, "/api/credits").await;
    assert_eq!(
        (&credits.body["balance"], &credits.body["ledger"][0]["operation"]),
        (&json!(before - 4), &json!("image"))
    );
}

#[tokio::test]
async fn the_image_itself_is_returned_on_request() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let page = PLAIN.draw(&LINES);
    let request =
        service.post(PATH).bearer_auth(&token).header("Accept", "image/png").multipart(form(png(&page)));
    let response = request.send().await.unwrap();
    assert_eq!(
        (response.status().as_u16(), &response.headers()["content-type"]),
        (200, &"image/png".parse().unwrap())
    );
    let redacted = image::load_from_memory(&response.bytes().await.unwrap()).unwrap();
    assert_eq!((redacted.width(), redacted.height()), page.dimensions());
}

#[tokio::test]
async fn the_pii_types_of_the_policy_apply() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let policy =
        json!({ "policyName": "mail", "guardrails": [{ "guardrail": "pii", "pii_kinds": ["email"] }] });
    let project = service.project_with(&token, &policy).await;
    let answer = masked(&service, &token, form(png(&PLAIN.draw(&LINES))).text("projectId", project)).await;
    assert_eq!(kinds(&answer), ["email"]);
}

/// Returns a badge with a drawn portrait.
fn badge() -> Vec<u8> {
    let text = DynamicImage::from(PLAIN.draw(&["Visitor badge"])).into_rgb8();
    let mut badge = RgbImage::from_pixel(text.width().max(400), text.height() + 300, Rgb([255; 3]));
    imageops::replace(&mut badge, &text, 0, 0);
    imageops::replace(&mut badge, &portrait(100), 100, i64::from(text.height()) + 80);
    let mut file = std::io::Cursor::new(Vec::new());
    badge.write_to(&mut file, image::ImageFormat::Png).unwrap();
    file.into_inner()
}

#[tokio::test]
async fn faces_are_redacted_where_a_policy_names_them() {
    if models::folder().is_none() {
        return;
    }
    let service = TestService::start().await;
    let token = service.owner().await;
    assert_eq!(kinds(&masked(&service, &token, form(badge())).await), [""; 0]);
    let policy = json!({ "policyName": "faces", "guardrails": [
        { "guardrail": "pii", "pii_kinds": ["face"], "pii_masking_enabled": true }] });
    let project = service.project_with(&token, &policy).await;
    let answer = masked(&service, &token, form(badge()).text("projectId", project.clone())).await;
    assert_eq!(kinds(&answer), ["face"], "{}", answer.body);
    let row = service.get(&token, &format!("/api/logs/{}", answer.text("log_id"))).await;
    assert!(row.text("text").ends_with("[FACE_REDACTED]"), "{}", row.body);
    let again = BASE64_STANDARD.decode(answer.text("image")).unwrap();
    let again = masked(&service, &token, form(again).text("projectId", project.clone())).await;
    assert_eq!(again.body["boxes"], json!([]));

    let body =
        json!({ "prompt": "Who is it?", "projectId": project, "images": [BASE64_STANDARD.encode(badge())] });
    let analyzed = service.post_json(&token, "/v2/guardengine/svc_firewall_analyze", &body).await;
    assert_eq!(analyzed.text("action"), "mask", "{}", analyzed.body);
    assert_eq!(analyzed.body["triggered_guardrails"][0]["evidence"], json!(["face"]));
}

#[tokio::test]
async fn invalid_images_are_refused_and_free() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let refused = async |form: Form, detail: &str| masked(&service, &token, form).await.refuses(422, detail);
    refused(Form::new().text("projectId", "1"), "field required: file").await;
    let accepted = "file: must be a PNG, JPEG or WebP image, or a PDF of one page";
    refused(form(b"hello".to_vec()), accepted).await;
    let whole = png(&PLAIN.draw(&LINES));
    refused(form(whole[..whole.len() / 2].to_vec()), "file: the image is damaged").await;
    refused(form(b"%PDF-1.4 nothing".to_vec()), "file: the PDF is damaged or encrypted").await;
    let bad_id = form(whole.clone()).text("projectId", "1");
    refused(bad_id, "invalid UUID format: projectId").await;
    let service = TestService::with(&[("media.max_pixels", "1000")]).await;
    let token = service.owner().await;
    let reported = masked(&service, &token, form(whole)).await.text("detail");
    assert!(reported.ends_with("pixels; at most 1000 are accepted"), "{reported}");
    assert_eq!(service.charges(&token).await, 0);
}

#[tokio::test]
async fn an_image_costs_its_price() {
    let service = TestService::with(&[("credits.initial", "1")]).await;
    let token = service.owner().await;
    let answer = masked(&service, &token, form(png(&PLAIN.draw(&LINES)))).await;
    answer.refuses(403, "insufficient credits: image needs 2, balance is 1");
}
