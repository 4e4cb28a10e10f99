//! Differences between two versions of a record, in a compact form for the audit trail.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// Fields that name a list item, in order of preference.
const NAME_FIELDS: [&str; 2] = ["guardrail", "name"];

/// Returns the fields that differ: `{field: {"from": …, "to": …}}`. For lists, returns the added, removed and changed items:
/// `{field: {"added": […], "removed": […], "changed": {name: {…}}}}`.
pub fn diff(before: &Value, after: &Value) -> Value {
    let nothing = Map::new();
    let fields = |record| Value::as_object(record).unwrap_or(&nothing);
    let (before, after) = (fields(before), fields(after));
    let names = before.keys().chain(after.keys().filter(|name| !before.contains_key(*name)));
    let differ = names.filter(|name| before.get(*name) != after.get(*name));
    let change = |name: &String| change(before.get(name), after.get(name));
    Value::Object(differ.map(|name| (name.clone(), change(name))).collect())
}

fn change(before: Option<&Value>, after: Option<&Value>) -> Value {
    let lists = before.and_then(Value::as_array).zip(after.and_then(Value::as_array));
    let change = lists.map(|(before, after)| match (by_name(before), by_name(after)) {
        (Some(before), Some(after)) => items(&before, &after),
        _ => members(before, after),
    });
    // An empty change means the same members in another order, or repeated ones.
    change.filter(|change| *change != json!({})).unwrap_or_else(|| json!({ "from": before, "to": after }))
}

/// Returns the items by name, or `None` if an item has no name or a duplicate one.
fn by_name(list: &[Value]) -> Option<BTreeMap<&str, &Value>> {
    let items: BTreeMap<_, _> =
        list.iter().map(|item| Some((name_of(item)?, item))).collect::<Option<_>>()?;
    (items.len() == list.len()).then_some(items)
}

fn name_of(item: &Value) -> Option<&str> {
    NAME_FIELDS.iter().find_map(|name| item.get(name)?.as_str())
}

fn items(before: &BTreeMap<&str, &Value>, after: &BTreeMap<&str, &Value>) -> Value {
    let only = |these: &BTreeMap<&str, &Value>, others: &BTreeMap<&str, &Value>| {
        let rest = these.iter().filter(|(name, _)| !others.contains_key(*name));
        rest.map(|(_, item)| (*item).clone()).collect::<Vec<_>>()
    };
    let both = before.iter().filter_map(|(name, item)| Some((*name, *item, *after.get(name)?)));
    let differ = both.filter(|(_, before, after)| before != after);
    let changed = differ.map(|(name, before, after)| (name.to_owned(), diff(before, after))).collect();
    list_change(only(after, before), only(before, after), changed)
}

fn members(before: &[Value], after: &[Value]) -> Value {
    let only = |these: &[Value], others: &[Value]| {
        these.iter().filter(|item| !others.contains(item)).cloned().collect::<Vec<_>>()
    };
    list_change(only(after, before), only(before, after), Map::new())
}

fn list_change(added: Vec<Value>, removed: Vec<Value>, changed: Map<String, Value>) -> Value {
    let mut change = Map::new();
    let lists = [("added", added), ("removed", removed)].into_iter().filter(|(_, list)| !list.is_empty());
    change.extend(lists.map(|(name, list)| (name.to_owned(), Value::Array(list))));
    if !changed.is_empty() {
        change.insert("changed".to_owned(), Value::Object(changed));
    }
    Value::Object(change)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_differing_fields_only() {
        let before = json!({ "name": "a", "limit": 1, "old": true });
        let after = json!({ "name": "a", "limit": 2, "new": [] });
        let expected = json!({
            "limit": { "from": 1, "to": 2 },
            "old": { "from": true, "to": null },
            "new": { "from": null, "to": [] },
        });
        assert_eq!(diff(&before, &after), expected);
    }

    #[test]
    fn returns_added_and_removed_list_items() {
        let before = json!({ "words": ["a", "b", "c"] });
        let after = json!({ "words": ["c", "b", "d"] });
        assert_eq!(diff(&before, &after), json!({ "words": { "added": ["d"], "removed": ["a"] } }));
    }

    #[test]
    fn returns_changed_fields_of_named_items() {
        let item =
            |guardrail: &str, threshold: f64| json!({ "guardrail": guardrail, "threshold": threshold });
        let before =
            json!({ "guardrails": [item("spam", 0.5), item("hate_speech", 0.5), item("nsfw", 0.5)] });
        let after = json!({ "guardrails": [item("spam", 0.5), item("nsfw", 0.75), item("bias", 0.5)] });
        let expected = json!({
            "added": [item("bias", 0.5)],
            "removed": [item("hate_speech", 0.5)],
            "changed": { "nsfw": { "threshold": { "from": 0.5, "to": 0.75 } } },
        });
        assert_eq!(diff(&before, &after), json!({ "guardrails": expected }));
    }

    #[test]
    fn returns_whole_lists_for_reordered_and_repeated_members() {
        let of = |words: Value| json!({ "words": words });
        let whole = |before: &Value, after: &Value| json!({ "words": { "from": before, "to": after } });
        for (before, after) in [(json!(["a", "b"]), json!(["b", "a"])), (json!(["a"]), json!(["a", "a"]))] {
            assert_eq!(diff(&of(before.clone()), &of(after.clone())), whole(&before, &after));
        }
    }
}
