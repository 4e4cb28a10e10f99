//! Greedy decoding: the most likely token, one after the other, until the text ends.

use rten_simd::SimdOp as _;
use rten_vecmath::{MaxNum, SumExpSub};

use super::{
    decoder::{Decoder, Writing},
    repetition,
    vocabulary::Vocabulary,
};

/// Tokens of a text: half the positions of the decoder, as the others are for the text before.
pub const MAX_TOKENS: usize = 224;
/// Logit of a token that is never written.
const NEVER: f32 = -1e9;
/// A language that differs from that of the stretches before is accepted from this probability on.
const SURE_OF_LANGUAGE: f32 = 0.8;

/// A text with what is known about it.
#[derive(Debug)]
pub struct Decoded {
    /// Tokens of the text.
    pub tokens: Vec<u32>,
    /// For each token and the end, how much each alignment head reads of each state of the audio.
    pub attention: Vec<Vec<f32>>,
    /// Token of the language.
    pub language: u32,
    /// Probability that there is no speech.
    pub no_speech: f32,
    /// Mean logarithm of the tokens' probabilities.
    pub confidence: f32,
    /// False if the text was cut off.
    pub is_complete: bool,
}

/// Reaction to a text that repeats itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnLoop {
    /// Cut the text off.
    Stop,
    /// Go on with another token.
    Leave,
}

/// Settings for a text.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Language of the stretches before. Another one must be far more likely.
    pub language: Option<u32>,
    /// Longest text, of at most [`MAX_TOKENS`].
    pub max_tokens: usize,
    /// Reaction to a text that repeats itself.
    pub on_loop: OnLoop,
}

/// Decodes the states of the encoder to a text.
pub fn decode(decoder: &Decoder, vocabulary: &Vocabulary, audio: &[f32], task: Task) -> Decoded {
    let mut writing = decoder.write(audio);
    let mut logits = Vec::new();
    writing.push(vocabulary.start, |_, _| {});
    writing.logits(&mut logits);
    let no_speech = probability(&logits, vocabulary.no_speech);
    let languages: Vec<u32> = vocabulary.languages().collect();
    let language = language(&logits, &languages, task.language);
    writing.push(language, |_, _| {});
    writing.push(vocabulary.transcribe, |_, _| {});
    let mut decoded = Decoded {
        tokens: Vec::new(),
        attention: Vec::new(),
        language,
        no_speech,
        confidence: 0.0,
        is_complete: false,
    };
    decoded.attention.push(push(&mut writing, vocabulary, vocabulary.no_times));
    decoded.write_text(&mut writing, vocabulary, &mut logits, task);
    decoded
}

impl Decoded {
    fn write_text(
        &mut self,
        writing: &mut Writing<'_>,
        vocabulary: &Vocabulary,
        logits: &mut Vec<f32>,
        task: Task,
    ) {
        let mut sum = 0.0;
        while !self.is_complete && self.tokens.len() < task.max_tokens {
            writing.logits(logits);
            suppress(logits, vocabulary, self.tokens.is_empty());
            let (mut token, mut log_probability) = likeliest(logits);
            if task.on_loop == OnLoop::Leave && repetition::continues(&self.tokens, token) {
                logits[token as usize] = NEVER;
                (token, log_probability) = likeliest(logits);
            }
            sum += log_probability;
            self.is_complete = token == vocabulary.end;
            if !self.is_complete {
                self.tokens.push(token);
                self.attention.push(push(writing, vocabulary, token));
            }
            if task.on_loop == OnLoop::Stop && repetition::is_loop(&self.tokens) {
                break;
            }
        }
        self.confidence = sum / (self.tokens.len() + usize::from(self.is_complete)).max(1) as f32;
    }
}

/// Adds a token and returns what the alignment heads read, one after the other.
fn push(writing: &mut Writing<'_>, vocabulary: &Vocabulary, token: u32) -> Vec<f32> {
    let mut read = Vec::new();
    writing.push(token, |head, of_head| {
        if vocabulary.alignment.contains(&head) {
            read.extend_from_slice(of_head);
        }
    });
    read
}

fn suppress(logits: &mut [f32], vocabulary: &Vocabulary, is_first: bool) {
    let first = vocabulary.suppressed_first.iter().filter(|_| is_first);
    for token in vocabulary.suppressed.iter().chain(first) {
        logits[*token as usize] = NEVER;
    }
    // Languages, tasks and times are not text.
    logits[vocabulary.end as usize + 1..].fill(NEVER);
}

/// Returns the most likely token and the logarithm of its probability.
fn likeliest(logits: &[f32]) -> (u32, f32) {
    let greatest = MaxNum::new(logits).dispatch();
    let token = logits.iter().position(|logit| *logit == greatest).unwrap_or_default();
    (token as u32, -SumExpSub::new(logits, greatest).dispatch().ln())
}

fn probability(logits: &[f32], token: u32) -> f32 {
    let greatest = MaxNum::new(logits).dispatch();
    (logits[token as usize] - greatest).exp() / SumExpSub::new(logits, greatest).dispatch()
}

/// Returns the token of the language.
fn language(logits: &[f32], languages: &[u32], language_before: Option<u32>) -> u32 {
    let of_languages: Vec<f32> = languages.iter().map(|token| logits[*token as usize]).collect();
    let (place, log_probability) = likeliest(&of_languages);
    let detected = languages[place as usize];
    language_before.filter(|_| log_probability.exp() < SURE_OF_LANGUAGE).unwrap_or(detected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_token_comes_with_its_probability() {
        let logits = [0.0, 1.0, 3.0, NEVER, -2.0];
        let all: f32 = [0.0f32, 1.0, 3.0, -2.0].iter().map(|logit| logit.exp()).sum();
        let (token, log_probability) = likeliest(&logits);
        assert_eq!(token, 2);
        assert!((log_probability.exp() - 3.0f32.exp() / all).abs() < 1e-4, "{log_probability}");
        assert!((probability(&logits, 1) - 1.0f32.exp() / all).abs() < 1e-4);
        assert!(probability(&logits, 3) < 1e-6);
    }

    #[test]
    fn a_language_carries_over_unless_another_is_far_more_likely() {
        let languages = [1, 2];
        // Other tokens do not count.
        let (likely, sure) = ([9.0, 2.0, 1.0], [9.0, 2.0, 0.0]);
        assert_eq!(language(&likely, &languages, None), 1);
        assert_eq!(language(&likely, &languages, Some(2)), 2);
        assert_eq!(language(&sure, &languages, Some(2)), 1);
    }
}
