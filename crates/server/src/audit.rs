//! What callers do, written at the end of their organisation's audit trail.

use std::fmt::Display;

use guardengine_store::Act;
use serde_json::{Map, Value, json};

use crate::{
    app::App,
    http::{Caller, Error},
};

/// Writes that `caller` did `action`, usually a permission, to `target`; `details` hold no secrets.
pub async fn record(
    app: &App,
    caller: &Caller,
    action: impl Display,
    target: impl Display,
    details: Value,
) -> Result<(), Error> {
    let act = Act {
        org_id: caller.org_id,
        principal: &caller.principal_name(),
        address: &caller.address.to_string(),
        action: &action.to_string(),
        target: &target.to_string(),
        details: &details.to_string(),
    };
    app.db.append_audit(act, app.clock.now()).await?;
    Ok(())
}

/// The fields in which two records differ: `{field: {"from": …, "to": …}}`.
pub fn changes(before: &Value, after: &Value) -> Value {
    let nothing = Map::new();
    let fields = |record| Value::as_object(record).unwrap_or(&nothing);
    let (before, after) = (fields(before), fields(after));
    let names = before.keys().chain(after.keys().filter(|name| !before.contains_key(*name)));
    let differ = names.filter(|name| before.get(*name) != after.get(*name));
    let change = |name: &String| json!({ "from": before.get(name), "to": after.get(name) });
    Value::Object(differ.map(|name| (name.clone(), change(name))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_name_what_differs_and_nothing_else() {
        let before = json!({ "name": "a", "limit": 1, "old": true });
        let after = json!({ "name": "a", "limit": 2, "new": [] });
        let expected = json!({
            "limit": { "from": 1, "to": 2 },
            "old": { "from": true, "to": null },
            "new": { "from": null, "to": [] },
        });
        assert_eq!(changes(&before, &after), expected);
    }
}
