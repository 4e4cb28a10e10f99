//! Tables and columns to copy.

use sqlx::{Database, Executor, PgConnection, QueryBuilder, SqlitePool};

use super::{CopyError, Result};

/// Type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnType {
    Uuid,
    Whole,
    Double,
    Text,
    Flag,
    Bytes,
}

/// A table of both databases.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub name: String,
    pub columns: Vec<(String, ColumnType)>,
    /// Columns of SQLite's primary key, for a table without row identifiers.
    pub key: Option<Vec<String>>,
}

/// Tables that belong to the database, not to the installation.
const EXCLUDED_TABLES: [&str; 3] = ["_sqlx_migrations", "unfinished_copy", "write_checks"];

/// Lists PostgreSQL's tables, referenced ones first.
pub(super) async fn list_tables(to: &mut PgConnection, from: &SqlitePool) -> Result<Vec<Table>> {
    let names: Vec<String> = sqlx::query_scalar(
        "SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace
         AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname",
    )
    .fetch_all(&mut *to)
    .await?;
    let references: Vec<(String, String)> = sqlx::query_as(
        "SELECT child.relname::text, parent.relname::text FROM pg_constraint
         JOIN pg_class child ON child.oid = conrelid JOIN pg_class parent ON parent.oid = confrelid
         WHERE contype = 'f' AND connamespace = current_schema()::regnamespace",
    )
    .fetch_all(&mut *to)
    .await?;
    let names = names.into_iter().filter(|name| !EXCLUDED_TABLES.contains(&name.as_str())).collect();
    let mut tables = Vec::new();
    for name in sorted(names, &references) {
        let columns = columns(to, &name).await?;
        let key = key(from, &name).await?;
        tables.push(Table { name, columns, key });
    }
    Ok(tables)
}

/// Sorts names after those that they refer to; circular references keep their order.
fn sorted(mut names: Vec<String>, references: &[(String, String)]) -> Vec<String> {
    let mut sorted: Vec<String> = Vec::new();
    while !names.is_empty() {
        let waits = |name: &String| {
            references.iter().any(|(child, parent)| child == name && parent != name && names.contains(parent))
        };
        let (waiting, ready): (Vec<_>, Vec<_>) = names.iter().cloned().partition(waits);
        if ready.is_empty() {
            sorted.extend(waiting);
            break;
        }
        sorted.extend(ready);
        names = waiting;
    }
    sorted
}

async fn columns(to: &mut PgConnection, table: &str) -> Result<Vec<(String, ColumnType)>> {
    let columns: Vec<(String, String)> = sqlx::query_as(
        "SELECT column_name::text, udt_name::text FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position",
    )
    .bind(table)
    .fetch_all(to)
    .await?;
    columns.into_iter().map(|(name, of)| Ok((name, kind(&of)?))).collect()
}

fn kind(name: &str) -> Result<ColumnType> {
    match name {
        "uuid" => Ok(ColumnType::Uuid),
        "int8" => Ok(ColumnType::Whole),
        "float8" => Ok(ColumnType::Double),
        "text" => Ok(ColumnType::Text),
        "bool" => Ok(ColumnType::Flag),
        "bytea" => Ok(ColumnType::Bytes),
        other => Err(CopyError::from(sqlx::Error::TypeNotFound { type_name: other.to_owned() })),
    }
}

/// Returns the primary key of a table without row identifiers (`WITHOUT ROWID`).
async fn key(from: &SqlitePool, table: &str) -> Result<Option<Vec<String>>> {
    let is_without: bool =
        sqlx::query_scalar("SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = $1")
            .bind(table)
            .fetch_one(from)
            .await?;
    if !is_without {
        return Ok(None);
    }
    let key = sqlx::query_scalar("SELECT name FROM pragma_table_info($1) WHERE pk > 0 ORDER BY pk");
    Ok(Some(key.bind(table).fetch_all(from).await?))
}

/// Returns the number of rows.
pub(super) async fn count<'e, D, E>(database: E, table: &str) -> Result<i64>
where
    D: Database,
    E: Executor<'e, Database = D>,
    for<'r> i64: sqlx::Decode<'r, D> + sqlx::Type<D>,
    usize: sqlx::ColumnIndex<D::Row>,
    D::Arguments: sqlx::IntoArguments<D>,
{
    let mut query = QueryBuilder::<D>::new("SELECT COUNT(*) FROM ");
    query.push(table);
    Ok(query.build_query_scalar::<i64>().fetch_one(database).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn referenced_tables_come_first() {
        let references = [("b", "a"), ("c", "b"), ("c", "c")].map(|(one, other)| (one.into(), other.into()));
        let names = ["c", "b", "a"].map(String::from).to_vec();
        assert_eq!(sorted(names, &references), ["a", "b", "c"]);
    }
}
