//! Identifiers: UUIDv7, so that `(org_id, id)` sorts by time.

use uuid::{Timestamp as Moment, Uuid};

use crate::Timestamp;

/// Creates a UUIDv7 for that time. Identifiers of different microseconds sort by time. Source: RFC 9562, section 6.2,
/// method 3 (the 12 bits after the milliseconds hold their fraction).
pub fn new_id(now: Timestamp) -> Uuid {
    let micros = u64::try_from(now.micros()).unwrap_or(0);
    let fraction = u128::from(micros % 1000 * 4096 / 1000);
    let nanos = (micros % 1_000_000 * 1000) as u32;
    Uuid::new_v7(Moment::from_unix_time(micros / 1_000_000, nanos, fraction, 12))
}

/// The smallest identifier of that time: no identifier of that microsecond or later is below it.
pub(crate) fn least_id(time: Timestamp) -> Uuid {
    let micros = u128::try_from(time.micros()).unwrap_or(0);
    let (millis, fraction) = (micros / 1000, micros % 1000 * 4096 / 1000);
    Uuid::from_u128(millis << 80 | 7 << 76 | fraction << 64 | 2 << 62)
}

/// The time in an identifier, in milliseconds resolution.
pub(crate) fn time_of(id: Uuid) -> Timestamp {
    Timestamp::from_micros((id.as_u128() >> 80) as i64 * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_the_microsecond() {
        let ids: Vec<_> =
            (0..3000).map(|micros| new_id(Timestamp::from_micros(1_767_323_045_678_901 + micros))).collect();
        assert!(ids.is_sorted());
        assert_eq!(ids[0].get_version_num(), 7);
    }

    #[test]
    fn the_least_id_of_a_time_separates_earlier_ids_from_later_ones() {
        for micros in [0, 1, 999, 1_767_323_045_678_901] {
            let (now, next) = (Timestamp::from_micros(micros), Timestamp::from_micros(micros + 1));
            assert!(least_id(now) <= new_id(now) && new_id(now) < least_id(next), "{micros}");
        }
    }

    #[test]
    fn two_ids_of_one_instant_differ() {
        assert_ne!(new_id(Timestamp::default()), new_id(Timestamp::default()));
    }
}
