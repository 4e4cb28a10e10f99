//! Whisper (OpenAI, MIT license) in Rust: speech to text in many languages, with weights in eight bits.
//!
//! Audio is transcribed in stretches of speech of at most thirty seconds. They are cut at pauses, so that words stay whole
//! and silence costs nothing. The encoder reads only as much as a stretch is long instead of always thirty seconds. If the
//! text then repeats itself, the stretch is transcribed again with all of the context, and repetitions are cut off.

mod alignment;
mod decoder;
mod decoding;
mod encoder;
mod mel;
mod model_file;
mod repetition;
mod vocabulary;
mod weights;

use std::{
    collections::BTreeMap,
    ops::Range,
    path::{Path, PathBuf},
};

use self::{
    decoder::Decoder,
    decoding::{Decoded, MAX_TOKENS, OnLoop, Task, decode},
    encoder::{Encoder, FRAMES_PER_STATE},
    mel::{HOP, Spectrogram},
    model_file::{ModelFile, Reason},
    vocabulary::Vocabulary,
    weights::{AUDIO_POSITIONS, Shape},
};
use super::{Audio, RATE, Unreadable, word_timings::WordTimings};
use crate::{TimeSpan, Transcript, Word, protocol::Missing};

/// Name of the set of models, and of its folder.
const MODELS: &str = "speech";
/// File of the weights.
const MODEL_FILE: &str = "model.bin";
/// Longest stretch in samples: thirty seconds less the margins around speech.
const MAX_STRETCH: usize = RATE as usize * 29;
/// Samples of a state of the encoder.
const SAMPLES_PER_STATE: usize = HOP * FRAMES_PER_STATE;
/// States of the encoder beyond the stretch: the model was trained on audio that ends with silence.
const SPARE_STATES: usize = 128;
/// The number of states is rounded up to a multiple of this.
const STATES_STEP: usize = 64;
/// Tokens for each second, and for a stretch of none. Languages with few tokens of their own need the most.
const TOKENS_PER_SECOND: usize = 25;
const LEAST_TOKENS: usize = 32;
/// A text is dropped if there is probably no speech and the model is not sure of the words (`no_speech_threshold` and
/// `logprob_threshold` in OpenAI's `whisper/transcribe.py`).
const MAX_NO_SPEECH: f32 = 0.6;
const MIN_CONFIDENCE: f32 = -1.0;

/// The model.
pub struct Whisper {
    spectrogram: Spectrogram,
    encoder: Encoder,
    decoder: Decoder,
    vocabulary: Vocabulary,
}

impl Whisper {
    /// Returns the file of the weights below the folder of all models.
    pub fn model_file(models: &Path) -> PathBuf {
        models.join(MODELS).join(MODEL_FILE)
    }

    /// Loads the model below the folder of all models.
    pub fn load(models: &Path) -> Result<Self, Missing> {
        if !Self::model_file(models).exists() {
            return Err(Missing::Models(MODELS.to_owned()));
        }
        Self::read(&models.join(MODELS)).map_err(|reason| Missing::ModelFile(format!("{MODELS}/{reason}")))
    }

    fn read(folder: &Path) -> Result<Self, Reason> {
        let named = |reason: Reason| format!("{MODEL_FILE} {reason}");
        let mut file = ModelFile::open(&folder.join(MODEL_FILE)).map_err(named)?;
        let shape = Shape::of(&mut file).map_err(named)?;
        let vocabulary = Vocabulary::read(folder, shape.vocabulary)?;
        let decoder = Decoder::read(&mut file, shape).map_err(named)?;
        let heads = decoder.heads();
        if vocabulary.alignment.iter().any(|[layer, head]| *layer >= heads[0] || *head >= heads[1]) {
            return Err("config.json: alignment_heads: expected layers and heads of the decoder".to_owned());
        }
        let encoder = Encoder::read(&mut file, shape).map_err(named)?;
        Ok(Self { spectrogram: Spectrogram::new(shape.mels), encoder, decoder, vocabulary })
    }

    /// Transcribes audio. `progress` gets the seconds that are transcribed, again and again.
    pub fn transcribe(&self, audio: &Audio, progress: &mut dyn FnMut(f32)) -> Result<Transcript, Unreadable> {
        let mut transcript = Transcript { duration: audio.duration(), ..Transcript::default() };
        let mut languages: BTreeMap<u32, usize> = BTreeMap::new();
        let mut first_language = None;
        audio.for_each_stretch(MAX_STRETCH, |range, samples| {
            let decoded = self.decode(samples, first_language);
            let words = self.words(&decoded, &range);
            progress(range.end as f32 / RATE as f32);
            if words.is_empty() || is_silence(&decoded) {
                return Ok(());
            }
            first_language.get_or_insert(decoded.language);
            *languages.entry(decoded.language).or_default() += range.len();
            transcript.utterances.push(words);
            Ok::<_, Unreadable>(())
        })?;
        let main = languages.into_iter().max_by_key(|(_, samples)| *samples);
        transcript.language = main.and_then(|(token, _)| self.vocabulary.language(token)).map(str::to_owned);
        Ok(transcript)
    }

    /// Returns the text of a stretch.
    fn decode(&self, samples: &[i16], language: Option<u32>) -> Decoded {
        let max_tokens = (LEAST_TOKENS + TOKENS_PER_SECOND * samples.len() / RATE as usize).min(MAX_TOKENS);
        let attempt = |states: usize, on_loop: OnLoop| {
            let spectrogram = self.spectrogram.of(samples, states * FRAMES_PER_STATE);
            let audio = self.encoder.run(&spectrogram);
            decode(&self.decoder, &self.vocabulary, &audio, Task { language, max_tokens, on_loop })
        };
        let decoded = attempt(states(samples.len()), OnLoop::Stop);
        if decoded.is_complete { decoded } else { attempt(AUDIO_POSITIONS, OnLoop::Leave) }
    }

    /// Returns the words of a stretch with their times in the audio.
    fn words(&self, decoded: &Decoded, range: &Range<usize>) -> Vec<Word<TimeSpan>> {
        let times = alignment::token_times(&decoded.attention, self.vocabulary.alignment.len(), range.len());
        let start = range.start as f32 / RATE as f32;
        let mut timings = WordTimings::default();
        timings.end_word();
        for (token, span) in decoded.tokens.iter().zip(times.windows(2)) {
            let span = TimeSpan { start: start + span[0], end: start + span[1] };
            timings.push(self.vocabulary.bytes(*token), span);
        }
        timings.words()
    }
}

/// Returns how many states the encoder has for so many samples.
fn states(samples: usize) -> usize {
    (samples.div_ceil(SAMPLES_PER_STATE).next_multiple_of(STATES_STEP) + SPARE_STATES).min(AUDIO_POSITIONS)
}

fn is_silence(decoded: &Decoded) -> bool {
    decoded.no_speech > MAX_NO_SPEECH && decoded.confidence < MIN_CONFIDENCE
}

#[cfg(test)]
mod tests;
