//! Maps bytes of a view to the original.

use crate::span::Span;

/// Bytes of a view, from `at` to the next run, with their source `from..to` in the previous text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    at: u32,
    from: u32,
    to: u32,
    /// Whether bytes correspond one by one; otherwise all of them come from all of `from..to`.
    exact: bool,
}

/// Map from bytes of a view to bytes of the original, in runs. Texts have at most 4 GiB.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffsetMap {
    // Ascending by `at`; empty for the identity.
    runs: Vec<Run>,
}

impl OffsetMap {
    /// Returns the map of a view that equals the original.
    pub const fn identity() -> Self {
        Self { runs: Vec::new() }
    }

    /// Returns the smallest original span that contains the source of the bytes `span` of the view.
    pub fn original(&self, span: Span) -> Span {
        if self.runs.is_empty() {
            return span;
        }
        let first = self.runs.partition_point(|run| run.at as usize <= span.start).saturating_sub(1);
        let further = self.runs.iter().enumerate().skip(first + 1);
        let further = further.take_while(|(_, run)| (run.at as usize) < span.end);
        further.fold(self.piece(first, span), |cover, (index, _)| cover.cover(self.piece(index, span)))
    }

    /// Returns the source of the part of `span` that lies in one run.
    fn piece(&self, index: usize, span: Span) -> Span {
        let run = self.runs[index];
        let (at, from, to) = (run.at as usize, run.from as usize, run.to as usize);
        if !run.exact {
            return if span.is_empty() { Span::new(from, from) } else { Span::new(from, to) };
        }
        let end = self.runs.get(index + 1).map_or(usize::MAX, |next| next.at as usize).min(span.end);
        let start = (from + span.start.saturating_sub(at)).min(to);
        Span::new(start, (from + end.saturating_sub(at)).clamp(start, to))
    }

    /// Adds the source of the bytes of the view from `at` on; `exact` if bytes correspond one by one.
    pub(super) fn push(&mut self, at: usize, from: Span, exact: bool) {
        let run = Run { at: at as u32, from: from.start as u32, to: from.end as u32, exact };
        match self.runs.last_mut() {
            Some(last) if exact && last.exact && last.to == run.from && last.reaches(run.at) => {
                last.to = run.to;
            }
            _ => self.runs.push(run),
        }
    }

    /// Appends the runs of a text that starts at byte `at` of the view.
    pub(super) fn append(&mut self, later: Self, at: usize) {
        self.runs.extend(later.runs.into_iter().map(|run| Run { at: run.at + at as u32, ..run }));
    }

    /// Composes this map with `base`, the map of the view below.
    #[must_use]
    pub(super) fn over(self, base: &Self) -> Self {
        if base.runs.is_empty() {
            return self;
        }
        let mut composed = Self::identity();
        for run in &self.runs {
            if run.exact {
                base.split(run, &mut composed);
            } else {
                composed.push(
                    run.at as usize,
                    base.original(Span::new(run.from as usize, run.to as usize)),
                    false,
                );
            }
        }
        composed
    }

    /// Maps an exact run of the view above through the runs below it.
    fn split(&self, above: &Run, composed: &mut Self) {
        let whole = Span::new(above.from as usize, above.to as usize);
        let first = self.runs.partition_point(|run| run.at <= above.from).saturating_sub(1);
        for index in first..self.runs.len() {
            let start = whole.start.max(self.runs[index].at as usize);
            if start >= whole.end && index > first {
                break;
            }
            let next = self.runs.get(index + 1).map_or(usize::MAX, |next| next.at as usize);
            let from = self.piece(index, Span::new(start, whole.end.min(next)));
            composed.push(above.at as usize + start - whole.start, from, self.runs[index].exact);
        }
    }
}

impl Run {
    /// Whether an exact run of this length ends at byte `at` of the view.
    const fn reaches(&self, at: u32) -> bool {
        self.at + (self.to - self.from) == at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_run_maps_byte_for_byte_and_a_block_maps_as_a_whole() {
        let mut map = OffsetMap::identity();
        map.push(0, Span::new(10, 14), true);
        map.push(4, Span::new(20, 26), false);
        assert_eq!(map.original(Span::new(1, 3)), Span::new(11, 13));
        assert_eq!(map.original(Span::new(5, 6)), Span::new(20, 26));
        assert_eq!(map.original(Span::new(3, 5)), Span::new(13, 26));
    }

    #[test]
    fn a_payload_inside_a_cleaned_view_maps_to_the_original() {
        let mut below = OffsetMap::identity();
        below.push(0, Span::new(0, 5), true);
        below.push(5, Span::new(8, 20), true);
        let mut above = OffsetMap::identity();
        above.push(0, Span::new(3, 7), false);
        above.push(1, Span::new(4, 9), true);
        let composed = above.over(&below);
        assert_eq!(composed.original(Span::new(0, 1)), Span::new(3, 10));
        assert_eq!(composed.original(Span::new(1, 2)), Span::new(4, 5));
        assert_eq!(composed.original(Span::new(2, 3)), Span::new(8, 9));
        assert_eq!(composed.original(Span::new(1, 3)), Span::new(4, 9));
    }

    #[test]
    fn a_view_that_runs_backwards_maps_to_what_its_bytes_cover() {
        let mut map = OffsetMap::identity();
        for at in 0..5 {
            map.push(at, Span::new(4 - at, 5 - at), false);
        }
        assert_eq!(map.original(Span::new(1, 4)), Span::new(1, 4));
    }
}
