//! A page of rows as one value.
//!
//! The embedded database's driver hands over row by row from a thread of its own, and waking the one that asked costs
//! more than the row. A page that the database packs into one JSON text comes whole.

use std::sync::LazyLock;

use serde::{Deserialize as _, Deserializer, Serializer, de::DeserializeOwned};
use sqlx::{QueryBuilder, Sqlite, SqlitePool, types::Json};

use crate::logs::COLUMNS;
use crate::{Result, Timestamp};

/// Columns that hold ids, which JSON has no form for.
const IDS: [&str; 4] = ["org_id", "id", "project_id", "policy_id"];

/// `SELECT` of all rows of what follows, packed.
pub(crate) static PACKED: LazyLock<String> = LazyLock::new(|| packed(COLUMNS));

/// `SELECT` of these columns of all rows of what follows, packed.
pub(crate) fn packed(columns: &str) -> String {
    let column = |name| {
        if IDS.contains(&name) { format!("iif({name} IS NULL, NULL, hex({name}))") } else { name.to_owned() }
    };
    let columns: Vec<String> = columns.split(", ").map(column).collect();
    format!("SELECT json_group_array(json_array({})) FROM (", columns.join(", "))
}

/// The rows of a query that begins with [`packed`], in no order.
pub(crate) async fn fetch<T>(mut query: QueryBuilder<Sqlite>, pool: &SqlitePool) -> Result<Vec<T>>
where
    T: DeserializeOwned + Send + Unpin + 'static,
{
    let packed = query.push(")").build_query_scalar::<Json<Vec<T>>>();
    Ok(packed.fetch_one(pool).await?.0)
}

/// What [`time`] reads.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(crate) fn micros<S: Serializer>(time: &Timestamp, to: S) -> std::result::Result<S::Ok, S::Error> {
    to.serialize_i64(time.micros())
}

/// A time as the database keeps it.
pub(crate) fn time<'de, D: Deserializer<'de>>(micros: D) -> std::result::Result<Timestamp, D::Error> {
    i64::deserialize(micros).map(Timestamp::from_micros)
}
