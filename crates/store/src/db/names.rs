//! Comparison keys of names that an earlier rule wrote: each start writes them anew.
//!
//! Names stay as they are, except where two of them become equal: then the older one keeps its name, and the later ones
//! get a number. Each of these has an entry in the audit trail.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::QueryBuilder;
use uuid::Uuid;

use super::Tx;
use crate::name::{MAX_NAME_CHARS, name_key};
use crate::{Actor, Clock, Db, Result, Timestamp};

/// Action of the audit entries. Their details are `{"type","name":{"from","to"}}`.
pub const RENAME_ACTION: &str = "rename";
/// Principal of the audit entries.
const PRINCIPAL: &str = "upgrade";

/// A table with unique names.
struct Named {
    table: &'static str,
    /// The kind of thing that has the name.
    kind: &'static str,
    name: &'static str,
    key: &'static str,
    /// Column of the organization within which names are unique; `None` if they are for the whole installation.
    org: Option<&'static str>,
}

const NAMED: [Named; 6] = [
    Named { table: "users", kind: "user", name: "username", key: "username_key", org: None },
    Named { table: "orgs", kind: "organization", name: "name", key: "name_key", org: None },
    Named { table: "roles", kind: "role", name: "name", key: "name_key", org: Some("org_id") },
    Named { table: "policies", kind: "policy", name: "name", key: "name_key", org: Some("org_id") },
    Named { table: "projects", kind: "project", name: "name", key: "name_key", org: Some("org_id") },
    Named { table: "connectors", kind: "connector", name: "name", key: "name_key", org: Some("org_id") },
];

/// A named row.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
struct Row {
    id: Uuid,
    /// Organization; the nil UUID if names are unique in the whole installation.
    org_id: Uuid,
    name: String,
    key: String,
    created_at: Timestamp,
}

/// A row with its name and key under the rule.
#[derive(Debug, PartialEq, Eq)]
struct Change {
    row: Row,
    name: String,
    key: String,
}

impl Db {
    /// Writes the keys of all names by the rule of this program. Does nothing, and writes nothing, where they are.
    /// Needs the key of the audit trails where a name changes.
    pub async fn update_name_keys(&self) -> Result<()> {
        for named in &NAMED {
            if !self.has_stale_keys(named).await? {
                continue;
            }
            let now = Clock::System.now();
            let mut tx = self.write().await?;
            tx.lock_trail(Uuid::nil()).await?;
            for change in changes(tx.named_rows(named).await?) {
                tx.apply(named, &change, now).await?;
            }
            tx.commit().await?;
        }
        Ok(())
    }

    /// Returns whether a key differs from the rule. Keys in ASCII are the same under every rule so far.
    async fn has_stale_keys(&self, named: &Named) -> Result<bool> {
        let names: Vec<(String, String)> = on!(self.reader(), |pool| {
            let mut query = QueryBuilder::new("SELECT ");
            query.push(named.name).push(", ").push(named.key).push(" FROM ").push(named.table);
            query.push(" WHERE OCTET_LENGTH(").push(named.key).push(") <> LENGTH(").push(named.key).push(")");
            query.build_query_as().fetch_all(pool).await?
        });
        Ok(names.iter().any(|(name, key)| name_key(name) != *key))
    }
}

impl Tx {
    async fn named_rows(&mut self, named: &Named) -> Result<Vec<Row>> {
        Ok(on!(self.connection(), |c| {
            let mut query = QueryBuilder::new("SELECT id, ");
            match named.org {
                Some(org) => query.push(org),
                None => query.push_bind(Uuid::nil()),
            };
            query.push(" AS org_id, ").push(named.name).push(" AS name, ").push(named.key).push(" AS key, ");
            query.push("created_at FROM ").push(named.table).push(" ORDER BY created_at, id");
            query.build_query_as().fetch_all(c).await?
        }))
    }

    async fn apply(&mut self, named: &Named, change: &Change, now: Timestamp) -> Result<()> {
        let row = &change.row;
        on!(self.connection(), |c| {
            let mut query = QueryBuilder::new("UPDATE ");
            query.push(named.table).push(" SET ").push(named.name).push(" = ").push_bind(&change.name);
            query.push(", ").push(named.key).push(" = ").push_bind(&change.key);
            query.push(" WHERE id = ").push_bind(row.id);
            query.build().execute(c).await?;
        });
        if change.name == row.name {
            return Ok(());
        }
        match named.kind {
            "role" => self.rename_role_of_members(row.org_id, &row.name, &change.name).await?,
            "policy" => self.rename_policy_document(row.org_id, row.id, &change.name, now).await?,
            _ => {}
        }
        let org_id = if named.kind == "organization" { row.id } else { row.org_id };
        let actor = Actor { org_id, principal: PRINCIPAL.to_owned(), address: String::new() };
        let details = serde_json::json!({
            "type": named.kind,
            "name": { "from": row.name, "to": change.name },
        });
        self.audit(&actor, RENAME_ACTION, &row.id.to_string(), &details.to_string(), now).await?;
        tracing::warn!(kind = named.kind, id = %row.id, "renamed, because an older one has an equal name");
        Ok(())
    }
}

/// Returns the rows whose key or name changes, in an order in which no key is taken when it is written. Rows are in order
/// of age.
fn changes(mut rows: Vec<Row>) -> Vec<Change> {
    // Released names begin with a blank, and are compared with none.
    rows.retain(|row| !row.key.starts_with(' '));
    let mut taken: BTreeSet<(Uuid, String)> =
        rows.iter().map(|row| (row.org_id, name_key(&row.name))).collect();
    let mut owners = BTreeSet::new();
    let mut changes = Vec::new();
    for row in rows {
        let (name, key) = (row.name.clone(), name_key(&row.name));
        let change = if owners.insert((row.org_id, key.clone())) {
            Change { row, name, key }
        } else {
            let (name, key) = free_name(&row, &taken);
            taken.insert((row.org_id, key.clone()));
            Change { row, name, key }
        };
        changes.push(change);
    }
    let changes = changes.into_iter().filter(|change| change.key != change.row.key).collect();
    in_order_of_release(changes)
}

/// Returns the name with the first free number, and its key.
fn free_name(row: &Row, taken: &BTreeSet<(Uuid, String)>) -> (String, String) {
    let mut number = 2;
    loop {
        let suffix = format!("-{number}");
        let kept = row.name.chars().take(MAX_NAME_CHARS - suffix.len());
        let name: String = kept.chain(suffix.chars()).collect();
        let key = name_key(&name);
        if !taken.contains(&(row.org_id, key.clone())) {
            return (name, key);
        }
        number += 1;
    }
}

/// Orders changes so that each key is released before another row takes it.
fn in_order_of_release(changes: Vec<Change>) -> Vec<Change> {
    let mut waiting: BTreeMap<(Uuid, String), Change> =
        changes.into_iter().map(|change| ((change.row.org_id, change.row.key.clone()), change)).collect();
    let mut ordered = Vec::new();
    while let Some(first) = waiting.keys().next().cloned() {
        let mut chain = Vec::new();
        let mut next = Some(first);
        while let Some(change) = next.take().and_then(|held| waiting.remove(&held)) {
            next = Some((change.row.org_id, change.key.clone()));
            chain.push(change);
        }
        // The last of a chain takes a key that nobody holds.
        ordered.extend(chain.into_iter().rev());
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: u128, name: &str, key: &str) -> Row {
        Row {
            id: Uuid::from_u128(id),
            org_id: Uuid::nil(),
            name: name.to_owned(),
            key: key.to_owned(),
            created_at: Timestamp::from_micros(i64::try_from(id).unwrap()),
        }
    }

    fn shown(changes: &[Change]) -> Vec<(u128, &str, &str)> {
        changes.iter().map(|change| (change.row.id.as_u128(), &*change.name, &*change.key)).collect()
    }

    #[test]
    fn the_older_of_two_equal_names_stays_and_its_key_is_released_first() {
        let rows = vec![
            row(1, "Zoe\u{301}", "zoe\u{301}"),
            row(2, "Zo\u{e9}", "zo\u{e9}"),
            row(3, "zo\u{e9}-2", "zo\u{e9}-2"),
        ];
        let expected = [(2, "Zo\u{e9}-3", "zo\u{e9}-3"), (1, "Zoe\u{301}", "zo\u{e9}")];
        assert_eq!(shown(&changes(rows)), expected);
    }

    #[test]
    fn keys_that_follow_the_rule_do_not_change() {
        let rows = vec![row(1, "Zo\u{e9}", "zo\u{e9}"), row(2, "Zoe\u{301}", " 00000000"), row(3, "a", "a")];
        assert_eq!(changes(rows), []);
    }

    #[test]
    fn a_long_name_makes_room_for_its_number() {
        let long = "\u{e9}".repeat(100);
        let rows = vec![row(1, &"e\u{301}".repeat(100), "old"), row(2, &long, &long)];
        let changed = changes(rows);
        assert_eq!(changed[0].name.chars().count(), 100);
        assert!(changed[0].name.ends_with("-2"));
    }
}
