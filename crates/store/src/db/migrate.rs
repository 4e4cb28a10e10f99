//! The migrations of the schema, for each database.

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// Lists migrations. A file is named by its four-digit version and its name. One that begins with `-- no-transaction`
/// commits by itself and can be repeated after an interruption.
macro_rules! migrations {
    ($folder:literal: $($version:literal $file:literal),*) => {
        Migrator::with_migrations(vec![$(Migration::new(
            $version,
            $file[5..].into(),
            MigrationType::Simple,
            include_str!(concat!("../../migrations/", $folder, "/", $file, ".sql")).into_sql_str(),
            include_str!(concat!("../../migrations/", $folder, "/", $file, ".sql"))
                .starts_with("-- no-transaction"),
        )),*])
    };
}

/// Schema version of this program.
pub(crate) fn newest_version() -> i64 {
    sqlite().iter().map(|migration| migration.version).max().unwrap_or(0)
}

pub(super) fn sqlite() -> Migrator {
    migrations!(
        "sqlite": 1 "0001_foundation", 2 "0002_people", 4 "0004_logs", 5 "0005_connectors", 6 "0006_autonomous",
        7 "0007_tickets", 8 "0008_events", 9 "0009_triggered", 10 "0010_console", 11 "0011_spool",
        12 "0012_months", 13 "0013_log_export", 14 "0014_write_checks", 15 "0015_user_ids",
        16 "0016_credit_rollups", 18 "0018_key_scopes", 19 "0019_require_project",
        20 "0020_lockout_names", 21 "0021_audit_key", 22 "0022_surfaces",
        23 "0023_gateway", 24 "0024_gateway_calls", 26 "0026_mcp_tools", 27 "0027_jobs",
        28 "0028_conversations", 29 "0029_alerts", 31 "0031_evaluation", 32 "0032_log_views",
        33 "0033_invitations", 34 "0034_usage"
    )
}

pub(super) fn postgres() -> Migrator {
    migrations!(
        "postgres": 1 "0001_foundation", 2 "0002_people", 4 "0004_logs", 5 "0005_connectors", 6 "0006_autonomous",
        7 "0007_tickets", 8 "0008_events", 9 "0009_triggered", 10 "0010_console", 11 "0011_spool",
        12 "0012_months", 13 "0013_log_export", 14 "0014_write_checks", 15 "0015_user_ids",
        16 "0016_credit_rollups", 18 "0018_key_scopes", 19 "0019_require_project",
        20 "0020_lockout_names", 21 "0021_audit_key", 22 "0022_surfaces",
        23 "0023_gateway", 24 "0024_gateway_calls", 26 "0026_mcp_tools", 27 "0027_jobs",
        28 "0028_conversations", 29 "0029_alerts", 31 "0031_evaluation", 32 "0032_log_views",
        33 "0033_invitations", 34 "0034_usage"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the versions of the files of a database.
    fn files(database: &str) -> Vec<i64> {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(database);
        let names = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
        let mut versions: Vec<i64> = names.map(|name| name.to_str().unwrap()[..4].parse().unwrap()).collect();
        versions.sort_unstable();
        versions
    }

    #[test]
    fn every_file_is_listed() {
        for (database, listed) in [("sqlite", sqlite()), ("postgres", postgres())] {
            let listed: Vec<i64> = listed.iter().map(|migration| migration.version).collect();
            assert_eq!(listed, files(database), "{database}");
        }
    }
}
