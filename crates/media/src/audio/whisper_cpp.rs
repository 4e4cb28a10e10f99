//! Transcription with whisper.cpp and the operator's model file, through `whisper-rs`.
//!
//! Whisper processes thirty seconds at a time. It receives segments of speech that are no longer, split at pauses:
//! words stay whole, silence costs no time, and Whisper does not invent text for it. The language is detected per
//! segment, so that a harmless start in one language does not garble speech in another.

use std::{collections::BTreeMap, path::Path};

use whisper_rs::{
    FullParams, SamplingStrategy, WhisperContext, WhisperContextParameters, WhisperState, get_lang_str,
    install_logging_hooks,
};

use super::{Audio, NotTranscribed, RATE, ggml_check, word_timings::WordTimings};
use crate::{TimeSpan, Transcript, Word, protocol::Missing};

/// Longest segment in samples: thirty seconds less the margins around speech.
const MAX_SEGMENT_SAMPLES: usize = RATE as usize * 29;

/// A model and the name of its file.
pub struct WhisperCpp {
    context: WhisperContext,
    name: String,
}

impl WhisperCpp {
    /// Loads a model file.
    pub fn load(file: &Path) -> Result<Self, Missing> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        ggml_check::check(file).map_err(|why| Missing::Model(format!("{name} {why}")))?;
        // Keeps whisper.cpp from printing to standard error.
        install_logging_hooks();
        let context = WhisperContext::new_with_params(file, WhisperContextParameters::default());
        let rejected = |_| Missing::Model(format!("{name} was rejected by whisper.cpp"));
        Ok(Self { context: context.map_err(rejected)?, name })
    }

    /// Transcribes audio. `progress` gets the seconds that are transcribed, again and again.
    pub fn transcribe(
        &self,
        audio: &Audio,
        progress: &mut dyn FnMut(f32),
    ) -> Result<Transcript, NotTranscribed> {
        let failed = |error| Missing::Model(format!("{}: whisper.cpp failed: {error}", self.name));
        // A new state for each file, so that no speech of one request affects the next.
        let mut state = self.context.create_state().map_err(failed)?;
        let mut transcript = Transcript { duration: audio.duration(), ..Transcript::default() };
        let mut languages: BTreeMap<&str, usize> = BTreeMap::new();
        audio.for_each_stretch(MAX_SEGMENT_SAMPLES, |range, samples| {
            let speech: Vec<_> = samples.iter().map(|sample| f32::from(*sample) / 32768.0).collect();
            state.full(self.parameters(), &speech).map_err(failed)?;
            let seconds = |samples: usize| samples as f32 / RATE as f32;
            let words = self.words(&state, seconds(range.start), seconds(range.len()));
            progress(seconds(range.end));
            *languages.entry(language(&state)).or_default() += range.len();
            transcript.utterances.extend((!words.is_empty()).then_some(words));
            Ok::<_, NotTranscribed>(())
        })?;
        let main = languages.into_iter().max_by_key(|(_, samples)| *samples);
        transcript.language = main.map(|(language, _)| language.to_owned());
        Ok(transcript)
    }

    /// Returns the decoding parameters: one thread, because workers run in parallel as processes, and one candidate,
    /// because more candidates multiply the processor time.
    fn parameters(&self) -> FullParams<'static, 'static> {
        let mut parameters = FullParams::new(SamplingStrategy::Greedy { best_of: 1 });
        parameters.set_n_threads(1);
        parameters.set_no_context(true);
        parameters.set_token_timestamps(true);
        parameters.set_print_progress(false);
        if self.context.is_multilingual() {
            // Detect the language.
            parameters.set_language(None);
        }
        parameters
    }

    /// Returns the words of the segment that starts at `start` and is `length` seconds long.
    fn words(&self, state: &WhisperState, start: f32, length: f32) -> Vec<Word<TimeSpan>> {
        // Tokens from here on are not text: ends, languages, times.
        let end_of_text = self.context.token_eot();
        let at = |hundredths: i64| start + (hundredths as f32 / 100.0).clamp(0.0, length);
        let mut timings = WordTimings::default();
        for segment in state.as_iter() {
            timings.end_word();
            let tokens = (0..segment.n_tokens()).filter_map(|index| segment.get_token(index));
            for token in tokens.filter(|token| token.token_id() < end_of_text) {
                let (text, data) = (token.to_bytes().unwrap_or_default(), token.token_data());
                timings.push(text, TimeSpan { start: at(data.t0), end: at(data.t1) });
            }
        }
        timings.words()
    }
}

/// Returns the detected language (ISO 639-1). Whisper's code differs only for Javanese.
fn language(state: &WhisperState) -> &'static str {
    match get_lang_str(state.full_lang_id_from_state()) {
        Some("jw") => "jv",
        code => code.unwrap_or("und"),
    }
}
