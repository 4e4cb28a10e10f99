//! Secrets of Kubernetes: the values below `data:` of a manifest of kind `Secret`, in base64 (Kubernetes API, `Secret` v1).

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::{
    pii::{Match, nearby},
    span::Span,
};

/// Longest manifest, and how far before its kind its data may begin, in bytes.
const LONGEST: usize = 16_384;
/// Shortest value, in bytes of base64.
const SHORTEST: usize = 8;

/// Adds the values of the manifests in `text`.
pub fn find(text: &str, found: &mut Vec<Match>) {
    for kind in memchr::memmem::find_iter(text.as_bytes(), b"kind: Secret\n") {
        let before = nearby::before(text, kind, LONGEST);
        let start = kind - before.len() + before.rfind("\n---").unwrap_or(0);
        let rest = nearby::after(text, kind, LONGEST);
        let end = kind + rest.find("\n---").unwrap_or(rest.len());
        values(text, Span::new(start, end), found);
    }
}

/// The lines below `data:` that are indented deeper.
fn values(text: &str, manifest: Span, found: &mut Vec<Match>) {
    let (mut at, mut is_inside) = (manifest.start, false);
    for line in manifest.of(text).split_inclusive('\n') {
        let is_indented = line.starts_with([' ', '\t']);
        is_inside = if is_indented { is_inside } else { line.trim_end() == "data:" };
        if is_inside && is_indented {
            let value = line.rsplit_once(": ").map_or(line, |(_, value)| value).trim().trim_matches('"');
            let start = at + line.rfind(value).unwrap_or(0);
            let is_one = value.len() >= SHORTEST && STANDARD.decode(value).is_ok();
            found.extend(
                is_one.then(|| Match { span: Span::new(start, start + value.len()), confidence: 0.9 }),
            );
        }
        at += line.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        find(text, &mut found);
        found.iter().map(|found| found.span.of(text)).collect()
    }

    #[test]
    fn the_values_of_a_secret_are_found_whatever_their_key() {
        let head = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: moss\ndata:\n";
        let secret = format!("{head}  a: bW9zc290dGVyNzc=\n  b: |\n    b3R0ZXJtb3NzNzc=\ntype: Opaque\n");
        assert_eq!(found(&secret), ["bW9zc290dGVyNzc=", "b3R0ZXJtb3NzNzc="]);
    }

    #[test]
    fn other_manifests_hold_none() {
        let other = "kind: ConfigMap\ndata:\n  a: bW9zc290dGVyNzc=\n---\nkind: Secret\nmetadata:\n  name: mossotter\n";
        assert_eq!(found(other), [""; 0]);
    }
}
