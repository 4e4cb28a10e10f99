//! What the time of a call is spent on, for its row.

use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

/// The stages of a call, in their order. Writing the row is none of them: it is written with the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The project, its policy, the balance and the keys are looked up.
    Policy,
    /// Pictures and recordings are read.
    Media,
    /// Waiting for a processor.
    Waiting,
    /// The text is made readable, and personal data is looked for.
    Reading,
    /// The learned scores.
    Scores,
    /// A language model's opinion.
    Opinion,
    /// Detectors, decision and masks.
    Verdict,
}

const STAGES: [(&str, Stage); 7] = [
    ("policy", Stage::Policy),
    ("media", Stage::Media),
    ("waiting", Stage::Waiting),
    ("reading", Stage::Reading),
    ("scores", Stage::Scores),
    ("opinion", Stage::Opinion),
    ("verdict", Stage::Verdict),
];

/// What was spent on each stage so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimings([Duration; STAGES.len()]);

impl StageTimings {
    /// Adds time to a stage.
    pub const fn add(&mut self, stage: Stage, time: Duration) {
        self.0[stage as usize] = self.0[stage as usize].saturating_add(time);
    }

    /// All of it.
    pub fn total(&self) -> Duration {
        self.0.iter().sum()
    }

    /// `[["stage",milliseconds],…]` of the stages that there were, to the microsecond.
    pub fn json(&self) -> String {
        let mut json = String::with_capacity(128);
        let mut joint = '[';
        for (name, stage) in STAGES {
            let micros = self.0[stage as usize].as_micros();
            if micros > 0 {
                // Writing to a string cannot fail.
                let _written = write!(json, "{joint}[\"{name}\",{}]", micros as f64 / 1e3);
                joint = ',';
            }
        }
        if joint == '[' { "[]".to_owned() } else { json + "]" }
    }
}

/// A watch that is read at the end of each stage.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    last: Instant,
    /// What was spent so far.
    pub spent: StageTimings,
}

impl Stopwatch {
    /// A watch that runs since `began`, with what was spent before.
    pub const fn since(began: Instant, spent: StageTimings) -> Self {
        Self { last: began, spent }
    }

    /// Ends a stage.
    pub fn lap(&mut self, stage: Stage) {
        let now = Instant::now();
        self.spent.add(stage, now.duration_since(self.last));
        self.last = now;
    }

    /// Counts what was spent elsewhere.
    pub fn include(&mut self, elsewhere: &StageTimings) {
        for (sum, part) in self.spent.0.iter_mut().zip(elsewhere.0) {
            *sum = sum.saturating_add(part);
        }
    }

    /// Ends a stage that others, already counted in `within`, were a part of: the rest of the time is its own.
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
    fn stages_that_took_no_time_are_left_out() {
        let mut spent = StageTimings::default();
        assert_eq!(spent.json(), "[]");
        spent.add(Stage::Scores, Duration::from_micros(2_500));
        spent.add(Stage::Policy, Duration::from_millis(1));
        assert_eq!(spent.json(), r#"[["policy",1],["scores",2.5]]"#);
    }

    #[test]
    fn what_is_around_other_stages_counts_without_them() {
        let began = Instant::now();
        let mut within = StageTimings::default();
        within.add(Stage::Reading, Duration::from_hours(1));
        let mut watch = Stopwatch::since(began, StageTimings::default());
        watch.lap_around(Stage::Waiting, &within);
        assert_eq!(watch.spent, within);
    }
}
