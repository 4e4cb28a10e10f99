//! Texts that repeat themselves or consist of noise.

use crate::{
    rules::{RuleMatch, with_encoding},
    span::Span,
    text::View,
};

/// Bytes from which repetition can be a flood.
const LONG: usize = 1_000;
/// Share of a text that must be repetition or noise.
const MOST: f32 = 0.6;
/// Words of a phrase that is seen again.
const PHRASE: usize = 6;
/// Words after which a phrase that is seen again is a refrain and no repetition.
const RECENT: usize = 64;
/// Bytes without a blank that may be one character or syllable over and over.
const BLOCK: usize = 400;
/// Bytes of which entropy is measured at a time.
const SAMPLE: usize = 2_048;
/// Bits a byte (Shannon 1948) from which printable ASCII is noise: English has 4.2, minified code 5.4, base64 6.0, evenly
/// distributed printable characters 6.55.
const NOISE: f32 = 6.2;

/// What floods there are in `view`.
pub fn matches(view: &View<'_>) -> Vec<RuleMatch> {
    let text = &*view.text;
    if text.len() < LONG {
        return Vec::new();
    }
    let sign = |precision, what: &'static str| RuleMatch {
        precision,
        span: view.original(Span::new(0, text.len())),
        evidence: with_encoding(what, &view.transforms),
    };
    let repeated = is_repetitive(text).then(|| sign(0.75, "repeats the same over and over"));
    let noise = is_most(noise(text.as_bytes()), text).then(|| sign(0.7, "a flood of noise"));
    repeated.into_iter().chain(noise).collect()
}

fn is_most(bytes: usize, text: &str) -> bool {
    bytes >= LONG && bytes as f32 >= MOST * text.len() as f32
}

/// Whether words and phrases that were said shortly before make up most of `text`. Numbers and rules drawn with signs
/// do not count.
fn is_repetitive(text: &str) -> bool {
    let mut recent = Recent::default();
    let (mut repeated, mut fresh) = (0, 0);
    for word in text.split_ascii_whitespace() {
        match if word.len() >= BLOCK { periodic(word) } else { recent.again(word) } {
            0 => fresh += word.len() + 1,
            again => repeated += again,
        }
        // Prose is done with here, after two fifths of it.
        if !is_most((text.len() + 1).saturating_sub(fresh), text) {
            return false;
        }
    }
    is_most(repeated, text)
}

/// The phrases that were seen last.
struct Recent {
    words: [u64; PHRASE],
    // A rolling hash of `words` (Karp, Rabin 1987), modulo 2^64.
    phrase: u64,
    // By hash: the phrase and the number of its last word.
    seen: Vec<(u64, usize)>,
    count: usize,
}

impl Default for Recent {
    fn default() -> Self {
        Self { words: [0; PHRASE], phrase: 0, seen: vec![(0, 0); 1 << 9], count: 0 }
    }
}

const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

impl Recent {
    /// The bytes of `word` and its blank if it ends a phrase that was seen shortly before, else 0.
    fn again(&mut self, word: &str) -> usize {
        let newest = hash(word.as_bytes());
        let oldest = std::mem::replace(&mut self.words[self.count % PHRASE], newest);
        let left = oldest.wrapping_mul(BASE.wrapping_pow(PHRASE as u32));
        self.phrase = self.phrase.wrapping_mul(BASE).wrapping_add(newest).wrapping_sub(left);
        self.count += 1;
        let slot = (self.phrase >> 40) as usize % self.seen.len();
        let (last, at) = std::mem::replace(&mut self.seen[slot], (self.phrase, self.count));
        let is_again = last == self.phrase && self.count - at <= RECENT && word.contains(char::is_alphabetic);
        if is_again { word.len() + 1 } else { 0 }
    }
}

/// Equal for equal words; words of more than 16 bytes by their first and last eight.
fn hash(word: &[u8]) -> u64 {
    let ends = match (word.first_chunk::<8>(), word.last_chunk::<8>()) {
        (Some(first), Some(last)) => u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(29),
        _ => word.iter().fold(0, |all, byte| all << 8 | u64::from(*byte)),
    };
    (ends ^ word.len() as u64).wrapping_mul(BASE)
}

/// The length of `block` if one to twelve bytes make it up over and over, else 0.
fn periodic(block: &str) -> usize {
    let bytes = block.as_bytes();
    let equal = |period: usize| bytes[period..].iter().zip(bytes).filter(|(one, other)| one == other).count();
    let is_periodic = (1..=12).any(|period| equal(period) * 10 >= bytes.len() * 9);
    if is_periodic && block.contains(char::is_alphabetic) { bytes.len() } else { 0 }
}

/// Bytes in samples that look like evenly distributed printable ASCII.
fn noise(bytes: &[u8]) -> usize {
    bytes.chunks_exact(SAMPLE).filter(|sample| is_noise(sample)).map(<[u8]>::len).sum()
}

fn is_noise(sample: &[u8]) -> bool {
    // Prose has a blank in every six bytes, and is done with here.
    if sample.iter().filter(|byte| **byte <= b' ').count() * 20 > sample.len() {
        return false;
    }
    let mut counts = [0_u16; 256];
    for byte in sample {
        counts[usize::from(*byte)] += 1;
    }
    let graphic = counts[0x21..0x7f].iter().map(|count| usize::from(*count)).sum::<usize>();
    graphic * 20 >= sample.len() * 19 && entropy(&counts) >= NOISE
}

fn entropy(counts: &[u16; 256]) -> f32 {
    let total = SAMPLE as f32;
    let shares = counts.iter().filter(|count| **count > 0).map(|count| f32::from(*count) / total);
    shares.map(|share| -share * share.log2()).sum()
}
