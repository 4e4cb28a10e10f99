//! Addresses and credentials of surfaces: `/p/{projectId}/…`, `/k/{key}/…`, and the vendors' own headers.
//!
//! They are resolved before routing. So one route with one rate limit takes every form, admission finds the key where it
//! always is, and no later layer, such as the request log, sees a path with a key.

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, Uri, header},
    middleware::map_request,
};

/// Stands for a key in a path that leads nowhere.
const HIDDEN: &str = "-";
/// First characters of API keys.
const KEY_PREFIX: &str = "ge_";
const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
/// Headers in which clients of other vendors send a bare key.
const VENDOR_HEADERS: [HeaderName; 2] =
    [HeaderName::from_static("api-key"), HeaderName::from_static("ocp-apim-subscription-key")];

/// The project that the path of a request names, as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathProject(pub String);

/// Returns a router that also takes the paths of surfaces below `/p/{projectId}` and, if `has_keys`, below `/k/{key}`.
pub fn addressed(paths: Vec<&'static str>, has_keys: bool, router: Router) -> Router {
    let paths: Arc<[&'static str]> = paths.into();
    let resolve = move |mut request: Request| {
        resolve(&paths, has_keys, &mut request);
        std::future::ready(request)
    };
    // Layers of a router see a request before its fallback chooses the route.
    Router::new().fallback_service(router).layer(map_request(resolve))
}

/// The segments before the path of a surface.
#[derive(Debug, Default, PartialEq, Eq)]
struct Prefix<'p> {
    key: Option<&'p str>,
    project: Option<&'p str>,
}

/// Splits a path into its prefixes and the rest, which begins with a slash.
fn split(path: &str) -> (Prefix<'_>, &str) {
    let (mut prefix, mut rest) = (Prefix::default(), path);
    loop {
        let (slot, after) = match rest.get(..3) {
            Some("/k/") if prefix.key.is_none() => (&mut prefix.key, &rest[3..]),
            Some("/p/") if prefix.project.is_none() => (&mut prefix.project, &rest[3..]),
            _ => return (prefix, rest),
        };
        let end = after.find('/').unwrap_or(after.len());
        *slot = Some(&after[..end]);
        rest = &after[end..];
    }
}

fn resolve(paths: &[&str], has_keys: bool, request: &mut Request) {
    let (prefix, rest) = split(request.uri().path());
    let is_surface = is_one_of(paths, rest);
    if prefix == Prefix::default() {
        // Most requests: nothing is copied.
        if is_surface {
            take_credential(request.headers_mut(), None);
        }
        return;
    }
    let (key, project) = (prefix.key.map(str::to_owned), prefix.project.map(str::to_owned));
    let rest = rest.to_owned();
    if key.is_some() && !(is_surface && has_keys) {
        // Not ours, but nobody may read the key in a log.
        set_path(request, &format!("/k/{HIDDEN}{rest}"));
    } else if is_surface {
        set_path(request, &rest);
        if let Some(project) = project {
            request.extensions_mut().insert(PathProject(project));
        }
        take_credential(request.headers_mut(), key.as_deref());
    }
}

/// Moves a vendor's credential to the header of API keys, unless there is one: the path's key, a bearer token that is an
/// API key, or a vendor's header.
fn take_credential(headers: &mut HeaderMap, path_key: Option<&str>) {
    if headers.contains_key(API_KEY) {
        return;
    }
    let vendor = || VENDOR_HEADERS.iter().find_map(|name| headers.get(name)?.to_str().ok());
    let Some(key) = path_key.or_else(|| bearer_key(headers)).or_else(vendor) else { return };
    if let Ok(mut key) = HeaderValue::from_str(key) {
        key.set_sensitive(true);
        headers.insert(API_KEY, key);
    }
}

fn bearer_key(headers: &HeaderMap) -> Option<&str> {
    let (scheme, key) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    Some(key.trim()).filter(|key| scheme.eq_ignore_ascii_case("bearer") && key.starts_with(KEY_PREFIX))
}

/// Returns whether a path matches one of the templates, whose segments in braces stand for any segment.
fn is_one_of(templates: &[&str], path: &str) -> bool {
    let matches = |template: &&str| {
        let (mut expected, mut found) = (template.split('/'), path.split('/'));
        loop {
            match (expected.next(), found.next()) {
                (None, None) => return true,
                (Some(one), Some(other)) if one == other || one.starts_with('{') && !other.is_empty() => {}
                _ => return false,
            }
        }
    };
    templates.iter().any(matches)
}

/// Replaces the path and keeps the query.
fn set_path(request: &mut Request, path: &str) {
    let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut parts = request.uri().clone().into_parts();
    // A part of a valid address is valid by itself; anything else leads nowhere.
    parts.path_and_query = format!("{path}{query}").parse().ok();
    *request.uri_mut() = Uri::from_parts(parts).unwrap_or_default();
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    const PATHS: [&str; 2] = ["/analyze", "/guardrail/{id}/apply"];

    fn resolved(has_keys: bool, uri: &str, headers: &[(&'static str, &str)]) -> Request {
        let request = headers
            .iter()
            .fold(Request::builder().uri(uri), |request, (name, value)| request.header(*name, *value));
        let mut request = request.body(Body::empty()).unwrap();
        resolve(&PATHS, has_keys, &mut request);
        request
    }

    fn key(request: &Request) -> Option<&str> {
        request.headers().get(API_KEY).map(|key| key.to_str().unwrap())
    }

    #[test]
    fn prefixes_of_surfaces_name_the_project_and_the_key() {
        for uri in ["/k/ge_1/p/7/analyze?a=/k/b", "/p/7/k/ge_1/analyze?a=/k/b"] {
            let request = resolved(true, uri, &[]);
            assert_eq!(request.uri(), "/analyze?a=/k/b", "{uri}");
            assert_eq!(request.extensions().get(), Some(&PathProject("7".to_owned())));
            assert_eq!(key(&request), Some("ge_1"));
            assert!(request.headers()[API_KEY].is_sensitive());
        }
        let request = resolved(false, "/p/7/guardrail/g/apply", &[]);
        assert_eq!((request.uri().path(), key(&request)), ("/guardrail/g/apply", None));
    }

    #[test]
    fn a_path_with_a_key_never_survives() {
        for (has_keys, uri, expected) in [
            (false, "/k/ge_1/analyze", "/k/-/analyze"),
            (true, "/k/ge_1/api/logs?x=1", "/k/-/api/logs?x=1"),
            (true, "/k/ge_1", "/k/-"),
            (true, "/p/7/k/ge_1/nothing", "/k/-/nothing"),
        ] {
            let request = resolved(has_keys, uri, &[]);
            assert_eq!(request.uri(), expected);
            assert_eq!(key(&request), None, "{uri}");
        }
    }

    #[test]
    fn only_paths_of_surfaces_have_a_project_before_them() {
        for uri in ["/p/7/api/logs", "/p/7", "/p/7/analyze/x", "/p/7/p/8/analyze", "/p//guardrail//apply"] {
            assert_eq!(resolved(true, uri, &[]).uri(), uri);
        }
    }

    #[test]
    fn vendors_headers_hold_api_keys() {
        for header in
            [("authorization", "Bearer ge_1"), ("api-key", "ge_1"), ("ocp-apim-subscription-key", "ge_1")]
        {
            assert_eq!(key(&resolved(false, "/analyze", &[header])), Some("ge_1"), "{header:?}");
            assert_eq!(key(&resolved(false, "/api/logs", &[header])), None, "{header:?}");
            let both = [header, ("x-api-key", "ge_2")];
            assert_eq!(key(&resolved(false, "/analyze", &both)), Some("ge_2"), "{header:?}");
        }
        assert_eq!(key(&resolved(false, "/analyze", &[("authorization", "Bearer eyJ0")])), None);
    }
}
