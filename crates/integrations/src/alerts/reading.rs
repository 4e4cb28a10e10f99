//! Evaluates the condition of a rule.

use std::time::Duration;

use guardengine_store::{AlertRule, Db, LogCounts, Period, Result, Timestamp};

use super::Condition;

/// The result of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    /// True if the condition holds.
    pub is_met: bool,
    /// Sentence about it.
    pub summary: String,
}

/// Evaluates a condition. `failed_parts` are the parts of the service that do not work.
pub(super) async fn read(
    db: &Db,
    rule: &AlertRule,
    condition: &Condition,
    failed_parts: &[String],
    now: Timestamp,
) -> Result<Reading> {
    let (org, project) = (rule.org_id, rule.project_id);
    Ok(match condition {
        Condition::BlockRate { share, min_count, period_minutes } => {
            let counts = db.count_logs(org, project, period(now, *period_minutes)).await?;
            of_block_rate(counts, *share, *min_count, *period_minutes)
        }
        Condition::GuardrailSpike { guardrail, factor, min_count, period_minutes } => {
            let newest = period(now, *period_minutes);
            let after = db.count_blocks_of(org, project, newest, guardrail).await?;
            let before = db.count_blocks_of(org, project, newest.previous(), guardrail).await?;
            let is_met = after >= *min_count && after as f64 >= before as f64 * factor;
            let summary = format!(
                "{guardrail} blocked {after} requests in the last {period_minutes} minutes, after {before} in the \
                 {period_minutes} minutes before. The rule fires from {factor} times as many, and {min_count} at least."
            );
            Reading { is_met, summary }
        }
        Condition::CreditsLow { balance: threshold } => {
            let balance = db.balance(org).await?.unwrap_or_default();
            let summary = format!("The balance is {balance} credits. The rule fires below {threshold}.");
            Reading { is_met: balance < *threshold, summary }
        }
        Condition::ConnectorDown { connector_id } => {
            of_parts("connectors that failed", &db.failed_connectors(org, *connector_id).await?)
        }
        Condition::EngineDegraded {} => of_parts("parts of the service that do not work", failed_parts),
    })
}

/// The period of that length that ends now.
fn period(now: Timestamp, minutes: i64) -> Period {
    Period { from: now - Duration::from_secs(60 * minutes.unsigned_abs()), to: now }
}

fn of_block_rate(counts: LogCounts, share: f64, min_count: i64, minutes: i64) -> Reading {
    let LogCounts { total, blocked } = counts;
    let reached = if total > 0 { blocked as f64 / total as f64 } else { 0.0 };
    let is_met = total >= min_count && reached >= share;
    let percent = |share: f64| (share * 1000.0).round() / 10.0;
    let summary = format!(
        "{blocked} of {total} requests of the last {minutes} minutes were blocked ({} %). The rule fires from {} %, and \
         {min_count} requests at least.",
        percent(reached),
        percent(share)
    );
    Reading { is_met, summary }
}

fn of_parts(what: &str, names: &[String]) -> Reading {
    let summary = if names.is_empty() {
        format!("There are no {what}.")
    } else {
        format!("There are {what}: {}.", names.join(", "))
    };
    Reading { is_met: !names.is_empty(), summary }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_rate_needs_its_share_and_its_minimum() {
        let met = |total, blocked| of_block_rate(LogCounts { total, blocked }, 0.2, 10, 15).is_met;
        assert!(met(10, 2) && met(10, 10));
        assert!(!met(10, 1) && !met(9, 9) && !met(0, 0));
        let summary = of_block_rate(LogCounts { total: 3, blocked: 1 }, 0.2, 10, 15).summary;
        assert!(
            summary.starts_with("1 of 3 requests of the last 15 minutes were blocked (33.3 %)."),
            "{summary}"
        );
    }

    #[test]
    fn parts_are_listed_by_name() {
        let failed = of_parts("connectors that failed", &["Jira".to_owned()]);
        assert_eq!(failed.summary, "There are connectors that failed: Jira.");
        let nothing = of_parts("connectors that failed", &[]);
        assert_eq!(
            (nothing.is_met, nothing.summary.as_str()),
            (false, "There are no connectors that failed.")
        );
    }
}
