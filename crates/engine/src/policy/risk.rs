//! Risk levels and scores that clients see.

/// Risk of a text that exceeds the maximum length, and of one that was not read completely.
pub const OVERLONG: f32 = 0.6;

/// Maximum risk of a text without a triggered guardrail.
pub const UNTRIGGERED: f32 = 0.29;

/// `critical` from 0.85, `high` from 0.6, `medium` from 0.3, else `no_risk`.
pub fn level(risk: f32) -> &'static str {
    match risk {
        risk if risk >= 0.85 => "critical",
        risk if risk >= 0.6 => "high",
        risk if risk >= 0.3 => "medium",
        _ => "no_risk",
    }
}

/// `high` from 0.85, `medium` from 0.6, else `low`.
pub fn severity(confidence: f32) -> &'static str {
    match confidence {
        confidence if confidence >= 0.85 => "high",
        confidence if confidence >= 0.6 => "medium",
        _ => "low",
    }
}

/// 100 for no risk down to 1: 100 − 99 × risk, rounded.
pub fn safety_score(risk: f32) -> u8 {
    (100.0 - 99.0 * risk.clamp(0.0, 1.0)).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_change_at_the_documented_points() {
        assert_eq!(
            [0.85, 0.84, 0.6, 0.59, 0.3, 0.29].map(level),
            ["critical", "high", "high", "medium", "medium", "no_risk"]
        );
        assert_eq!([0.85, 0.84, 0.6, 0.59].map(severity), ["high", "medium", "medium", "low"]);
        assert_eq!([0.0, 0.5, 1.0].map(safety_score), [100, 51, 1]);
    }
}
