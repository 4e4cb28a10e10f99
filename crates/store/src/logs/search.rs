//! Search over log entries, newest first.

use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use super::entries::COLUMNS;
use super::packed_rows;
use super::visibility::IndexRange;
use crate::{Db, LogEntry, LogFilter, Page, Paged, Result};

/// Log entries that one search reads when no index leads to them.
pub(crate) const MAX_SEARCHED: i64 = 5_000;
/// Index ranges per statement; databases limit the size of a statement.
pub(crate) const RANGES_PER_STATEMENT: usize = 50;

/// A range of identifiers to search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchRange {
    /// First identifier.
    oldest: Uuid,
    /// End, exclusive.
    end: Uuid,
    /// True if only [`MAX_SEARCHED`] log entries of it are read.
    is_bounded: bool,
}

impl SearchRange {
    /// The identifiers before `before` that the filter's period includes.
    pub(crate) fn of(filter: &LogFilter, before: Uuid) -> Self {
        Self { oldest: filter.oldest(), end: before.min(filter.end()), is_bounded: !filter.is_indexed() }
    }

    /// Adds the condition on the identifier.
    pub(crate) fn narrow<DB: Database>(self, query: &mut QueryBuilder<DB>, org_id: Uuid)
    where
        for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    {
        query.push("id < ").push_bind(self.end);
        if self.is_bounded {
            query.push(" AND id >= COALESCE((");
            self.push_lower_bound(query, org_id);
            query.push("), ").push_bind(self.oldest).push(")");
            // Written this way so that SQLite does not start reading there.
            query.push(" AND NOT id < ").push_bind(self.oldest);
        } else {
            query.push(" AND id >= ").push_bind(self.oldest);
        }
    }

    /// Adds the query for the identifier at which a bounded search ends: that of the log entry numbered
    /// [`MAX_SEARCHED`] earlier. Sequence numbers follow identifiers closely enough and find it at once; counting would
    /// read all of them.
    fn push_lower_bound<DB: Database>(self, query: &mut QueryBuilder<DB>, org_id: Uuid)
    where
        for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    {
        query.push("SELECT id FROM logs WHERE org_id = ").push_bind(org_id);
        query.push(" AND id < ").push_bind(self.end);
        query.push(" AND sequence <= (SELECT sequence FROM logs WHERE org_id = ").push_bind(org_id);
        query.push(" AND id < ").push_bind(self.end);
        query
            .push(format_args!(" ORDER BY id DESC LIMIT 1) - {MAX_SEARCHED} ORDER BY sequence DESC LIMIT 1"));
    }
}

/// A statement over several index ranges, beginning with `begun`: one `SELECT … LIMIT …` for each.
pub(crate) fn search_query<DB: Database>(
    begun: &str,
    columns: &str,
    index_ranges: &[IndexRange],
    org_id: Uuid,
    filter: &LogFilter,
    range: SearchRange,
    limit: i64,
) -> QueryBuilder<DB>
where
    for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Type<DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
{
    let mut query = QueryBuilder::new(begun);
    for (place, index_range) in index_ranges.iter().enumerate() {
        query.push(if place == 0 { "SELECT * FROM (" } else { " UNION ALL SELECT * FROM (" });
        query.push("SELECT ").push(columns).push(" FROM logs WHERE ");
        index_range.narrow(&mut query);
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
    /// Returns an organization's matching log entries, newest first. Without an index, a bounded number is searched: a
    /// page may then be short or empty and still have a next page.
    pub async fn logs(&self, org_id: Uuid, filter: &LogFilter, page: Page) -> Result<Paged<LogEntry>> {
        let range = SearchRange::of(filter, page.upper_bound());
        let mut rows = Vec::new();
        for index_ranges in filter.index_ranges().chunks(RANGES_PER_STATEMENT) {
            rows.extend(
                self.logs_in_ranges(org_id, filter, index_ranges, range, page.limit_plus_one()).await?,
            );
        }
        rows.sort_unstable_by_key(|log| std::cmp::Reverse(log.id));
        let mut paged = page.finish(rows, |log: &LogEntry| log.id);
        if paged.next.is_none() {
            paged.next = self.search_end(org_id, range).await?;
            // An entry added since has moved the end: what is before it belongs to the next page.
            paged.rows.retain(|log| paged.next.is_none_or(|search_end| log.id >= search_end));
        }
        Ok(paged)
    }

    /// Returns where a bounded search ends, unless it covers the whole range. Not needed when a page is full.
    pub(crate) async fn search_end(&self, org_id: Uuid, range: SearchRange) -> Result<Option<Uuid>> {
        if !range.is_bounded {
            return Ok(None);
        }
        let search_end: Option<Uuid> = on!(self.reader(), |pool| {
            let mut query = QueryBuilder::new("");
            range.push_lower_bound(&mut query, org_id);
            query.build_query_scalar().fetch_optional(pool).await?
        });
        Ok(search_end.filter(|id| *id > range.oldest))
    }

    async fn logs_in_ranges(
        &self,
        org_id: Uuid,
        filter: &LogFilter,
        index_ranges: &[IndexRange],
        range: SearchRange,
        limit: i64,
    ) -> Result<Vec<LogEntry>> {
        match self {
            Self::Sqlite(sqlite) => {
                let query = search_query(
                    packed_rows::PACKED.as_str(),
                    COLUMNS,
                    index_ranges,
                    org_id,
                    filter,
                    range,
                    limit,
                );
                packed_rows::fetch(query, &sqlite.readers).await
            }
            Self::Postgres(postgres) => {
                let mut query = search_query("", COLUMNS, index_ranges, org_id, filter, range, limit);
                Ok(query.build_query_as().persistent(false).fetch_all(&postgres.pool).await?)
            }
        }
    }
}
