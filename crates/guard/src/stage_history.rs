//! Times of the newest requests by stage, for operators.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use serde::Serialize;
use utoipa::ToSchema;

use crate::timing::{STAGES, StageTimings};

/// Requests that are remembered.
const REMEMBERED: usize = 1_000;

/// The times of the newest requests of this replica.
#[derive(Debug, Default)]
pub struct StageHistory(Mutex<VecDeque<StageTimings>>);

/// Times of one stage over the newest requests that went through it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct StageLatency {
    /// `policy`, `media`, `waiting`, `reading`, `scores`, `opinion`, `verdict` or `upstream`.
    pub stage: &'static str,
    /// Number of requests that went through it.
    pub requests: usize,
    /// Median in milliseconds.
    pub p50_ms: f64,
    /// 95th percentile in milliseconds.
    pub p95_ms: f64,
    /// 99th percentile in milliseconds.
    pub p99_ms: f64,
}

impl StageHistory {
    /// Remembers the times of a request.
    pub fn remember(&self, timings: StageTimings) {
        let mut newest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if newest.len() == REMEMBERED {
            newest.pop_front();
        }
        newest.push_back(timings);
    }

    /// Returns the times of every stage that a remembered request went through.
    pub fn latencies(&self) -> Vec<StageLatency> {
        let newest = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let of_stage = |(name, stage)| {
            let times = newest.iter().map(|timings| timings.of(stage)).filter(|time| !time.is_zero());
            latency(name, times.collect())
        };
        STAGES.into_iter().filter_map(of_stage).collect()
    }
}

fn latency(stage: &'static str, mut times: Vec<Duration>) -> Option<StageLatency> {
    times.sort_unstable();
    // The smallest time that this share of the requests did not exceed.
    let percentile = |percent: usize| {
        let rank = (times.len() * percent).div_ceil(100).max(1);
        times.get(rank - 1).map(|time| time.as_micros() as f64 / 1e3)
    };
    Some(StageLatency {
        stage,
        requests: times.len(),
        p50_ms: percentile(50)?,
        p95_ms: percentile(95)?,
        p99_ms: percentile(99)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::Stage;

    #[test]
    fn percentiles_cover_the_newest_requests_by_stage() {
        let history = StageHistory::default();
        assert_eq!(history.latencies(), []);
        for millis in
            (1..=100).chain(std::iter::repeat_n(5_000, REMEMBERED - 100)).chain(1..=REMEMBERED as u64)
        {
            let mut timings = StageTimings::default();
            timings.add(Stage::Scores, Duration::from_millis(millis));
            history.remember(timings);
        }
        let expected = StageLatency {
            stage: "scores",
            requests: REMEMBERED,
            p50_ms: 500.0,
            p95_ms: 950.0,
            p99_ms: 990.0,
        };
        assert_eq!(history.latencies(), [expected]);
    }
}
