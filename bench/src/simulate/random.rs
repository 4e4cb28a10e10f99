//! Pseudorandom numbers that are the same in every run.

/// Vigna's SplitMix64 (<https://prng.di.unimi.it/splitmix64.c>).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns an exponentially distributed number with this mean, by inversion.
    pub fn exponential(&mut self, mean: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        // Greater than zero, so that its logarithm is finite.
        let uniform = (((mixed ^ (mixed >> 31)) >> 11) + 1) as f64 / (1_u64 << 53) as f64;
        (-uniform.ln() * mean as f64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_as_requested_and_runs_are_identical() {
        let sum = |seed| {
            let mut random = Random::new(seed);
            (0..100_000).map(|_| random.exponential(1_000)).sum::<u64>()
        };
        assert!((99_000_000..101_000_000).contains(&sum(1)));
        assert_eq!(sum(7), sum(7));
        assert_ne!(sum(7), sum(8));
    }
}
