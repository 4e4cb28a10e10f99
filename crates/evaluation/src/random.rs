//! Seeded pseudorandom numbers, the same on every machine and in every version.

/// A generator of pseudorandom numbers (SplitMix64; Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates a generator.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Creates a generator for one item of a run, so that its numbers do not depend on the other items. The name is
    /// hashed with FNV-1a.
    pub fn for_item(seed: u64, name: &str) -> Self {
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(seed ^ name.bytes().fold(0xcbf2_9ce4_8422_2325, hash))
    }

    /// Returns the next number.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `bound`, which must not be zero. The bias is below `bound` / 2^32.
    pub const fn below(&mut self, bound: usize) -> usize {
        (((self.next_u64() >> 32) * bound as u64) >> 32) as usize
    }

    /// Returns true in `percent` of a hundred calls.
    pub const fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns one of `items`, which must not be empty.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[self.below(items.len())]
    }

    /// Puts `items` in a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_published_algorithm() {
        let mut random = Random::new(1_234_567);
        let first: Vec<_> = (0..3).map(|_| random.next_u64()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn a_shuffle_keeps_every_item_and_follows_the_seed() {
        let shuffled = |seed| {
            let mut items: Vec<_> = (0..20).collect();
            Random::new(seed).shuffle(&mut items);
            items
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        let mut sorted = shuffled(3);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..20).collect::<Vec<_>>());
    }

    #[test]
    fn items_have_numbers_of_their_own() {
        let first = |name| Random::for_item(7, name).next_u64();
        assert_eq!(first("a"), first("a"));
        assert_ne!(first("a"), first("b"));
    }
}
