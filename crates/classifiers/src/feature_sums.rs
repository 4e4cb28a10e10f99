//! Sums of feature weights over windows of a text, in one pass for any number of windows.

use guardengine_engine::span::Span;

use crate::{
    features::{Before, ROWS, inner},
    tokens::{Token, tokens},
};

/// Weights of a feature: one for each label, padded to the width of a register.
pub(crate) const LANES: usize = 16;

/// Weights of one feature, in units of each label's scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(16))]
pub(crate) struct Row(pub(crate) [i8; LANES]);

/// The weights of every feature.
pub(crate) type Rows = [Row; ROWS];

/// Sums of the weights of a text. Sums of two texts can be added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    lanes: [i32; LANES],
    features: u32,
}

impl Sums {
    /// Returns the value of a label: its sum divided by the root of the number of features, which keeps short and long texts
    /// on one scale. [`SMOOTHING`] features without weight limit the effect of a single word.
    pub fn value(&self, label: usize) -> f32 {
        self.lanes[label] as f32 / (self.features as f32 + SMOOTHING).sqrt()
    }

    /// Returns whether there are no features.
    pub fn is_empty(&self) -> bool {
        self.features == 0
    }

    /// Adds the sums of another text.
    pub fn add(&mut self, other: &Self) {
        for (lane, more) in self.lanes.iter_mut().zip(&other.lanes) {
            *lane += more;
        }
        self.features += other.features;
    }
}

/// Number of features without weight added to every text.
pub const SMOOTHING: f32 = 8.0;

/// Sums of one word, which has too few features to overflow 16 bits.
#[derive(Clone, Copy, Default)]
struct WordSums {
    lanes: [i16; LANES],
    features: u16,
}

impl WordSums {
    #[inline]
    fn add(&mut self, row: &Row) {
        for (lane, weight) in self.lanes.iter_mut().zip(&row.0) {
            *lane += i16::from(*weight);
        }
        self.features += 1;
    }
}

/// Cache for the sums of recent words: half the words of a text are repetitions.
struct WordCache {
    entries: Vec<(u64, WordSums)>,
}

impl WordCache {
    const ENTRIES: usize = 512;

    fn new() -> Self {
        Self { entries: vec![(0, WordSums::default()); Self::ENTRIES] }
    }

    #[inline]
    fn word(&mut self, rows: &Rows, token: &Token<'_>) -> &WordSums {
        let place = (token.hash >> 32) as usize % Self::ENTRIES;
        let entry = &mut self.entries[place];
        if entry.0 != token.hash {
            let mut sums = WordSums::default();
            inner(token, |row| sums.add(&rows[row as usize]));
            *entry = (token.hash, sums);
        }
        &entry.1
    }
}

/// The sums of each chunk of a text.
#[derive(Debug)]
pub struct ChunkSums<'c> {
    chunks: &'c [Span],
    sums: Vec<Sums>,
}

impl<'c> ChunkSums<'c> {
    /// Computes the sums of `text`, which the contiguous `chunks` cover. A token counts where it starts.
    pub(crate) fn new(rows: &Rows, text: &str, chunks: &'c [Span]) -> Self {
        let mut sums = vec![Sums::default(); chunks.len().max(1)];
        let (mut memory, mut before, mut current) = (WordCache::new(), Before::default(), 0);
        tokens(text, |token| {
            while chunks.get(current).is_some_and(|chunk| chunk.end <= token.start)
                && current + 1 < chunks.len()
            {
                current += 1;
            }
            let mut word = *memory.word(rows, &token);
            before.outer(&token, |row| word.add(&rows[row as usize]));
            take(&mut sums[current], &word);
        });
        Self { chunks, sums }
    }

    /// Returns the sums of the chunks that `window` covers.
    pub fn window(&self, window: Span) -> Sums {
        let first = self.chunks.partition_point(|chunk| chunk.end <= window.start);
        let last = self.chunks.partition_point(|chunk| chunk.start < window.end);
        add_up(&self.sums[first.min(last)..last])
    }

    /// Returns the sums of the whole text.
    pub fn whole(&self) -> Sums {
        add_up(&self.sums)
    }
}

#[inline]
fn take(sums: &mut Sums, word: &WordSums) {
    for (lane, more) in sums.lanes.iter_mut().zip(&word.lanes) {
        *lane += i32::from(*more);
    }
    sums.features += u32::from(word.features);
}

fn add_up(sums: &[Sums]) -> Sums {
    let mut total = Sums::default();
    for sum in sums {
        total.add(sum);
    }
    total
}
