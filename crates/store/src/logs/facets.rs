//! Facets of the newest log entries, for narrowing a search.

use uuid::Uuid;

use super::packed_rows;
use super::search::{MAX_SEARCHED, RANGES_PER_STATEMENT, SearchRange, search_query};
use super::visibility::IndexRange;
use crate::id::time_of;
use crate::{Db, LogFilter, Result, Timestamp};

const COLUMNS: &str = "id, decision, outcome, risk_level, triggered_guardrails, project_id, project_name, source_app, \
     username, mark";

/// Fields of a log entry that facets count.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow, serde::Deserialize)]
pub struct FacetValues {
    /// Identifier.
    pub id: Uuid,
    /// Decision, as in [`LogEntry::decision`](crate::LogEntry::decision).
    pub decision: String,
    /// Outcome, as in [`LogEntry::outcome`](crate::LogEntry::outcome).
    pub outcome: String,
    /// Risk level: `critical`, `high`, `medium` or `no_risk`.
    pub risk_level: String,
    /// Compact JSON array of objects with a `name`.
    pub triggered_guardrails: String,
    /// Project.
    pub project_id: Option<Uuid>,
    /// Project name at that time.
    pub project_name: Option<String>,
    /// Application.
    pub source_app: Option<String>,
    /// End user.
    pub username: Option<String>,
    /// Feedback.
    #[sqlx(rename = "mark")]
    pub feedback: Option<String>,
}

impl FacetValues {
    /// Time of the log entry, in milliseconds resolution.
    pub fn time(&self) -> Timestamp {
        time_of(self.id)
    }
}

impl Db {
    /// Maximum number of log entries that [`Db::log_facet_values`] returns, and that it searches without an index.
    pub const MAX_FACET_ENTRIES: usize = MAX_SEARCHED as usize;

    /// Returns the newest matching log entries, and whether they are all.
    pub async fn log_facet_values(
        &self,
        org_id: Uuid,
        filter: &LogFilter,
    ) -> Result<(Vec<FacetValues>, bool)> {
        let range = SearchRange::of(filter, Uuid::max());
        let mut rows = Vec::new();
        for index_ranges in filter.index_ranges().chunks(RANGES_PER_STATEMENT) {
            rows.extend(self.facets_in_ranges(org_id, filter, index_ranges, range).await?);
        }
        rows.sort_unstable_by_key(|row: &FacetValues| std::cmp::Reverse(row.id));
        let are_all =
            rows.len() <= Self::MAX_FACET_ENTRIES && self.search_end(org_id, range).await?.is_none();
        rows.truncate(Self::MAX_FACET_ENTRIES);
        Ok((rows, are_all))
    }

    async fn facets_in_ranges(
        &self,
        org_id: Uuid,
        filter: &LogFilter,
        index_ranges: &[IndexRange],
        range: SearchRange,
    ) -> Result<Vec<FacetValues>> {
        let limit = MAX_SEARCHED + 1;
        match self {
            Self::Sqlite(sqlite) => {
                let begun = packed_rows::packed(COLUMNS);
                let query = search_query(&begun, COLUMNS, index_ranges, org_id, filter, range, limit);
                packed_rows::fetch(query, &sqlite.readers).await
            }
            Self::Postgres(postgres) => {
                let mut query = search_query("", COLUMNS, index_ranges, org_id, filter, range, limit);
                Ok(query.build_query_as().persistent(false).fetch_all(&postgres.pool).await?)
            }
        }
    }
}
