//! The web console: serves the files of `console/dist`, embedded in the binary. Without a build, one page explains how to
//! make one.

mod headers;
mod page;

use std::{borrow::Cow, path::Path};

use axum::{
    body::{Body, Bytes},
    extract::{Request, State},
    http::{HeaderMap, Method, header},
    response::{IntoResponse as _, Response},
};
use guardengine_api_types::BaseUrl;
use rust_embed::{Embed, EmbeddedFile};

use crate::{
    app::Operations,
    http::{accepts_gzip, not_found},
};

#[derive(Embed)]
#[folder = "../../console/dist"]
struct Dist;

const INDEX: &str = "index.html";

/// Returns true if this build contains the console.
pub fn is_built() -> bool {
    Dist::get(INDEX).is_some()
}

/// Returns the console's start page, which handles all of its addresses.
pub fn index(headers: &HeaderMap, base: &BaseUrl) -> Response {
    file(INDEX, headers, base).unwrap_or_else(|| page::not_built(base))
}

/// Returns a file of the console, the start page for addresses of the console, or 404.
pub async fn answer(State(operations): State<Operations>, request: Request) -> Response {
    let base = &operations.settings.base_url;
    let path = request.uri().path().trim_start_matches('/');
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return not_found().await.into_response();
    }
    if let Some(file) = file(path, request.headers(), base) {
        return file;
    }
    if page::is_page(path, request.headers()) {
        index(request.headers(), base)
    } else {
        not_found().await.into_response()
    }
}

/// Returns a file of the build, compressed if the browser accepts it.
fn file(path: &str, request_headers: &HeaderMap, base: &BaseUrl) -> Option<Response> {
    let plain = Dist::get(path)
        .filter(|_| !path.starts_with('.') && Path::new(path).extension() != Some("gz".as_ref()))?;
    if path == INDEX && !base.path().is_empty() {
        let mut response =
            Response::new(Body::from(page::under(base, &String::from_utf8_lossy(&plain.data))));
        headers::set(response.headers_mut(), path);
        return Some(response);
    }
    let compressed = Dist::get(&format!("{path}.gz")).filter(|_| accepts_gzip(request_headers));
    let is_compressed = compressed.is_some();
    let mut response = Response::new(body(compressed.unwrap_or(plain)));
    headers::set(response.headers_mut(), path);
    if is_compressed {
        response.headers_mut().insert(header::CONTENT_ENCODING, headers::GZIP);
    }
    Some(response)
}

fn body(file: EmbeddedFile) -> Body {
    match file.data {
        Cow::Borrowed(bytes) => Body::from(Bytes::from_static(bytes)),
        Cow::Owned(bytes) => Body::from(bytes),
    }
}
