//! Which page of a list a request asks for.

use std::{collections::HashMap, str::FromStr};

use axum::{extract::FromRequestParts, http::request::Parts};
use guardengine_engine::fields::Invalid;
use guardengine_store::Page;
use uuid::Uuid;

use super::Error;

const MOST: u16 = 500;
const USUAL: u16 = 50;

/// `limit` (1 to 500, 50 without) and `cursor` (an earlier answer's `next_cursor`; the first page without).
#[derive(Clone, Copy, Debug)]
pub struct PageOf<C = Uuid> {
    /// Items at most.
    pub limit: u16,
    /// Only what comes after this one.
    pub cursor: Option<C>,
}

impl PageOf {
    /// The page as the store reads it.
    pub const fn page(self) -> Page {
        Page { limit: self.limit, before: self.cursor }
    }
}

impl<C: FromStr> PageOf<C> {
    fn from_query(query: &str) -> Result<Self, Invalid> {
        let pairs: HashMap<String, String> = serde_urlencoded::from_str(query).unwrap_or_default();
        let limit = pairs.get("limit").map_or(Some(USUAL), |limit| limit.parse().ok());
        let limit = limit.filter(|limit| (1..=MOST).contains(limit));
        let limit = limit
            .ok_or_else(|| Invalid::value("limit", format!("must be a whole number from 1 to {MOST}")))?;
        let read = |cursor: &String| cursor.parse().map_err(|_| no_cursor());
        Ok(Self { limit, cursor: pairs.get("cursor").map(read).transpose()? })
    }
}

fn no_cursor() -> Invalid {
    Invalid::value("cursor", "must be the next_cursor of an earlier answer")
}

impl<S: Sync, C: FromStr> FromRequestParts<S> for PageOf<C> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        Ok(Self::from_query(parts.uri.query().unwrap_or_default())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Result<(u16, Option<i64>), String> {
        let page = PageOf::from_query(query).map_err(|fault| fault.to_string())?;
        Ok((page.limit, page.cursor))
    }

    #[test]
    fn a_page_has_a_limit_and_a_cursor_and_says_what_is_wrong_with_them() {
        assert_eq!(read(""), Ok((50, None)));
        assert_eq!(read("limit=500&cursor=7&other=x"), Ok((500, Some(7))));
        for limit in ["0", "501", "-1", "x", ""] {
            let told = read(&format!("limit={limit}")).unwrap_err();
            assert_eq!(told, "limit: must be a whole number from 1 to 500");
        }
        let told = read("cursor=x").unwrap_err();
        assert_eq!(told, "cursor: must be the next_cursor of an earlier answer");
    }
}
