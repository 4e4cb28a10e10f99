//! Rows found again, newest first.

use sqlx::QueryBuilder;
use uuid::Uuid;

use crate::log_page;
use crate::log_reader::Lane;
use crate::logs::COLUMNS;
use crate::{Db, Log, LogFilter, Page, Paged, Result};

/// Rows that one search looks at where no index leads to them.
pub(crate) const SEARCHED: i64 = 5_000;
/// Lanes of one statement: databases bound the size of a statement.
pub(crate) const LANES: usize = 50;

/// Ids that are searched: from the first on, before the second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range(pub Uuid, pub Uuid);

/// Pushes `SELECT … LIMIT …` over one lane.
macro_rules! push_lane {
    ($query:expr, $columns:expr, $lane:expr, $org_id:expr, $filter:expr, $range:expr, $limit:expr) => {{
        $query.push("SELECT ").push($columns).push(" FROM logs WHERE ");
        $lane.narrow(&mut $query);
        $query.push("org_id = ").push_bind($org_id);
        $query.push(" AND id >= ").push_bind($range.0).push(" AND id < ").push_bind($range.1);
        $filter.narrow(&mut $query);
        $query.push(" ORDER BY id DESC LIMIT ").push_bind($limit);
    }};
}

/// One statement over some lanes, `begun` so.
macro_rules! lanes_query {
    ($begun:expr, $columns:expr, $lanes:expr, $org_id:expr, $filter:expr, $range:expr, $limit:expr) => {{
        let mut query = QueryBuilder::new($begun);
        for (place, lane) in $lanes.iter().enumerate() {
            query.push(if place == 0 { "SELECT * FROM (" } else { " UNION ALL SELECT * FROM (" });
            push_lane!(query, $columns, lane, $org_id, $filter, $range, $limit);
            query.push(") AS lane");
        }
        query
    }};
}

impl Db {
    /// The rows of an organisation that pass the filter, newest first. Where no index leads to them a bounded number
    /// is looked at: a page may then have fewer rows than asked for, none even, and still be followed by another one.
    pub async fn logs(&self, org_id: Uuid, filter: &LogFilter, page: Page) -> Result<Paged<Log>> {
        let (range, reached) = self.range(org_id, filter, page.before()).await?;
        let mut rows = Vec::new();
        for lanes in filter.lanes().chunks(LANES) {
            rows.extend(self.logs_of_lanes(org_id, filter, lanes, range, page.reach()).await?);
        }
        rows.sort_unstable_by_key(|log| std::cmp::Reverse(log.id));
        let mut paged = page.cut(rows, |log: &Log| log.id);
        paged.next = paged.next.or(reached);
        Ok(paged)
    }

    /// The ids that one search looks at, and where it ends when that is before the last row.
    pub(crate) async fn range(
        &self,
        org_id: Uuid,
        filter: &LogFilter,
        before: Uuid,
    ) -> Result<(Range, Option<Uuid>)> {
        let (oldest, end) = (filter.oldest(), before.min(filter.end()));
        let reached = if filter.is_indexed() { None } else { self.log_before(org_id, end).await? };
        let reached = reached.filter(|id| *id > oldest);
        Ok((Range(reached.unwrap_or(oldest), end), reached))
    }

    /// The id at which a search that begins before `before` ends: that of a row which was numbered so much earlier.
    /// Numbers follow ids closely enough, and lead to it at once, where counting rows off would read them all.
    async fn log_before(&self, org_id: Uuid, before: Uuid) -> Result<Option<Uuid>> {
        Ok(on_reader!(self, |pool| {
            sqlx::query_scalar(
                "SELECT id FROM logs WHERE org_id = $1 AND id < $2 AND sequence <= \
                 (SELECT sequence FROM logs WHERE org_id = $1 AND id < $2 ORDER BY id DESC LIMIT 1) - $3 \
                 ORDER BY sequence DESC LIMIT 1",
            )
            .bind(org_id)
            .bind(before)
            .bind(SEARCHED)
            .fetch_optional(pool)
            .await?
        }))
    }

    async fn logs_of_lanes(
        &self,
        org_id: Uuid,
        filter: &LogFilter,
        lanes: &[Lane<'_>],
        range: Range,
        limit: i64,
    ) -> Result<Vec<Log>> {
        match self {
            Self::Sqlite(sqlite) => {
                let query =
                    lanes_query!(log_page::PACKED.as_str(), COLUMNS, lanes, org_id, filter, range, limit);
                log_page::fetch(query, &sqlite.readers).await
            }
            Self::Postgres(pool) => {
                let mut query = lanes_query!("", COLUMNS, lanes, org_id, filter, range, limit);
                Ok(query.build_query_as().persistent(false).fetch_all(pool).await?)
            }
        }
    }
}
