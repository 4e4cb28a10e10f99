//! Paging of lists.

use std::str::FromStr;

use axum::{extract::FromRequestParts, http::request::Parts};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::Page;
use utoipa::IntoParams;
use uuid::Uuid;

use super::{Error, FromFields, Query};

const MAX_LIMIT: u16 = 500;
const DEFAULT_LIMIT: u16 = 50;

/// Limit and cursor of a page; `C` is the type of the cursor.
#[derive(Clone, Copy, Debug)]
pub struct PageQuery<C = Uuid> {
    /// Maximum number of items.
    pub limit: u16,
    /// Cursor of the page; `None` for the first page.
    pub cursor: Option<C>,
}

/// The parameters of [`PageQuery`] for the API document.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes parameters that are parsed by hand")]
pub struct PageParameters {
    /// Maximum number of items, 1 to 500. Default: 50.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u16>,
    /// `next_cursor` of the previous page.
    cursor: Option<Uuid>,
}

/// As [`PageParameters`], where the cursor is a number.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes parameters that are parsed by hand")]
pub struct NumberedPageParameters {
    /// Maximum number of items, 1 to 500. Default: 50.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u16>,
    /// `next_cursor` of the previous page.
    #[param(pattern = "^[0-9]{1,18}$")]
    cursor: Option<String>,
}

impl PageQuery {
    /// The page for the store.
    pub const fn page(self) -> Page {
        Page { limit: self.limit, before: self.cursor }
    }
}

impl<C: FromStr> FromFields for PageQuery<C> {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let accepted = format!("must be a whole number from 1 to {MAX_LIMIT}");
        let limit = parsed(fields, "limit", &accepted)?.unwrap_or(DEFAULT_LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(FieldError::value("limit", accepted));
        }
        Ok(Self { limit, cursor: parsed(fields, "cursor", "must be the next_cursor of an earlier answer")? })
    }
}

impl<S: Sync, C: FromStr> FromRequestParts<S> for PageQuery<C> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let Query(page) = Query::from_request_parts(parts, state).await?;
        Ok(page)
    }
}

/// Parses a query parameter.
pub fn parsed<T: FromStr>(fields: Fields<'_>, field: &str, accepted: &str) -> Result<Option<T>, FieldError> {
    let parse = |text: &str| text.parse().map_err(|_| FieldError::value(field, accepted));
    fields.string(field)?.map(parse).transpose()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(query: &Value) -> Result<(u16, Option<i64>), String> {
        let page = PageQuery::from_fields(Fields::of(query, "query").unwrap());
        page.map(|page| (page.limit, page.cursor)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_page_has_fifty_items_unless_the_query_says_otherwise() {
        assert_eq!(read(&json!({})), Ok((50, None)));
        assert_eq!(read(&json!({ "limit": "500", "cursor": "7" })), Ok((500, Some(7))));
    }

    #[test]
    fn rejects_invalid_parameters_by_name() {
        for limit in ["0", "501", "ten", "-1", ""] {
            let error = read(&json!({ "limit": limit })).unwrap_err();
            assert_eq!(error, "limit: must be a whole number from 1 to 500", "{limit}");
        }
        let error = read(&json!({ "cursor": "x" })).unwrap_err();
        assert_eq!(error, "cursor: must be the next_cursor of an earlier answer");
    }
}
