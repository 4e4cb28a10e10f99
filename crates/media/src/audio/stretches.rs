//! Stretches of audio that is decoded chunk by chunk: only the samples from the start of the next stretch on are kept.

use std::{collections::VecDeque, ops::Range};

/// Collects the samples of ranges.
pub struct Stretches {
    /// Ranges to come, in the order of their ends.
    ranges: VecDeque<Range<usize>>,
    kept: Vec<i16>,
    /// Place of the first kept sample.
    from: usize,
}

impl Stretches {
    /// Creates a collector of these ranges, which are in the order of their starts and of their ends.
    pub fn new(ranges: Vec<Range<usize>>) -> Self {
        Self { ranges: ranges.into(), kept: Vec::new(), from: 0 }
    }

    /// Returns true if every range was complete.
    pub fn is_done(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Continues with these samples, and calls `take` for each range that they complete.
    pub fn push<E>(
        &mut self,
        samples: &[i16],
        mut take: impl FnMut(Range<usize>, &[i16]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.kept.extend_from_slice(samples);
        while let Some(range) = self.ranges.front().cloned() {
            if self.from + self.kept.len() < range.end {
                break;
            }
            self.ranges.pop_front();
            let place = range.start - self.from..range.end - self.from;
            take(range, &self.kept[place])?;
            self.forget();
        }
        self.forget();
        Ok(())
    }

    /// Drops the samples before the next range.
    fn forget(&mut self) {
        let end = self.from + self.kept.len();
        let next = self.ranges.front().map_or(end, |range| range.start).clamp(self.from, end);
        self.kept.drain(..next - self.from);
        self.from = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_of_any_length_make_the_same_stretches() {
        let samples: Vec<i16> = (0..1000).collect();
        let ranges = vec![0..10, 5..30, 400..401, 990..1000];
        for length in [1, 3, 64, 1000] {
            let (mut stretches, mut taken, mut most) = (Stretches::new(ranges.clone()), Vec::new(), 0);
            for chunk in samples.chunks(length) {
                let take = |range: Range<usize>, found: &[i16]| {
                    assert_eq!(found, &samples[range.clone()]);
                    taken.push(range);
                    Ok::<_, ()>(())
                };
                stretches.push(chunk, take).unwrap();
                most = most.max(stretches.kept.len());
            }
            assert_eq!(taken, ranges);
            assert!(stretches.is_done() && most <= 25 + length, "{most}");
        }
    }

    #[test]
    fn an_error_ends_the_stretches() {
        let mut stretches = Stretches::new(vec![0..2, 2..4]);
        assert_eq!(stretches.push(&[1; 4], |_, _| Err("no")), Err("no"));
    }
}
