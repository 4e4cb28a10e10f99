//! Pages of log entries, fetched as one value.
//!
//! The SQLite driver passes rows one by one from its own thread, and waking the receiver costs more than the row. A
//! page packed into one JSON text arrives at once.

use std::sync::LazyLock;

use serde::{Deserialize as _, Deserializer, Serializer, de::DeserializeOwned};
use sqlx::{QueryBuilder, Sqlite, SqlitePool, types::Json};

use super::entries::COLUMNS;
use crate::{Result, Timestamp};

/// Columns that hold identifiers, which JSON cannot represent.
const IDS: [&str; 5] = ["org_id", "id", "project_id", "policy_id", "user_id"];

/// Begins a query that packs whole log entries.
pub(crate) static PACKED: LazyLock<String> = LazyLock::new(|| packed(COLUMNS));

/// Begins a query that packs these columns of all rows of a subquery.
pub(crate) fn packed(columns: &str) -> String {
    let column = |name| {
        if IDS.contains(&name) { format!("iif({name} IS NULL, NULL, hex({name}))") } else { name.to_owned() }
    };
    let columns: Vec<String> = columns.split(", ").map(column).collect();
    format!("SELECT json_group_array(json_array({})) FROM (", columns.join(", "))
}

/// Runs a query that begins with [`packed`] and returns its rows, in no order.
pub(crate) async fn fetch<T>(mut query: QueryBuilder<Sqlite>, pool: &SqlitePool) -> Result<Vec<T>>
where
    T: DeserializeOwned + Send + Unpin + 'static,
{
    let packed = query.push(")").build_query_scalar::<Json<Vec<T>>>();
    Ok(packed.fetch_one(pool).await?.0)
}

/// Serializes a time for [`time`].
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(crate) fn micros<S: Serializer>(time: &Timestamp, to: S) -> std::result::Result<S::Ok, S::Error> {
    to.serialize_i64(time.micros())
}

/// Deserializes a time as stored.
pub(crate) fn time<'de, D: Deserializer<'de>>(micros: D) -> std::result::Result<Timestamp, D::Error> {
    i64::deserialize(micros).map(Timestamp::from_micros)
}
