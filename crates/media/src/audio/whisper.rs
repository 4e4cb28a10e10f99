//! whisper.cpp with a model file of the operator's, through `whisper-rs`.
//!
//! Whisper hears thirty seconds at a time. It is given stretches of speech that are no longer, cut at pauses, so that no
//! word is torn, silence costs nothing, and nothing is made up for it; each in the language that it is found to be in, so
//! that a harmless beginning in one language does not spoil what is said in another.

use std::{collections::BTreeMap, path::Path};

use whisper_rs::{
    FullParams, SamplingStrategy, WhisperContext, WhisperContextParameters, WhisperState, get_lang_str,
    install_logging_hooks,
};

use super::{RATE, cut, duration, ggml_check, word_timings::WordTimings};
use crate::{Heard, Moment, Word, protocol::Missing};

/// Samples of a stretch, at most: whisper's thirty seconds, less what is kept around speech.
const LONGEST: usize = RATE as usize * 29;

/// A model with its file's name.
pub struct Whisper {
    context: WhisperContext,
    name: String,
}

impl Whisper {
    /// The model of a file.
    pub fn load(file: &Path) -> Result<Self, Missing> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        ggml_check::check(file).map_err(|why| Missing::Model(format!("{name} {why}")))?;
        // Whatever it would print, nobody reads.
        install_logging_hooks();
        let context = WhisperContext::new_with_params(file, WhisperContextParameters::default());
        let refused = |_| Missing::Model(format!("{name} is taken for no model by whisper.cpp"));
        Ok(Self { context: context.map_err(refused)?, name })
    }

    /// What is heard in samples of 16 kHz.
    pub fn heard(&mut self, samples: &[i16]) -> Result<Heard, Missing> {
        let failed = |fault| Missing::Model(format!("{}: whisper.cpp failed: {fault}", self.name));
        // Made anew for each recording: nothing that was said in one is left for the next.
        let mut state = self.context.create_state().map_err(failed)?;
        let mut heard = Heard { duration: duration(samples), ..Heard::default() };
        let mut languages: BTreeMap<&str, usize> = BTreeMap::new();
        for range in cut::stretches(samples, LONGEST) {
            let stretch: Vec<_> =
                samples[range.clone()].iter().map(|one| f32::from(*one) / 32768.0).collect();
            state.full(self.parameters(), &stretch).map_err(failed)?;
            let words =
                self.words(&state, range.start as f32 / RATE as f32, duration(&samples[range.clone()]));
            *languages.entry(language(&state)).or_default() += range.len();
            heard.utterances.extend((!words.is_empty()).then_some(words));
        }
        let most = languages.into_iter().max_by_key(|(_, samples)| *samples);
        heard.language = most.map(|(language, _)| language.to_owned());
        Ok(heard)
    }

    /// One thread, as the processes are what runs side by side; one candidate for a text, as several take several times
    /// the processor.
    fn parameters(&self) -> FullParams<'static, 'static> {
        let mut parameters = FullParams::new(SamplingStrategy::Greedy { best_of: 1 });
        parameters.set_n_threads(1);
        parameters.set_no_context(true);
        parameters.set_token_timestamps(true);
        parameters.set_print_progress(false);
        if self.context.is_multilingual() {
            // Whichever it is found to be.
            parameters.set_language(None);
        }
        parameters
    }

    /// The words of a stretch that begins, and lasts, so many seconds.
    fn words(&self, state: &WhisperState, start: f32, length: f32) -> Vec<Word<Moment>> {
        // From here on tokens are no text: ends, languages, times.
        let end_of_text = self.context.token_eot();
        let at = |hundredths: i64| start + (hundredths as f32 / 100.0).clamp(0.0, length);
        let mut pieces = WordTimings::default();
        for segment in state.as_iter() {
            pieces.end_word();
            let tokens = (0..segment.n_tokens()).filter_map(|index| segment.get_token(index));
            for token in tokens.filter(|token| token.token_id() < end_of_text) {
                let (text, data) = (token.to_bytes().unwrap_or_default(), token.token_data());
                pieces.push(text, Moment { start: at(data.t0), end: at(data.t1) });
            }
        }
        pieces.words()
    }
}

/// ISO 639-1. Whisper has a code of its own for Javanese alone.
fn language(state: &WhisperState) -> &'static str {
    match get_lang_str(state.full_lang_id_from_state()) {
        Some("jw") => "jv",
        code => code.unwrap_or("und"),
    }
}
