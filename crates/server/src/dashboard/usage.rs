//! Credits charged over time.

use std::collections::BTreeMap;

use guardengine_store::{CreditEntry, Db, MetricQuery, Period, Result, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{counts::CREDITS, metrics::PeriodCounts};

/// Charges that say how fast credits are spent now.
const NEWEST: u16 = 100;

/// Credits charged in one hour.
#[derive(Debug, Serialize, ToSchema)]
pub struct HourOfUsage {
    /// Start of the hour.
    #[schema(value_type = String, format = DateTime)]
    hour: Timestamp,
    /// Credits charged.
    credits: i64,
}

/// The newest charges, at most 100: at the rate of the moment, they were made since `since`.
#[derive(Debug, Serialize, ToSchema)]
pub struct NewestCharges {
    /// Number of charges.
    charges: usize,
    /// Credits charged.
    credits: i64,
    /// Time of the first of them; null without any.
    #[schema(value_type = Option<String>, format = DateTime)]
    since: Option<Timestamp>,
}

/// Returns the hours of a period in which an organization was charged.
pub async fn hours(db: &Db, org: Uuid, period: Period) -> Result<Vec<HourOfUsage>> {
    let query = MetricQuery { period, projects: None, by_hour: &[CREDITS], over_period: &[] };
    let mut hours: BTreeMap<Timestamp, i64> = BTreeMap::new();
    for one in PeriodCounts::load(db, org, &query).await?.of(CREDITS) {
        *hours.entry(one.hour).or_default() += one.count;
    }
    Ok(hours.into_iter().map(|(hour, credits)| HourOfUsage { hour, credits }).collect())
}

/// Returns the newest charges of an organization.
pub async fn newest(db: &Db, org: Uuid) -> Result<NewestCharges> {
    let entries = db.credit_entries(org, None, NEWEST).await?;
    // A sum over a day does not say when its charges were made.
    let single = entries.iter().take_while(|entry| entry.entries == 1);
    let charges: Vec<&CreditEntry> = single.filter(|entry| entry.amount < 0).collect();
    Ok(NewestCharges {
        charges: charges.len(),
        credits: charges.iter().map(|entry| -entry.amount).sum(),
        since: charges.iter().map(|entry| entry.created_at).min(),
    })
}
