//! Index of the selected shingles of the documents and their locations.

use super::words::Word;

/// Words in a shingle.
pub const SHINGLE: usize = 4;
/// Of so many consecutive shingles at least one is chosen: every shared run of SHINGLE + WINDOW - 1 words is seen.
pub const WINDOW: usize = 4;
/// Places kept of one shingle, so that documents that repeat themselves cost no more than others.
const PLACES: usize = 8;
/// Base of the rolling hash (Karp, Rabin 1987), modulo 2^64.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Fingerprints of documents: all their words, and chosen shingles in buckets by their hash.
#[derive(Clone, Debug)]
pub struct Index {
    /// The documents' words, one document after the other.
    pub words: Vec<u32>,
    // First word of each document, and the end.
    documents: Vec<usize>,
    // (hash, first word), sorted.
    places: Vec<(u32, u32)>,
    // First place of each bucket, and the end.
    buckets: Vec<u32>,
    shift: u32,
}

impl Index {
    /// The index of documents given as words.
    pub fn of(documents: impl Iterator<Item = Vec<Word>>) -> Self {
        let (mut words, mut starts, mut places) = (Vec::new(), vec![0], Vec::new());
        for document in documents {
            let first = words.len();
            words.extend(document.iter().map(|word| word.hash));
            let chosen = winnow(&shingles(&words[first..]));
            places.extend(chosen.into_iter().map(|(hash, at)| (hash, (first + at) as u32)));
            starts.push(words.len());
        }
        let places = few_of_each(places);
        let bits = places.len().next_power_of_two().ilog2().clamp(1, 20);
        let buckets = buckets(&places, bits);
        Self { words, documents: starts, places, buckets, shift: 32 - bits }
    }

    /// The bytes of the index.
    pub fn memory_usage(&self) -> usize {
        size_of_val(&*self.words)
            + size_of_val(&*self.documents)
            + size_of_val(&*self.places)
            + size_of_val(&*self.buckets)
    }

    /// Whether there is nothing to recognise.
    pub const fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The number of documents.
    pub const fn documents(&self) -> usize {
        self.documents.len() - 1
    }

    /// First words of the chosen shingles with that hash.
    pub fn places(&self, hash: u32) -> impl Iterator<Item = usize> {
        let bucket = (hash >> self.shift) as usize;
        let places = &self.places[self.buckets[bucket] as usize..self.buckets[bucket + 1] as usize];
        places.iter().filter(move |place| place.0 == hash).map(|place| place.1 as usize)
    }

    /// The document that the word at `place` belongs to: its index, first word and end.
    pub fn document(&self, place: usize) -> (usize, usize, usize) {
        let document = self.documents.partition_point(|start| *start <= place) - 1;
        (document, self.documents[document], self.documents[document + 1])
    }
}

fn few_of_each(mut places: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    places.sort_unstable();
    places.chunk_by(|a, b| a.0 == b.0).flat_map(|same| same.iter().take(PLACES)).copied().collect()
}

fn buckets(places: &[(u32, u32)], bits: u32) -> Vec<u32> {
    let first =
        |bucket: u64| places.partition_point(|place| u64::from(place.0) >> (32 - bits) < bucket) as u32;
    (0..=1 << bits).map(first).collect()
}

/// Hashes of every [`SHINGLE`] consecutive words.
pub fn shingles(words: &[u32]) -> Vec<u32> {
    let oldest = (0..SHINGLE).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let mut rolling = 0_u64;
    let mut hashes = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        rolling = rolling.wrapping_mul(BASE).wrapping_add(u64::from(*word) + 1);
        if at >= SHINGLE {
            let left = (u64::from(words[at - SHINGLE]) + 1).wrapping_mul(oldest);
            rolling = rolling.wrapping_sub(left);
        }
        if at + 1 >= SHINGLE {
            hashes.push(mixed(rolling));
        }
    }
    hashes
}

/// The middle bits of a hash whose every bit was spread (finaliser of MurmurHash3, Appleby).
const fn mixed(hash: u64) -> u32 {
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    ((hash ^ (hash >> 33)) >> 16) as u32
}

/// The least hash of every window, the rightmost among equals, with its place.
fn winnow(hashes: &[u32]) -> Vec<(u32, usize)> {
    let mut chosen: Vec<(u32, usize)> = Vec::new();
    for start in 0..=hashes.len().saturating_sub(WINDOW) {
        let window = &hashes[start..hashes.len().min(start + WINDOW)];
        let least = window.iter().enumerate().min_by_key(|(at, hash)| (**hash, usize::MAX - at));
        let least = least.map(|(at, hash)| (*hash, start + at));
        if least != chosen.last().copied() {
            chosen.extend(least);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn of_every_window_one_shingle_is_chosen(hashes in proptest::collection::vec(0_u32..50, 0..60)) {
            let chosen: Vec<usize> = winnow(&hashes).iter().map(|(_, at)| *at).collect();
            for window in 0..(hashes.len() + 1).saturating_sub(WINDOW) {
                prop_assert!(chosen.iter().any(|at| (window..window + WINDOW).contains(at)));
            }
        }

        #[test]
        fn a_shingle_hashes_alike_wherever_it_stands(before in proptest::collection::vec(any::<u32>(), 0..9)) {
            let mut words = before.clone();
            words.extend([1, 2, 3, 4]);
            prop_assert_eq!(shingles(&words).pop(), shingles(&[1, 2, 3, 4]).pop());
        }
    }
}
