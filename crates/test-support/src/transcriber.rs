//! A transcription server with the API of OpenAI.

use serde_json::{Value, json};

use crate::fake_server::FakeServer;

/// Path below which the connector calls the server.
pub const TRANSCRIPTIONS: &str = "/v1/audio/transcriptions";

/// Starts a server that transcribes every file as `text`. `words` are the words with their start in seconds; each lasts
/// 0.25 seconds.
pub async fn start(text: &str, words: &[(&str, f64)]) -> FakeServer {
    let words: Vec<Value> = words
        .iter()
        .map(|(word, start)| json!({ "word": word, "start": start, "end": start + 0.25 }))
        .collect();
    let transcript = json!({ "text": text, "language": "english", "words": words });
    FakeServer::start(move |request| match request.path.as_str() {
        TRANSCRIPTIONS => (200, transcript.clone()),
        _ => (200, json!({ "data": [{ "id": "whisper-1" }] })),
    })
    .await
}
