//! Both databases have the same tables and columns.

use std::collections::BTreeSet;

use guardengine_store::Db;
use sqlx::Connection;

use crate::fixtures::own_schema;

/// Table, column, PostgreSQL's name of the type, and true if the column is nullable.
type Column = (String, String, String, bool);

async fn sqlite_columns() -> BTreeSet<Column> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schema.db");
    Db::open(&format!("sqlite://{}", path.display())).await.unwrap().close().await;
    let mut connection = sqlx::SqliteConnection::connect(&path.display().to_string()).await.unwrap();
    let columns: Vec<Column> = sqlx::query_as(
        "SELECT t.name, c.name, c.type, NOT c.\"notnull\" FROM sqlite_master t, pragma_table_info(t.name) c
         WHERE t.type = 'table' AND t.name NOT LIKE '\\_%' ESCAPE '\\'",
    )
    .fetch_all(&mut connection)
    .await
    .unwrap();
    columns.into_iter().map(as_postgres).collect()
}

fn as_postgres((table, column, kind, nullable): Column) -> Column {
    let id = column == "id" || column.ends_with("_id");
    let kind = match kind.as_str() {
        "BLOB" if id => "uuid",
        "BLOB" => "bytea",
        "REAL" => "double precision",
        other => &other.to_lowercase(),
    };
    (table, column, kind.to_owned(), nullable)
}

async fn postgres_columns(url: &str) -> BTreeSet<Column> {
    let url = own_schema(url).await;
    Db::open(&url).await.unwrap().close().await;
    let mut connection = sqlx::PgConnection::connect(&url).await.unwrap();
    let columns: Vec<Column> = sqlx::query_as(
        "SELECT table_name::text, column_name::text, data_type::text, is_nullable = 'YES'
         FROM information_schema.columns JOIN pg_class ON relnamespace = current_schema()::regnamespace
         AND relname = table_name AND NOT relispartition
         WHERE table_schema = current_schema() AND table_name NOT LIKE '\\_%'",
    )
    .fetch_all(&mut connection)
    .await
    .unwrap();
    columns.into_iter().collect()
}

#[tokio::test]
async fn the_reference_names_the_bound_of_every_table() {
    let tables: BTreeSet<_> = sqlite_columns().await.into_iter().map(|(table, ..)| table).collect();
    let reference = include_str!("../../../../docs/reference/tables.md");
    let rows = reference.lines().filter_map(|line| line.strip_prefix("| `"));
    let described: BTreeSet<_> = rows.filter_map(|row| row.split('`').next()).map(String::from).collect();
    assert_eq!(tables, described);
}

#[tokio::test]
async fn both_databases_have_the_same_tables_and_columns() {
    let sqlite = sqlite_columns().await;
    assert!(sqlite.iter().any(|column| column.0 == "logs"));
    if let Ok(url) = std::env::var("GUARDENGINE_TEST_POSTGRES") {
        let postgres = postgres_columns(&url).await;
        let differing: Vec<_> = sqlite.symmetric_difference(&postgres).collect();
        assert!(differing.is_empty(), "{differing:#?}");
    }
}
