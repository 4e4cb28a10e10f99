//! Latency buckets of two significant digits: 0, 1, … 99, 100, 110, … 990, 1000, 1100, … milliseconds.
//!
//! A percentile is the upper bound of its bucket, so that it is never too low, and too high by less than 10 %.

/// Returns the upper bound of the bucket of a latency, both in milliseconds.
pub fn bucket(ms: i64) -> i64 {
    let ms = ms.max(0);
    let mut step = 1;
    while ms > step * 99 {
        step *= 10;
    }
    (ms + step - 1) / step * step
}

/// Returns the latency that `share` of the responses did not exceed. `buckets` are upper bounds with counts, in ascending
/// order. Returns `None` without any response.
pub fn percentile(buckets: &[(i64, i64)], share: f64) -> Option<i64> {
    let total: i64 = buckets.iter().map(|(_, count)| count).sum();
    let rank = ((total as f64 * share).ceil() as i64).max(1);
    let mut seen = 0;
    let reaches = |(_, count): &&(i64, i64)| {
        seen += count;
        seen >= rank
    };
    buckets.iter().find(reaches).map(|(bound, _)| *bound)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_bound_is_never_too_low_and_less_than_ten_percent_too_high(ms in 0_i64..100_000_000) {
            let bound = bucket(ms);
            prop_assert!(bound >= ms && (bound - ms) * 10 < ms.max(1) * 10 && (bound - ms) * 10 <= ms);
            prop_assert_eq!(bucket(bound), bound);
        }
    }

    #[test]
    fn percentiles_are_bounds_of_buckets() {
        let buckets = [(1, 90), (7, 9), (250, 1)];
        let of = |share| percentile(&buckets, share);
        assert_eq!([of(0.5), of(0.9), of(0.95), of(0.99), of(1.0)], [1, 1, 7, 7, 250].map(Some));
        assert_eq!(percentile(&[], 0.5), None);
    }
}
