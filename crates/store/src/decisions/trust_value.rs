//! The trust value of an end user: from 0 to 1, ½ for an unknown one. Decisions move it, and over time it returns to
//! ½.
//!
//! A decision moves the value `v` toward a goal `g` by a share `w` of the distance: `v + w·(g − v)`. Between decisions
//! it decays: `½ + (v − ½)·2^(−t/HALF_LIFE)`. Within [`Trust::NEUTRAL`] of ½ it counts as ½ and can be deleted. Both
//! steps keep `v` within its bounds and preserve the order of two values.

use std::time::Duration;

use crate::Timestamp;

/// An event that moves the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrustEvent {
    /// A text was allowed.
    Allowed,
    /// The user confirmed a challenge.
    Confirmed,
    /// The user withdrew a challenged text.
    Refused,
    /// A text was challenged.
    Challenged,
    /// A text waits for a reviewer.
    Escalated,
    /// A text was blocked.
    Blocked,
}

impl TrustEvent {
    /// All events.
    pub const ALL: [Self; 6] =
        [Self::Allowed, Self::Confirmed, Self::Refused, Self::Challenged, Self::Escalated, Self::Blocked];

    /// The goal, and the share of the distance to move.
    const fn step(self) -> (f64, f64) {
        match self {
            Self::Allowed => (1.0, 0.025),
            Self::Confirmed => (1.0, 0.05),
            Self::Refused => (0.0, 0.05),
            Self::Challenged => (0.0, 0.1),
            Self::Escalated => (0.0, 0.2),
            Self::Blocked => (0.0, 0.3),
        }
    }
}

/// A value as of the last decision.
#[derive(Clone, Copy, Debug, PartialEq, sqlx::FromRow)]
pub struct Trust {
    value: f64,
    moved_at: Timestamp,
}

impl Trust {
    /// Value of an unknown user.
    pub const START: f64 = 0.5;
    /// Distance from ½ within which a value counts as ½.
    pub const NEUTRAL: f64 = 0.01;
    /// Time in which the distance from ½ halves.
    pub const HALF_LIFE: Duration = Duration::from_hours(7 * 24);

    /// The value of an unknown user.
    pub const fn initial(now: Timestamp) -> Self {
        Self { value: Self::START, moved_at: now }
    }

    /// Returns the value at that time, or at the last decision if that is later.
    pub fn at(&self, now: Timestamp) -> f64 {
        if now >= self.neutral_at() {
            return Self::START;
        }
        let half_lives = now.since(self.moved_at).div_duration_f64(Self::HALF_LIFE);
        Self::START + (self.value - Self::START) * (-half_lives).exp2()
    }

    /// Returns the value after an event.
    #[must_use]
    pub fn after(&self, event: TrustEvent, now: Timestamp) -> Self {
        let (before, (goal, share)) = (self.at(now), event.step());
        Self { value: before + share * (goal - before), moved_at: now.max(self.moved_at) }
    }

    /// Returns the time from which it counts as ½.
    pub fn neutral_at(&self) -> Timestamp {
        let distance = (self.value - Self::START).abs();
        let half_lives = (distance / Self::NEUTRAL).log2().max(0.0);
        self.moved_at + Self::HALF_LIFE.mul_f64(half_lives)
    }

    pub(crate) const fn value_and_time(&self) -> (f64, Timestamp) {
        (self.value, self.moved_at)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DAY: u64 = 86_400;

    fn at(seconds: u64) -> Timestamp {
        Timestamp::default() + Duration::from_secs(seconds)
    }

    fn event() -> impl Strategy<Value = TrustEvent> {
        prop::sample::select(&TrustEvent::ALL[..])
    }

    /// Events and the seconds before each.
    fn history() -> impl Strategy<Value = Vec<(u64, TrustEvent)>> {
        prop::collection::vec((prop_oneof![0..60_u64, 0..60 * DAY], event()), 0..60)
    }

    fn replayed(history: &[(u64, TrustEvent)]) -> (Trust, u64) {
        history.iter().fold((Trust::initial(at(0)), 0), |(trust, now), (wait, event)| {
            (trust.after(*event, at(now + wait)), now + wait)
        })
    }

    #[test]
    fn only_allowed_and_confirmed_texts_raise_the_value_and_a_block_lowers_it_most() {
        let after = |event| Trust::initial(at(0)).after(event, at(0)).at(at(0));
        let weighed = TrustEvent::ALL.map(after);
        assert_eq!(weighed, [0.5125, 0.525, 0.475, 0.45, 0.4, 0.35]);
    }

    #[test]
    fn half_of_the_way_back_takes_a_half_life() {
        let blocked = Trust::initial(at(0)).after(TrustEvent::Blocked, at(0));
        let then = Timestamp::default() + Trust::HALF_LIFE;
        assert!((blocked.at(then) - 0.425).abs() < 1e-9);
        assert_eq!(blocked.at(then + Trust::HALF_LIFE * 3), Trust::START);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_value_stays_within_its_bounds(history in history(), later in 0..400 * DAY) {
            let (trust, now) = replayed(&history);
            prop_assert!((0.0..=1.0).contains(&trust.at(at(now + later))));
        }

        #[test]
        fn each_event_moves_toward_its_goal_and_a_graver_one_further(history in history()) {
            let (trust, now) = replayed(&history);
            let before = trust.at(at(now));
            let [allowed, confirmed, refused, challenged, escalated, blocked] =
                TrustEvent::ALL.map(|event| trust.after(event, at(now)).at(at(now)));
            // A value within that distance of ½ counts as ½.
            let near = Trust::NEUTRAL;
            prop_assert!(before <= allowed + near && allowed <= confirmed + near);
            prop_assert!(refused <= before + near && challenged <= refused + near);
            prop_assert!(escalated <= challenged + near && blocked <= escalated + near);
        }

        #[test]
        fn the_worse_of_two_histories_never_has_the_higher_value(
            history in history(), wait in 0..30 * DAY, then in event(), later in 0..30 * DAY,
        ) {
            let (trust, now) = replayed(&history);
            let ends = |event: TrustEvent| {
                let moved = trust.after(event, at(now)).after(then, at(now + wait));
                moved.at(at(now + wait + later))
            };
            prop_assert!(ends(TrustEvent::Blocked) <= ends(TrustEvent::Allowed) + Trust::NEUTRAL);
        }

        #[test]
        fn time_moves_a_value_back_to_neutral_and_never_beyond(history in history(), one in 0..90 * DAY, more in 0..90 * DAY) {
            let (trust, now) = replayed(&history);
            let distance = |later: u64| trust.at(at(now + later)) - Trust::START;
            let (sooner, later) = (distance(one), distance(one + more));
            prop_assert!(later.abs() <= sooner.abs() && sooner * later >= 0.0);
        }

        #[test]
        fn a_value_that_can_be_deleted_equals_that_of_an_unknown_user(history in history(), event in event()) {
            let (trust, _) = replayed(&history);
            let end = trust.neutral_at();
            prop_assert_eq!(trust.at(end), Trust::START);
            prop_assert_eq!(trust.after(event, end), Trust::initial(end).after(event, end));
        }
    }
}
