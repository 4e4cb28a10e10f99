//! The `/audio/transcriptions` API of OpenAI, vLLM, whisper.cpp and others.
//!
//! Source: <https://platform.openai.com/docs/api-reference/audio/createTranscription>.

use guardengine_egress::{Request, join_path};
use guardengine_integrations::connectors::{OpenConnector, authorised};
use guardengine_media::{TimeSpan, Word};
use serde_json::Value;
use uuid::Uuid;

/// ISO 639-1 codes by the English names that the verbose format uses. Two-letter values are taken as codes.
const LANGUAGES: [(&str, &str); 12] = [
    ("english", "en"),
    ("german", "de"),
    ("french", "fr"),
    ("spanish", "es"),
    ("italian", "it"),
    ("portuguese", "pt"),
    ("dutch", "nl"),
    ("polish", "pl"),
    ("swedish", "sv"),
    ("russian", "ru"),
    ("chinese", "zh"),
    ("japanese", "ja"),
];

/// A transcript as the server returned it.
pub struct TranscriptionResponse {
    /// Text of the transcript.
    pub text: String,
    /// Words or segments with their times.
    pub words: Vec<Word<TimeSpan>>,
    /// Language (ISO 639-1).
    pub language: Option<String>,
}

/// Returns the request. If `verbose`, it asks for the times of words.
pub fn request(connector: &OpenConnector, wav: &[u8], verbose: bool) -> Request {
    let boundary = Uuid::now_v7().simple().to_string();
    let mut fields = vec![("model", connector.text("transcription_model"))];
    fields.push(("response_format", if verbose { "verbose_json" } else { "json" }));
    if verbose {
        fields.push(("timestamp_granularities[]", "word"));
        fields.push(("timestamp_granularities[]", "segment"));
    }
    let mut body = Vec::with_capacity(wav.len() + 1024);
    for (name, value) in fields {
        let field =
            format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        body.extend(field.as_bytes());
    }
    let file = "Content-Disposition: form-data; name=\"file\"; filename=\"recording.wav\"\r\nContent-Type: audio/wav";
    body.extend(format!("--{boundary}\r\n{file}\r\n\r\n").as_bytes());
    body.extend(wav);
    body.extend(format!("\r\n--{boundary}--\r\n").as_bytes());
    let url = join_path(connector.text("base_url"), &["audio", "transcriptions"]);
    let content_type = format!("multipart/form-data; boundary={boundary}");
    // The request changes nothing on the server, so it can be repeated.
    authorised(connector, Request::post_as(connector.stored.id, url, &content_type, body)).repeatable()
}

impl TranscriptionResponse {
    /// Parses a response for audio of `duration` seconds. Uses the times of words, else of segments, else the whole duration.
    pub fn parse(response: &Value, duration: f32) -> Option<Self> {
        let text = response["text"].as_str()?.trim().to_owned();
        let timed = |field: &str, name: &str| {
            let items = response[field].as_array().into_iter().flatten();
            items.filter_map(|item| word(item, name)).collect::<Vec<_>>()
        };
        let whole = || {
            let position = TimeSpan { start: 0.0, end: duration };
            vec![Word { text: text.clone(), position }]
        };
        let choices = [timed("words", "word"), timed("segments", "text"), whole()];
        let words = choices.into_iter().find(|words| !words.is_empty())?;
        Some(Self { language: response["language"].as_str().and_then(code), words, text })
    }
}

fn word(item: &Value, name: &str) -> Option<Word<TimeSpan>> {
    let seconds = |field: &str| item[field].as_f64().map(|seconds| seconds.max(0.0) as f32);
    let position = TimeSpan { start: seconds("start")?, end: seconds("end")? };
    Some(Word { text: item[name].as_str()?.to_owned(), position })
}

fn code(language: &str) -> Option<String> {
    let language = language.to_ascii_lowercase();
    let named = LANGUAGES.iter().find(|(name, _)| *name == language).map(|(_, code)| (*code).to_owned());
    named.or_else(|| (language.len() == 2).then_some(language))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parse(answer: &Value) -> (String, Vec<(String, f32)>, Option<String>) {
        let parsed = TranscriptionResponse::parse(answer, 9.0).unwrap();
        let words = parsed.words.into_iter().map(|word| (word.text, word.position.end)).collect();
        (parsed.text, words, parsed.language)
    }

    #[test]
    fn prefers_words_to_segments_to_the_whole_text() {
        let mut answer = json!({
            "text": " Hi there. ", "language": "english",
            "words": [{ "word": "Hi", "start": 0.0, "end": 0.5 }, { "word": "there", "start": 0.5, "end": 1.0 }],
            "segments": [{ "text": " Hi there.", "start": 0.0, "end": 1.5 }],
        });
        let text = "Hi there.".to_owned();
        let words = vec![("Hi".to_owned(), 0.5), ("there".to_owned(), 1.0)];
        assert_eq!(parse(&answer), (text.clone(), words, Some("en".to_owned())));
        answer["words"] = json!(null);
        assert_eq!(parse(&answer).1, [(" Hi there.".to_owned(), 1.5)]);
        assert_eq!(parse(&json!({ "text": "Hi there." })), (text.clone(), vec![(text, 9.0)], None));
    }

    #[test]
    fn refuses_a_response_without_text() {
        assert!(TranscriptionResponse::parse(&json!({ "error": "no" }), 1.0).is_none());
    }
}
