//! False-positive rates of thresholds on plain traffic: suites in which every text should pass.

use serde::{Deserialize, Serialize};

/// Shares of plain texts for which a threshold is reported.
pub const SHARES: [f64; 8] = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1];

/// Thousandths by which a confidence of 32 bits may lie below the decimal that it stands for.
const ROUNDED: f64 = 1e-4;

/// A threshold and its false-positive rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// At most this share of the plain texts reaches the threshold.
    pub share: f64,
    /// The lowest such threshold, in thousandths; above 1 if too many texts have a confidence of 1.
    pub threshold: f64,
}

/// Returns the lowest threshold for each of [`SHARES`]; empty without texts. A text without a confidence counts as 0.
pub fn costs(mut confidences: Vec<f32>) -> Vec<Cost> {
    confidences.sort_unstable_by(|one, other| other.total_cmp(one));
    let cost = |share: f64| Some(Cost { share, threshold: lowest_threshold(&confidences, share)? });
    SHARES.into_iter().filter_map(cost).collect()
}

/// Returns the lowest threshold, in thousandths, that at most `share` of the texts reach; `None` without texts.
/// `confidences` must be sorted, the highest first.
pub(crate) fn lowest_threshold(confidences: &[f32], share: f64) -> Option<f64> {
    // `allowed` texts may trigger; the next one must not.
    let allowed = (share * confidences.len() as f64) as usize;
    let next = confidences.get(allowed).copied()?;
    Some(((f64::from(next) * 1e3 + ROUNDED).floor() + 1.0) / 1e3)
}

/// Returns the lowest threshold whose cost is within `budget`; `None` if even the highest exceeds it.
pub fn within(costs: &[Cost], budget: f64) -> Option<f64> {
    costs.iter().rev().find(|cost| cost.share <= budget).map(|cost| cost.threshold)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.000, 0.001, … 0.999.
    fn evenly() -> Vec<f32> {
        (0..1000_u16).map(|place| f32::from(place) / 1000.0).collect()
    }

    #[test]
    fn no_more_than_the_share_reaches_the_threshold_and_a_lower_one_costs_more() {
        for Cost { share, threshold } in costs(evenly()) {
            let reached =
                |at: f64| evenly().into_iter().filter(|one| f64::from(*one) >= at - 1e-6).count() as f64;
            assert!(reached(threshold) <= share * 1000.0, "{share} {threshold}");
            assert!(reached(threshold - 0.001) > share * 1000.0, "{share} {threshold}");
        }
    }

    #[test]
    fn a_budget_selects_the_lowest_threshold_within_it() {
        let costs = costs(evenly());
        assert_eq!(within(&costs, 0.01), Some(0.99));
        assert_eq!(within(&costs, 0.019), Some(0.99));
        assert_eq!(within(&costs, 0.5), Some(0.9));
        assert_eq!(within(&costs, 0.0001), None);
        assert_eq!(within(&[], 0.5), None);
    }
}
