//! Rows found again, newest first.

use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use crate::log_page;
use crate::log_reader::Lane;
use crate::logs::COLUMNS;
use crate::{Db, Log, LogFilter, Page, Paged, Result};

/// Rows that one search looks at where no index leads to them.
pub(crate) const SEARCHED: i64 = 5_000;
/// Lanes of one statement: databases bound the size of a statement.
pub(crate) const LANES: usize = 50;

/// Ids that are searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    /// The first.
    oldest: Uuid,
    /// Those before this one.
    end: Uuid,
    /// Whether only [`SEARCHED`] rows of them are looked at.
    is_bounded: bool,
}

impl Range {
    /// The ids before `before` among which the filter looks.
    pub(crate) fn of(filter: &LogFilter, before: Uuid) -> Self {
        Self { oldest: filter.oldest(), end: before.min(filter.end()), is_bounded: !filter.is_indexed() }
    }

    /// Pushes the condition that an id is among these.
    pub(crate) fn narrow<DB: Database>(self, query: &mut QueryBuilder<DB>, org_id: Uuid)
    where
        for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    {
        query.push("id < ").push_bind(self.end);
        if self.is_bounded {
            query.push(" AND id >= COALESCE((");
            self.push_least(query, org_id);
            query.push("), ").push_bind(self.oldest).push(")");
            // Said so that SQLite does not begin to read there.
            query.push(" AND NOT id < ").push_bind(self.oldest);
        } else {
            query.push(" AND id >= ").push_bind(self.oldest);
        }
    }

    /// Pushes the query for the id at which a bounded search ends: that of a row which was numbered so much earlier.
    /// Numbers follow ids closely enough, and lead to it at once, where counting rows off would read them all.
    fn push_least<DB: Database>(self, query: &mut QueryBuilder<DB>, org_id: Uuid)
    where
        for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    {
        query.push("SELECT id FROM logs WHERE org_id = ").push_bind(org_id);
        query.push(" AND id < ").push_bind(self.end);
        query.push(" AND sequence <= (SELECT sequence FROM logs WHERE org_id = ").push_bind(org_id);
        query.push(" AND id < ").push_bind(self.end);
        query.push(format_args!(" ORDER BY id DESC LIMIT 1) - {SEARCHED} ORDER BY sequence DESC LIMIT 1"));
    }
}

/// One statement over some lanes, which begins with `begun`: `SELECT … LIMIT …` of each.
pub(crate) fn lanes_query<DB: Database>(
    begun: &str,
    columns: &str,
    lanes: &[Lane<'_>],
    org_id: Uuid,
    filter: &LogFilter,
    range: Range,
    limit: i64,
) -> QueryBuilder<DB>
where
    for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Type<DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
{
    let mut query = QueryBuilder::new(begun);
    for (place, lane) in lanes.iter().enumerate() {
        query.push(if place == 0 { "SELECT * FROM (" } else { " UNION ALL SELECT * FROM (" });
        query.push("SELECT ").push(columns).push(" FROM logs WHERE ");
        lane.narrow(&mut query);
        query.push("org_id = ").push_bind(org_id);
        query.push(" AND ");
        range.narrow(&mut query, org_id);
        filter.narrow(&mut query);
        query.push(" ORDER BY id DESC LIMIT ").push_bind(limit);
        query.push(") AS lane");
    }
    query
}

impl Db {
    /// The rows of an organisation that pass the filter, newest first. Where no index leads to them a bounded number
    /// is looked at: a page may then have fewer rows than asked for, none even, and still be followed by another one.
    pub async fn logs(&self, org_id: Uuid, filter: &LogFilter, page: Page) -> Result<Paged<Log>> {
        let range = Range::of(filter, page.before());
        let mut rows = Vec::new();
        for lanes in filter.lanes().chunks(LANES) {
            rows.extend(self.logs_of_lanes(org_id, filter, lanes, range, page.reach()).await?);
        }
        rows.sort_unstable_by_key(|log| std::cmp::Reverse(log.id));
        let mut paged = page.cut(rows, |log: &Log| log.id);
        if paged.next.is_none() {
            paged.next = self.reached(org_id, range).await?;
            // A row that was added since has moved the end: what lies before it now is the next page's.
            paged.rows.retain(|log| paged.next.is_none_or(|reached| log.id >= reached));
        }
        Ok(paged)
    }

    /// Where a search of these ids ends, if that is before the last of them. Nobody need ask who has found enough.
    pub(crate) async fn reached(&self, org_id: Uuid, range: Range) -> Result<Option<Uuid>> {
        if !range.is_bounded {
            return Ok(None);
        }
        let reached: Option<Uuid> = on!(self.reader(), |pool| {
            let mut query = QueryBuilder::new("");
            range.push_least(&mut query, org_id);
            query.build_query_scalar().fetch_optional(pool).await?
        });
        Ok(reached.filter(|id| *id > range.oldest))
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
                    lanes_query(log_page::PACKED.as_str(), COLUMNS, lanes, org_id, filter, range, limit);
                log_page::fetch(query, &sqlite.readers).await
            }
            Self::Postgres(pool) => {
                let mut query = lanes_query("", COLUMNS, lanes, org_id, filter, range, limit);
                Ok(query.build_query_as().persistent(false).fetch_all(pool).await?)
            }
        }
    }
}
