//! The address under which people reach the service, and the links that begin with it.

use std::sync::Arc;

use uuid::Uuid;

/// First segments of the service's own paths. A base path that begins with one is ambiguous where a proxy
/// removes it.
const OWN_PATHS: [&str; 52] = [
    "alerts",
    "analyze",
    "anonymize",
    "anonymizers",
    "api",
    "api-keys",
    "assets",
    "audit",
    "auth",
    "beta",
    "clients",
    "connectors",
    "conversation",
    "credits",
    "deanonymize",
    "deanonymizers",
    "docs",
    "engine",
    "evaluation",
    "events",
    "favicon.svg",
    "healthz",
    "index.html",
    "invitation",
    "k",
    "keys",
    "login",
    "logout",
    "logs",
    "mcp",
    "metrics",
    "openapi.json",
    "organization",
    "p",
    "playground",
    "policies",
    "profile",
    "projects",
    "readyz",
    "recognizers",
    "refresh",
    "reviews",
    "roles",
    "sign-in",
    "start",
    "supportedentities",
    "theme.js",
    "tickets",
    "token",
    "users",
    "v1",
    "v2",
];

/// Scheme, host and path of the service as people reach it; cheap to clone. The default is unknown: then there are no
/// links, and the path is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BaseUrl {
    /// Without a slash at the end.
    url: Option<Arc<str>>,
    /// Length of scheme and host.
    origin: usize,
}

impl BaseUrl {
    /// Parses an address such as `https://host.example/guard/`. The slash at the end is optional. `None` for other
    /// addresses, and for paths of the service itself.
    pub fn parse(text: &str) -> Option<Self> {
        let url = text.strip_suffix('/').unwrap_or(text);
        let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let is_host = !host.is_empty()
            && host
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | ':' | '[' | ']'));
        let is_segment = |segment: &str| {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~');
            !segment.is_empty() && segment.chars().all(is_plain) && !matches!(segment, "." | "..")
        };
        let mut segments = path.split('/').skip(1);
        let is_path = segments.clone().all(is_segment);
        let is_own = segments.next().is_some_and(|first| OWN_PATHS.contains(&first));
        let is_accepted = is_host && is_path && !is_own;
        is_accepted.then(|| Self { origin: url.len() - path.len(), url: Some(url.into()) })
    }

    /// Returns the address without a slash at the end, if it is known.
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// Returns the path without a slash at the end: empty, or such as `/guard`.
    pub fn path(&self) -> &str {
        self.url().and_then(|url| url.get(self.origin..)).unwrap_or_default()
    }

    /// Returns the link to a page of the console.
    pub fn page(&self, path: &str) -> Option<String> {
        self.url().map(|url| format!("{url}{path}"))
    }

    /// Returns the link to a log entry in the console.
    pub fn log_entry(&self, id: Uuid) -> Option<String> {
        self.page(&format!("/logs?entry={id}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_an_address_into_its_parts() {
        for (text, url, path) in [
            ("https://host.example/guard/", "https://host.example/guard", "/guard"),
            ("https://host.example/ai/guard", "https://host.example/ai/guard", "/ai/guard"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080", ""),
            ("http://[::1]:8080/", "http://[::1]:8080", ""),
        ] {
            let base = BaseUrl::parse(text).unwrap();
            assert_eq!((base.url(), base.path()), (Some(url), path));
        }
        assert_eq!((BaseUrl::default().url(), BaseUrl::default().path()), (None, ""));
    }

    #[test]
    fn refuses_what_is_not_a_base() {
        for text in [
            "",
            "/guard",
            "host/guard",
            "ftp://host/",
            "https://",
            "https:///guard",
            "https://me:x@host/",
            "https://host/a//b",
            "https://host/../b",
            "https://host/a?b",
            "https://host/a#b",
            "https://host/a b",
            "https://host/api",
            "https://host/logs/guard",
            "https://host/%61",
        ] {
            assert_eq!(BaseUrl::parse(text), None, "{text}");
        }
    }

    #[test]
    fn links_begin_with_the_address() {
        let base = BaseUrl::parse("https://host.example/guard/").unwrap();
        let entry = "https://host.example/guard/logs?entry=00000000-0000-0000-0000-000000000000";
        assert_eq!(base.log_entry(Uuid::nil()).as_deref(), Some(entry));
        assert_eq!(BaseUrl::default().log_entry(Uuid::nil()), None);
    }
}
