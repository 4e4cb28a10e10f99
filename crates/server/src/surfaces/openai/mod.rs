//! OpenAI's moderations and decisions. The types are those of its Python client 3.57.

mod categories;
mod decisions;
mod moderations;

use axum::routing::post;
use guardengine_auth::permission::ANALYZE;
use guardengine_guard::Operation;

use super::{SurfaceRoute, openai_error::openai_error, route};
use crate::http::Access::Needs;

/// The routes of this surface.
pub fn routes() -> Vec<SurfaceRoute> {
    let analyze = |path, handler| route(path, Needs(ANALYZE), Operation::Analyze, handler, openai_error);
    vec![
        analyze("/v1/moderations", post(moderations::handle)),
        analyze("/v1/decisions", post(decisions::handle)),
    ]
}
