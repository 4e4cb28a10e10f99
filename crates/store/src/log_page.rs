//! A page of rows as one value.
//!
//! The embedded database's driver hands over row by row from a thread of its own, and waking the one that asked costs
//! more than the row. A page that the database packs into one JSON text comes whole.

use std::sync::LazyLock;

use serde::{Deserialize as _, Deserializer, Serializer};
use sqlx::{QueryBuilder, Sqlite, SqlitePool, types::Json};

use crate::logs::COLUMNS;
use crate::{Log, Result, Timestamp};

/// Columns that hold ids, which JSON has no form for.
const IDS: [&str; 4] = ["org_id", "id", "project_id", "policy_id"];

/// `SELECT` of all rows of what follows, packed.
pub(crate) static PACKED: LazyLock<String> = LazyLock::new(|| {
    let column = |name| {
        if IDS.contains(&name) { format!("iif({name} IS NULL, NULL, hex({name}))") } else { name.to_owned() }
    };
    let columns: Vec<String> = COLUMNS.split(", ").map(column).collect();
    format!("SELECT json_group_array(json_array({})) FROM (", columns.join(", "))
});

/// The rows of a query that begins with [`PACKED`], in no order.
pub(crate) async fn fetch(mut query: QueryBuilder<Sqlite>, pool: &SqlitePool) -> Result<Vec<Log>> {
    let packed = query.push(")").build_query_scalar::<Json<Vec<Log>>>();
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
