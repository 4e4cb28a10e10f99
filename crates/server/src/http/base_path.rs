//! Serves the paths below `base_url` as well: proxies either keep its path in requests or remove it.

use axum::{Router, extract::Request, http::Uri, middleware::map_request};
use guardengine_api_types::BaseUrl;

/// Returns a router that takes paths with the path of `base` and without it.
pub fn under(base: &BaseUrl, router: Router) -> Router {
    let prefix = base.path().to_owned();
    if prefix.is_empty() {
        return router;
    }
    let remove = move |mut request: Request| {
        if let Some(uri) = without(&prefix, request.uri()) {
            *request.uri_mut() = uri;
        }
        std::future::ready(request)
    };
    // Layers of a router see a request before its fallback chooses the route.
    Router::new().fallback_service(router).layer(map_request(remove))
}

/// Returns the address without `prefix`; `None` if it does not begin with it.
fn without(prefix: &str, uri: &Uri) -> Option<Uri> {
    let rest = uri.path().strip_prefix(prefix).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(format!("/{}{query}", rest.trim_start_matches('/')).parse().ok()?);
    Uri::from_parts(parts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_segments_are_removed() {
        let shown = |uri: &str| without("/guard", &uri.parse().unwrap()).map(|uri| uri.to_string());
        assert_eq!(shown("/guard/logs?entry=1&x=/guard").as_deref(), Some("/logs?entry=1&x=/guard"));
        assert_eq!(shown("/guard").as_deref(), Some("/"));
        assert_eq!(shown("/guard?x").as_deref(), Some("/?x"));
        assert_eq!(shown("http://host/guard/").as_deref(), Some("http://host/"));
        assert_eq!(shown("/guards"), None);
        assert_eq!(shown("/logs"), None);
    }
}
