//! A name and its value side by side: `{"name": "DB_PASSWORD", "value": "…"}`, `<add key="DbPassword" value="…"/>`.

use super::joint::{Joint, Sign, sign};
use crate::pii::nearby;

/// Keys of a name.
const NAMES: [&str; 10] =
    ["name", "key", "type", "id", "field", "header", "variable", "property", "setting", "option"];
/// Keys of its value.
const VALUES: [&str; 2] = ["value", "val"];
/// Bytes in which the value begins.
const REACH: usize = 120;

/// The value beside a key that begins at `start` and ends at `end`.
pub(super) fn read(text: &str, start: usize, end: usize) -> Option<Joint> {
    if text[..start].ends_with('<') {
        return beside(text, end, nearby::after(text, end, REACH).split('>').next()?);
    }
    let named = || beside(text, end, nearby::after(text, end, REACH)).or_else(|| ahead(text, start));
    is_name(&text[..start])
        .then(named)
        .flatten()
        .or_else(|| next_element(text, end))
        .or_else(|| cell(text, start, end))
}

/// The value that stands before its name: `{"value": "…", "key": "password"}`.
fn ahead(text: &str, start: usize) -> Option<Joint> {
    let before = nearby::before(text, start, REACH);
    let object = &before[before.rfind(['{', '<'])?..];
    beside(text, start - object.len() + 1, &object[1..])
}

/// The element behind that of the label: `<key>password</key><string>…</string>`.
fn next_element(text: &str, end: usize) -> Option<Joint> {
    let (name, rest) = nearby::after(text, end, REACH).strip_prefix("</")?.split_once('>')?;
    let tag = rest
        .trim_start()
        .strip_prefix('<')
        .filter(|tag| !tag.starts_with(['/', '!']) && !tag.starts_with(name))?;
    let behind = tag.find('>')? + 1;
    let value = end + name.len() + 3 + rest.len() - tag.len() + behind;
    Some(Joint { sign: Sign::Assigned, value, is_element: true })
}

/// Returns whether what stands before a key says that it is the name of something.
fn is_name(before: &str) -> bool {
    let is_mark = |c: char| matches!(c, '"' | '\'' | '\\' | ' ');
    let named =
        before.trim_end_matches(is_mark).strip_suffix([':', '=']).map(|name| name.trim_end_matches(is_mark));
    named.is_some_and(|named| {
        let word = nearby::before(named, named.len(), 10);
        let word = word.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        NAMES.iter().any(|name| word.eq_ignore_ascii_case(name))
    })
}

/// The value whose key stands in `reach`, which begins at `end`.
fn beside(text: &str, end: usize, reach: &str) -> Option<Joint> {
    let reach = &reach[..reach.find(['{', '}', ';']).unwrap_or(reach.len())];
    let words = reach.match_indices(['v', 'V']).map(|(place, _)| place);
    let mut starts =
        words.filter(|place| !reach[..*place].ends_with(|c: char| c.is_alphanumeric() || c == '_'));
    starts.find_map(|place| value(text, end + place))
}

fn value(text: &str, at: usize) -> Option<Joint> {
    let rest = &text[at..];
    let word = VALUES
        .iter()
        .find(|word| rest.get(..word.len()).is_some_and(|read| read.eq_ignore_ascii_case(word)))?;
    let closed = rest[word.len()..].trim_start_matches(['"', '\'', '\\']);
    let element = closed.strip_prefix('>');
    let behind = element.or_else(|| sign(closed.trim_start()).map(str::trim_start))?;
    Some(Joint { sign: Sign::Assigned, value: text.len() - behind.len(), is_element: element.is_some() })
}

/// The second of two cells of a line whose first is the key: `DB_PASSWORD,…`.
fn cell(text: &str, start: usize, end: usize) -> Option<Joint> {
    let key = &text[start..end];
    let is_key = key.contains(['_', '.']) && (start == 0 || text[..start].ends_with('\n'));
    let line = is_key.then(|| nearby::after(text, end, REACH).lines().next()).flatten()?;
    let cell = line.strip_prefix([',', ';', '\t', '|'])?;
    (!cell.is_empty() && !cell.contains([',', ';', '\t', '|', ' '])).then_some(Joint {
        sign: Sign::Assigned,
        value: end + 1,
        is_element: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_beside_a_name_is_found() {
        for text in [
            r#"{"name": "PW", "value": "x"}"#,
            r#"{"Key":"PW","Type":"text","Value":"x"}"#,
            r#"{\"name\": \"PW\", \"value\": \"x"#,
            "- name: PW\n  value: x",
            "<add key=\"PW\" value=\"x\"/>",
            "<property name=\"PW\"><value>x",
            "<key>PW</key>\n  <string>x",
            "<PW value=\"x\"/>",
            r#"{"value":"x","key":"PW"}"#,
            "<input type=\"PW\" name=\"p\" value=\"x\">",
        ] {
            let start = text.find("PW").expect("the key stands in the text");
            let joint = read(text, start, start + 2).expect(text);
            assert!(text[joint.value..].trim_start_matches(['"', '\\']).starts_with('x'), "{text}");
        }
    }

    #[test]
    fn the_value_of_another_object_is_not_taken() {
        for text in [
            r#"[{"name": "PW"}, {"value": "x"}]"#,
            "the PW value: x",
            "<th>PW</th><th>x</th>",
            "<PW>x</PW><a value=\"y\">",
            r#"{"name": "PW", "values": 3}"#,
        ] {
            let start = text.find("PW").expect("the key stands in the text");
            assert_eq!(read(text, start, start + 2), None, "{text}");
        }
    }

    #[test]
    fn the_second_of_two_cells_belongs_to_its_key() {
        let text = "key,value\nDB_PW,x\n";
        assert_eq!(read(text, 10, 15).map(|joint| &text[joint.value..]), Some("x\n"));
        assert_eq!(read("A_PW,x,y", 0, 4), None);
    }
}
