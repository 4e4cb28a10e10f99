//! What the newest rows have in common, for who narrows a search.

use uuid::Uuid;

use crate::log_page;
use crate::log_reader::Lane;
use crate::log_search::{LANES, Range, SEARCHED, lanes_query};
use crate::{Db, LogFilter, Result};

const COLUMNS: &str = "id, decision, outcome, risk_level, triggered_guardrails, project_id, project_name, source_app, \
     username, mark";

/// What facets are counted of a row.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow, serde::Deserialize)]
pub struct LogTraits {
    /// Its id.
    pub id: Uuid,
    /// See [`crate::Log`] for these.
    pub decision: String,
    /// Whether it was judged, and how.
    pub outcome: String,
    /// `critical`, `high`, `medium`, `no_risk`.
    pub risk_level: String,
    /// A compact JSON array of objects with a `name`.
    pub triggered_guardrails: String,
    /// The project.
    pub project_id: Option<Uuid>,
    /// Its name then.
    pub project_name: Option<String>,
    /// The application.
    pub source_app: Option<String>,
    /// The end user.
    pub username: Option<String>,
    /// What people say of the decision.
    pub mark: Option<String>,
}

impl Db {
    /// Most rows that [`Db::log_traits`] answers, and that it looks at where no index leads to them.
    pub const MOST_TRAITS: usize = SEARCHED as usize;

    /// The newest rows that pass the filter, and whether those are all of them.
    pub async fn log_traits(&self, org_id: Uuid, filter: &LogFilter) -> Result<(Vec<LogTraits>, bool)> {
        let range = Range::of(filter, Uuid::max());
        let mut rows = Vec::new();
        for lanes in filter.lanes().chunks(LANES) {
            rows.extend(self.traits_of_lanes(org_id, filter, lanes, range).await?);
        }
        rows.sort_unstable_by_key(|row: &LogTraits| std::cmp::Reverse(row.id));
        let are_all = rows.len() <= Self::MOST_TRAITS && self.reached(org_id, range).await?.is_none();
        rows.truncate(Self::MOST_TRAITS);
        Ok((rows, are_all))
    }

    async fn traits_of_lanes(
        &self,
        org_id: Uuid,
        filter: &LogFilter,
        lanes: &[Lane<'_>],
        range: Range,
    ) -> Result<Vec<LogTraits>> {
        let limit = SEARCHED + 1;
        match self {
            Self::Sqlite(sqlite) => {
                let begun = log_page::packed(COLUMNS);
                let query = lanes_query(&begun, COLUMNS, lanes, org_id, filter, range, limit);
                log_page::fetch(query, &sqlite.readers).await
            }
            Self::Postgres(pool) => {
                let mut query = lanes_query("", COLUMNS, lanes, org_id, filter, range, limit);
                Ok(query.build_query_as().persistent(false).fetch_all(pool).await?)
            }
        }
    }
}
