//! Pages of lists.

use std::str::FromStr;

use axum::{extract::FromRequestParts, http::request::Parts};
use guardengine_engine::fields::{Fields, Invalid};
use guardengine_store::Page;
use utoipa::IntoParams;
use uuid::Uuid;

use super::{Error, FromFields, Query};

const MOST: u16 = 500;
const USUAL: u16 = 50;

/// Which page of a list is wanted; `C` is what a cursor is made of.
#[derive(Clone, Copy, Debug)]
pub struct PageQuery<C = Uuid> {
    /// Items at most.
    pub limit: u16,
    /// Where the page begins; `None` for the first one.
    pub cursor: Option<C>,
}

/// The parameters that a [`PageQuery`] is read from, for the API document.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it describes parameters that are read by hand")]
pub struct PageParameters {
    /// Items at most; 50 if absent.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u16>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

impl PageQuery {
    /// The page as the store reads it.
    pub const fn page(self) -> Page {
        Page { limit: self.limit, before: self.cursor }
    }
}

impl<C: FromStr> FromFields for PageQuery<C> {
    fn from_fields(fields: Fields<'_>) -> Result<Self, Invalid> {
        let accepted = format!("must be a whole number from 1 to {MOST}");
        let limit = parsed(fields, "limit", &accepted)?.unwrap_or(USUAL);
        if !(1..=MOST).contains(&limit) {
            return Err(Invalid::value("limit", accepted));
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

/// A query parameter that is written as `T` is.
pub fn parsed<T: FromStr>(fields: Fields<'_>, field: &str, accepted: &str) -> Result<Option<T>, Invalid> {
    let parse = |text: &str| text.parse().map_err(|_| Invalid::value(field, accepted));
    fields.string(field)?.map(parse).transpose()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(query: &Value) -> Result<(u16, Option<i64>), String> {
        let page = PageQuery::from_fields(Fields::of(query, "query").unwrap());
        page.map(|page| (page.limit, page.cursor)).map_err(|fault| fault.to_string())
    }

    #[test]
    fn a_page_has_fifty_items_unless_the_query_says_otherwise() {
        assert_eq!(read(&json!({})), Ok((50, None)));
        assert_eq!(read(&json!({ "limit": "500", "cursor": "7" })), Ok((500, Some(7))));
    }

    #[test]
    fn what_is_not_accepted_is_named() {
        for limit in ["0", "501", "ten", "-1", ""] {
            let told = read(&json!({ "limit": limit })).unwrap_err();
            assert_eq!(told, "limit: must be a whole number from 1 to 500", "{limit}");
        }
        let told = read(&json!({ "cursor": "x" })).unwrap_err();
        assert_eq!(told, "cursor: must be the next_cursor of an earlier answer");
    }
}
