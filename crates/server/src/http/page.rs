//! Which page of a list is asked for: `limit` and `cursor`, the same for every list.

use std::{collections::HashMap, str::FromStr};

use axum::{extract::FromRequestParts, http::request::Parts};
use guardengine_engine::fields::Invalid;
use guardengine_store::Page;
use utoipa::IntoParams;

use super::Error;

const DEFAULT: u16 = 50;
const MOST: u16 = 500;

/// Which page of a list is asked for.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageOf {
    /// Rows at most.
    #[param(minimum = 1, maximum = 500, default = 50, required = false)]
    pub limit: u16,
    /// The `next_cursor` of the page before; without it, the first page.
    cursor: Option<String>,
}

impl PageOf {
    fn from_query(query: &str) -> Result<Self, Invalid> {
        let mut pairs: HashMap<String, String> = serde_urlencoded::from_str(query).unwrap_or_default();
        let accepted = || Invalid::value("limit", format!("must be a whole number from 1 to {MOST}"));
        let read = |limit: String| {
            limit.parse().ok().filter(|limit| (1..=MOST).contains(limit)).ok_or_else(accepted)
        };
        let limit = pairs.remove("limit").map_or(Ok(DEFAULT), read)?;
        Ok(Self { limit, cursor: pairs.remove("cursor") })
    }

    /// Where the page before ended.
    pub fn before<T: FromStr>(&self) -> Result<Option<T>, Invalid> {
        let accepted = || Invalid::value("cursor", "must be the next_cursor of the page before");
        self.cursor.as_deref().map(|cursor| cursor.parse().map_err(|_| accepted())).transpose()
    }

    /// The page of a list in the order of ids.
    pub fn by_id(&self) -> Result<Page, Invalid> {
        Ok(Page { limit: self.limit, before: self.before()? })
    }
}

impl<S: Sync> FromRequestParts<S> for PageOf {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        Ok(Self::from_query(parts.uri.query().unwrap_or_default())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_its_limits() {
        let limit =
            |query| PageOf::from_query(query).map(|page| page.limit).map_err(|fault| fault.to_string());
        assert_eq!([limit(""), limit("limit=1"), limit("limit=500&x=y")], [Ok(50), Ok(1), Ok(500)]);
        for bad in ["limit=0", "limit=501", "limit=", "limit=ten", "limit=-1"] {
            assert_eq!(limit(bad), Err("limit: must be a whole number from 1 to 500".to_owned()), "{bad}");
        }
    }

    #[test]
    fn a_cursor_is_one_that_was_given() {
        let before =
            |query| PageOf::from_query(query).unwrap().before::<i64>().map_err(|fault| fault.to_string());
        assert_eq!([before(""), before("cursor=7")], [Ok(None), Ok(Some(7))]);
        assert_eq!(before("cursor=x"), Err("cursor: must be the next_cursor of the page before".to_owned()));
    }
}
