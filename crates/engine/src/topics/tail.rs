//! The upper tail of the scores of harmless texts.

/// Share of the scores from which the tail begins.
const TAIL: f32 = 0.1;
/// Least number of scores of a tail.
const LEAST: usize = 8;

/// The tail of scores: above its begin, the share of scores that are higher falls exponentially. A few dozen scores so
/// give the score that one text in some hundreds has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tail {
    begin: f32,
    /// Share of the scores above the begin.
    share: f32,
    /// Mean distance of these from it.
    mean: f32,
}

impl Tail {
    /// Fits the tail of these scores. `None` if they are too few.
    pub fn of(mut scores: Vec<f32>) -> Option<Self> {
        let count = LEAST.max((scores.len() as f32 * TAIL) as usize);
        let begin = scores.len().checked_sub(count + 1)?;
        scores.sort_unstable_by(f32::total_cmp);
        let above = &scores[begin + 1..];
        let mean = above.iter().map(|score| score - scores[begin]).sum::<f32>() / count as f32;
        let share = count as f32 / scores.len() as f32;
        Some(Self { begin: scores[begin], share, mean: mean.max(f32::EPSILON) })
    }

    /// Returns the score that this share of texts exceeds, or the begin of the tail if the share is larger.
    pub fn exceeded_by(self, share: f32) -> f32 {
        self.begin + self.mean * (self.share / share).ln().max(0.0)
    }

    /// Returns the share of texts that exceed a score. Below the tail it is counted among `scores`.
    pub fn share_above(self, score: f32, scores: impl ExactSizeIterator<Item = f32>) -> f32 {
        if score > self.begin {
            return self.share * ((self.begin - score) / self.mean).exp();
        }
        let all = scores.len().max(1) as f32;
        scores.filter(|one| *one >= score).count() as f32 / all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores that fall exponentially: the share above `x` is `exp(-x)`.
    fn exponential(count: usize) -> Vec<f32> {
        (0..count).map(|at| -(1.0 - (at as f32 + 0.5) / count as f32).ln()).collect()
    }

    #[test]
    fn a_tail_gives_scores_that_are_rarer_than_any_it_was_fitted_to() {
        let tail = Tail::of(exponential(200)).unwrap();
        let score = tail.exceeded_by(0.001);
        assert!((score - 0.001_f32.ln().abs()).abs() < 0.3, "{score}");
        let share = tail.share_above(score, std::iter::empty());
        assert!((share - 0.001).abs() < 1e-5, "{share}");
    }

    #[test]
    fn below_the_tail_scores_are_counted() {
        let scores = exponential(200);
        let tail = Tail::of(scores.clone()).unwrap();
        let share = |score| tail.share_above(score, scores.iter().copied());
        assert_eq!([share(f32::NEG_INFINITY), share(f32::INFINITY)], [1.0, 0.0]);
        assert!((share(0.5_f32.ln().abs()) - 0.5).abs() < 0.01);
    }

    #[test]
    fn too_few_scores_have_no_tail() {
        assert!(Tail::of(vec![0.0; 8]).is_none());
        assert!(Tail::of(vec![0.0; 9]).is_some());
    }
}
