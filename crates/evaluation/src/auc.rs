//! Separation of positives and negatives by confidence, independent of a threshold.

/// Returns the area under the ROC curve: the probability that a positive scores higher than a negative, ties counted
/// half (Mann and Whitney 1947). `None` without positives or without negatives.
pub fn auc(positives: &[f32], negatives: &[f32]) -> Option<f64> {
    if positives.is_empty() || negatives.is_empty() {
        return None;
    }
    let sorted = sorted(negatives);
    let below = |positive: &f32| {
        let less = sorted.partition_point(|negative| negative < positive);
        let not_more = sorted.partition_point(|negative| negative <= positive);
        (less + not_more) as f64 / 2.0
    };
    let won: f64 = positives.iter().map(below).sum();
    Some(won / (positives.len() as f64 * negatives.len() as f64))
}

/// Returns the lowest confidence that at most `share` of `negatives` exceed.
pub fn threshold_at(negatives: &[f32], share: f64) -> Option<f32> {
    let sorted = sorted(negatives);
    let allowed = (share * sorted.len() as f64).floor() as usize;
    let place = sorted.len().checked_sub(allowed + 1)?;
    Some(sorted[place])
}

/// Returns the share of `positives` above the confidence that at most `share` of `negatives` exceed.
pub fn recall_at(positives: &[f32], negatives: &[f32], share: f64) -> Option<f64> {
    if positives.is_empty() {
        return None;
    }
    let threshold = threshold_at(negatives, share)?;
    let found = positives.iter().filter(|positive| **positive > threshold).count();
    Some(found as f64 / positives.len() as f64)
}

fn sorted(values: &[f32]) -> Vec<f32> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auc_counts_pairs_won_and_half_of_ties() {
        // Of the six pairs 0.9 wins three, 0.4 wins one (over 0.1) and ties one.
        assert_eq!(auc(&[0.9, 0.4], &[0.1, 0.4, 0.6]), Some(4.5 / 6.0));
    }

    #[test]
    fn auc_needs_both_kinds() {
        assert_eq!(auc(&[0.9], &[]), None);
        assert_eq!(auc(&[], &[0.9]), None);
    }

    #[test]
    fn recall_is_taken_where_the_share_of_false_positives_allows() {
        let negatives: Vec<f32> = (0..100).map(|n| n as f32 / 100.0).collect();
        // One of a hundred may exceed the threshold, so it is 0.98; five, and it is 0.94; none, and it is 0.99.
        assert_eq!(threshold_at(&negatives, 0.01), Some(0.98));
        assert_eq!(recall_at(&[0.985, 0.95, 0.5, 0.99], &negatives, 0.01), Some(0.5));
        assert_eq!(recall_at(&[0.985, 0.95, 0.5, 0.99], &negatives, 0.05), Some(0.75));
        assert_eq!(recall_at(&[0.985, 0.95, 0.5, 0.99], &negatives, 0.005), Some(0.0));
    }

    #[test]
    fn no_negatives_no_threshold() {
        assert_eq!(threshold_at(&[], 0.01), None);
    }
}
