//! `admin set-limits`: sets the rate limits of an organization.

use anyhow::{Result, bail};
use clap::Args;
use guardengine_auth::{Limit, ORG_LIMITS, WrittenLimits};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{AdminContext, ConfigFlags};
use crate::diff::diff;

/// Value that removes the organization's own limit.
const CONFIGURED: &str = "default";

#[derive(Debug, Args)]
pub struct SetLimits {
    /// Id of the organization
    #[arg(long, value_name = "ORG_ID")]
    org: Uuid,
    /// analyze, autonomous or default = COUNT/WINDOW, off, or default for the configured limit; repeatable
    #[arg(long = "limit", value_name = "NAME=LIMIT", value_parser = change)]
    changes: Vec<Change>,
    #[command(flatten)]
    pub flags: ConfigFlags,
}

/// Name of a limit and its new value; `None` for the configured limit.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Change(&'static str, Option<String>);

impl SetLimits {
    pub async fn run(self, context: &AdminContext) -> Result<Value> {
        let before = context.limits(self.org).await?;
        let mut after = before.clone();
        for Change(name, limit) in self.changes {
            match limit {
                Some(limit) => after.insert(name.to_owned(), limit),
                None => after.remove(name),
            };
        }
        if after != before {
            context.save_limits(self.org, &before, &after).await?;
        }
        Ok(json!({ "org_id": self.org, "limits": after }))
    }
}

impl AdminContext {
    async fn limits(&self, org: Uuid) -> Result<WrittenLimits> {
        if self.db.org(org).await?.is_none() {
            bail!("organization not found");
        }
        let stored = self.db.limits(org).await?;
        Ok(stored.map_or(Ok(WrittenLimits::new()), |stored| serde_json::from_str(&stored))?)
    }

    async fn save_limits(&self, org: Uuid, before: &WrittenLimits, after: &WrittenLimits) -> Result<()> {
        let stored = (!after.is_empty()).then(|| json!(after).to_string());
        let mut tx = self.begin().await?;
        tx.set_limits(org, stored.as_deref()).await?;
        let details = diff(&json!(before), &json!(after));
        self.commit_change(tx, org, "set-limits", &org.to_string(), &details).await
    }
}

fn change(text: &str) -> Result<Change, String> {
    let (name, limit) = text.split_once('=').ok_or("must be NAME=LIMIT, such as analyze=500/60s")?;
    let is_named = |known: &&str| *known == name.trim();
    let name = ORG_LIMITS.into_iter().find(is_named).ok_or_else(|| {
        format!("expected one of {}; the other limits count addresses", ORG_LIMITS.join(", "))
    })?;
    let limit = limit.trim();
    if limit == CONFIGURED {
        return Ok(Change(name, None));
    }
    let checked = limit.parse::<Limit>().map(|_| Change(name, Some(limit.to_owned())));
    checked.map_err(|()| "the limit must be COUNT/WINDOW, such as 100/60s, off or default".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_set_off_and_default() {
        assert_eq!(change("analyze=500/60s"), Ok(Change("analyze", Some("500/60s".to_owned()))));
        assert_eq!(change("default = off"), Ok(Change("default", Some("off".to_owned()))));
        assert_eq!(change("autonomous=default"), Ok(Change("autonomous", None)));
        for bad in ["analyze", "token=1/60s", "analyze=many", "analyze=0/60s", "=1/60s"] {
            assert!(change(bad).is_err(), "{bad}");
        }
    }
}
