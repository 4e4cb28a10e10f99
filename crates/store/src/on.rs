//! One text, two databases: the same query is compiled for both.

/// Runs a reading query: `on_reader!(self, |pool| sqlx::query_as(…).fetch_one(pool).await)`.
macro_rules! on_reader {
    ($db:expr, |$pool:ident| $body:expr) => {
        match $db {
            $crate::Db::Sqlite(sqlite) => {
                let $pool = &sqlite.readers;
                $body
            }
            $crate::Db::Postgres($pool) => $body,
        }
    };
}

/// Runs one changing statement.
macro_rules! on_writer {
    ($db:expr, |$pool:ident| $body:expr) => {
        match $db {
            $crate::Db::Sqlite(sqlite) => {
                let $pool = &sqlite.writer;
                $body
            }
            $crate::Db::Postgres($pool) => $body,
        }
    };
}

/// Runs several statements of which all or none take effect; a `?` on the way undoes them.
/// SQLite's lock is taken at the start: a reading transaction that turns to writing may be refused.
macro_rules! in_transaction {
    ($db:expr, |$tx:ident| $body:expr) => {
        match $db {
            $crate::Db::Sqlite(sqlite) => {
                let mut $tx = sqlite.writer.begin_with("BEGIN IMMEDIATE").await?;
                let answer = $body;
                $tx.commit().await?;
                answer
            }
            $crate::Db::Postgres(pool) => {
                let mut $tx = pool.begin().await?;
                let answer = $body;
                $tx.commit().await?;
                answer
            }
        }
    };
}

/// Runs several reading queries that all see the same state.
macro_rules! in_snapshot {
    ($db:expr, |$tx:ident| $body:expr) => {
        match $db {
            $crate::Db::Sqlite(sqlite) => {
                let mut $tx = sqlite.readers.begin().await?;
                let answer = $body;
                $tx.commit().await?;
                answer
            }
            $crate::Db::Postgres(pool) => {
                let mut $tx = pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
                let answer = $body;
                $tx.commit().await?;
                answer
            }
        }
    };
}
