//! The web console: what its build left in `console/dist`, inside the binary. Where nothing was built, one page says how.

mod headers;
mod page;

use std::{borrow::Cow, path::Path};

use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{HeaderMap, Method, header},
    response::{IntoResponse as _, Response},
};
use rust_embed::{Embed, EmbeddedFile};

use crate::http::not_found;

#[derive(Embed)]
#[folder = "../../console/dist"]
struct Dist;

/// Whether the build found the console.
pub fn is_built() -> bool {
    Dist::get("index.html").is_some()
}

/// The page that every address of the console begins with.
pub fn index(headers: &HeaderMap) -> Response {
    file("index.html", headers).unwrap_or_else(page::not_built)
}

/// A file of the console, its page for addresses that only the console knows, or 404.
pub async fn answer(request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return not_found().await.into_response();
    }
    if let Some(file) = file(path, request.headers()) {
        return file;
    }
    if page::is_page(path, request.headers()) {
        index(request.headers())
    } else {
        not_found().await.into_response()
    }
}

/// A file as the build made it; its packed twin where the browser takes that.
fn file(path: &str, asked: &HeaderMap) -> Option<Response> {
    let plain = Dist::get(path)
        .filter(|_| !path.starts_with('.') && Path::new(path).extension() != Some("gz".as_ref()))?;
    let packed = Dist::get(&format!("{path}.gz")).filter(|_| headers::takes_gzip(asked));
    let is_packed = packed.is_some();
    let mut response = Response::new(body(packed.unwrap_or(plain)));
    headers::set(response.headers_mut(), path);
    if is_packed {
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
