//! Time spent on each stage of a call, for its log entry.

use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

/// The stages of a call, in their order. Writing the log entry is not a stage, because entries are written in batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Looking up the project, its policy, the balance and the keys.
    Policy,
    /// Reading images and audio.
    Media,
    /// Waiting for a processor.
    Waiting,
    /// Building views of the text and finding PII.
    Reading,
    /// Computing learned scores.
    Scores,
    /// Waiting for a second opinion.
    Opinion,
    /// Running detectors, deciding and masking.
    Verdict,
    /// Waiting for the model behind the gateway. Not part of the processing time.
    Upstream,
}

/// The stages with their names, in their order.
pub const STAGES: [(&str, Stage); 8] = [
    ("policy", Stage::Policy),
    ("media", Stage::Media),
    ("waiting", Stage::Waiting),
    ("reading", Stage::Reading),
    ("scores", Stage::Scores),
    ("opinion", Stage::Opinion),
    ("verdict", Stage::Verdict),
    ("upstream", Stage::Upstream),
];

/// Time spent on each stage so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimings([Duration; STAGES.len()]);

impl StageTimings {
    /// Name of the stage in which guardrails run.
    pub const OF_GUARDRAILS: &str = "verdict";

    /// Adds time to a stage.
    pub const fn add(&mut self, stage: Stage, time: Duration) {
        self.0[stage as usize] = self.0[stage as usize].saturating_add(time);
    }

    /// Adds times that were measured elsewhere.
    pub fn include(&mut self, elsewhere: &Self) {
        for (sum, part) in self.0.iter_mut().zip(elsewhere.0) {
            *sum = sum.saturating_add(part);
        }
    }

    /// Returns the time spent on a stage.
    pub const fn of(&self, stage: Stage) -> Duration {
        self.0[stage as usize]
    }

    /// Returns the sum over all stages.
    pub fn total(&self) -> Duration {
        self.0.iter().sum()
    }

    /// Iterates over the stages that took time, with their names, in their order.
    pub fn stages(&self) -> impl Iterator<Item = (&'static str, Duration)> {
        let stages = STAGES.into_iter().map(|(name, stage)| (name, self.0[stage as usize]));
        stages.filter(|(_, took)| !took.is_zero())
    }

    /// Returns `[["stage",milliseconds],…]` with microsecond precision, without stages that took no time.
    pub fn json(&self) -> String {
        let mut json = String::with_capacity(128);
        let mut separator = '[';
        for (name, took) in self.stages() {
            let micros = took.as_micros();
            if micros > 0 {
                // Writing to a string cannot fail.
                let _written = write!(json, "{separator}[\"{name}\",{}]", micros as f64 / 1e3);
                separator = ',';
            }
        }
        if separator == '[' { "[]".to_owned() } else { json + "]" }
    }
}

/// Measures the time of consecutive stages.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    last: Instant,
    /// Time spent so far.
    pub spent: StageTimings,
}

impl Stopwatch {
    /// Creates a stopwatch that started at `began`, with the time spent before.
    pub const fn since(began: Instant, spent: StageTimings) -> Self {
        Self { last: began, spent }
    }

    /// Ends a stage and adds its time.
    pub fn lap(&mut self, stage: Stage) {
        let now = Instant::now();
        self.spent.add(stage, now.duration_since(self.last));
        self.last = now;
    }

    /// Adds times that were measured elsewhere.
    pub fn include(&mut self, elsewhere: &StageTimings) {
        self.spent.include(elsewhere);
    }

    /// Ends a stage that contained the stages of `within`, and adds the remaining time to it.
    pub fn lap_around(&mut self, stage: Stage, within: &StageTimings) {
        let now = Instant::now();
        let own = now.duration_since(self.last).saturating_sub(within.total());
        self.include(within);
        self.spent.add(stage, own);
        self.last = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_omits_stages_that_took_no_time() {
        let mut spent = StageTimings::default();
        assert_eq!(spent.json(), "[]");
        spent.add(Stage::Scores, Duration::from_micros(2_500));
        spent.add(Stage::Policy, Duration::from_millis(1));
        assert_eq!(spent.json(), r#"[["policy",1],["scores",2.5]]"#);
    }

    #[test]
    fn an_outer_stage_counts_without_its_inner_stages() {
        let began = Instant::now();
        let mut within = StageTimings::default();
        within.add(Stage::Reading, Duration::from_hours(1));
        let mut watch = Stopwatch::since(began, StageTimings::default());
        watch.lap_around(Stage::Waiting, &within);
        assert_eq!(watch.spent, within);
    }
}
