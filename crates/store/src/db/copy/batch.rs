//! Copying rows of a table in batches.

use sqlx::{PgPool, QueryBuilder, Row as _, SqlitePool, sqlite::SqliteRow};
use uuid::Uuid;

use super::{
    Result,
    tables::{ColumnType, Table},
};

/// Rows per statement: PostgreSQL accepts 65,535 values, and no table has a hundred columns.
const BATCH: usize = 500;

/// A value to copy.
enum Value {
    Uuid(Option<Uuid>),
    Whole(Option<i64>),
    Double(Option<f64>),
    Text(Option<String>),
    Flag(Option<bool>),
    Bytes(Option<Vec<u8>>),
}

/// Copies the next rows of a table and records the progress in the same transaction. Returns the rows copied so far,
/// and whether they were the last.
pub(super) async fn copy_batch(from: &SqlitePool, to: &PgPool, table: &Table) -> Result<(i64, bool)> {
    let mut tx = to.begin().await?;
    let (after, copied): (i64, i64) =
        sqlx::query_as("SELECT after, copied FROM unfinished_copy WHERE table_name = $1")
            .bind(&table.name)
            .fetch_one(&mut *tx)
            .await?;
    let rows = read(from, table, after).await?;
    let Some((last, _)) = rows.last() else { return Ok((copied, true)) };
    let (last, count) = (*last, rows.len());
    let mut insert = QueryBuilder::new("INSERT INTO ");
    insert.push(&table.name).push(" (");
    let names: Vec<_> = table.columns.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    insert.push(names.join(", ")).push(") ");
    insert.push_values(rows, |mut row, (_, values)| {
        for value in values {
            match value {
                Value::Uuid(value) => row.push_bind(value),
                Value::Whole(value) => row.push_bind(value),
                Value::Double(value) => row.push_bind(value),
                Value::Text(value) => row.push_bind(value),
                Value::Flag(value) => row.push_bind(value),
                Value::Bytes(value) => row.push_bind(value),
            };
        }
    });
    insert.build().execute(&mut *tx).await?;
    let copied = copied + count as i64;
    sqlx::query("UPDATE unfinished_copy SET after = $2, copied = $3 WHERE table_name = $1")
        .bind(&table.name)
        .bind(last)
        .bind(copied)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok((copied, count < BATCH))
}

/// Returns rows with their numbers: SQLite's row identifiers, or positions in the order of the key for a table without
/// them.
async fn read(from: &SqlitePool, table: &Table, after: i64) -> Result<Vec<(i64, Vec<Value>)>> {
    let mut query = QueryBuilder::new("SELECT ");
    let names: Vec<_> = table.columns.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    query.push(names.join(", "));
    match &table.key {
        None => {
            query.push(", rowid FROM ").push(&table.name).push(" WHERE rowid > ").push_bind(after);
            query.push(" ORDER BY rowid LIMIT ").push_bind(BATCH as i64);
        }
        Some(key) => {
            query.push(" FROM ").push(&table.name).push(" ORDER BY ").push(key.join(", "));
            query.push(" LIMIT ").push_bind(BATCH as i64).push(" OFFSET ").push_bind(after);
        }
    }
    let rows = query.build().fetch_all(from).await?;
    let numbered = rows.iter().zip(after + 1..).map(|(row, place)| {
        let number = if table.key.is_none() { row.try_get(table.columns.len())? } else { place };
        Ok((number, values(row, table)?))
    });
    numbered.collect()
}

fn values(row: &SqliteRow, table: &Table) -> std::result::Result<Vec<Value>, sqlx::Error> {
    let value = |(at, (_, kind)): (usize, &(String, ColumnType))| {
        Ok(match kind {
            ColumnType::Uuid => Value::Uuid(row.try_get(at)?),
            ColumnType::Whole => Value::Whole(row.try_get(at)?),
            ColumnType::Double => Value::Double(row.try_get(at)?),
            ColumnType::Text => Value::Text(row.try_get(at)?),
            ColumnType::Flag => Value::Flag(row.try_get(at)?),
            ColumnType::Bytes => Value::Bytes(row.try_get(at)?),
        })
    };
    table.columns.iter().enumerate().map(value).collect()
}
