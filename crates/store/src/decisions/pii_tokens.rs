//! Sealed personal data behind tokens.

use sqlx::QueryBuilder;
use uuid::Uuid;

use crate::db::Tx;
use crate::{Db, Result, Timestamp};

/// A value behind a token.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow, serde::Deserialize, serde::Serialize)]
pub struct PiiToken {
    /// Token identifier, the same for the same value within an organization.
    pub token: String,
    /// Wire name of the PII type.
    pub kind: String,
    /// The value, sealed under the organization's data key.
    pub sealed: Vec<u8>,
}

/// Tokens per statement, within the databases' limits on bound values.
pub(crate) const CHUNK: usize = 64;

impl Tx {
    pub(crate) async fn insert_pii_tokens(&mut self, tokens: &[(Uuid, &PiiToken, Timestamp)]) -> Result<()> {
        on!(self.connection(), |c| {
            for chunk in tokens.chunks(CHUNK) {
                let mut query = sqlx::QueryBuilder::new(
                    "INSERT INTO pii_tokens (org_id, token, kind, sealed, created_at) ",
                );
                query.push_values(chunk, |mut row, (org_id, token, now)| {
                    row.push_bind(*org_id)
                        .push_bind(&token.token)
                        .push_bind(&token.kind)
                        .push_bind(&token.sealed);
                    row.push_bind(*now);
                });
                query.push(" ON CONFLICT (org_id, token) DO NOTHING");
                query.build().execute(&mut *c).await?;
            }
        });
        Ok(())
    }
}

impl Db {
    /// Returns the known values behind tokens, in no order.
    pub async fn pii_tokens(&self, org_id: Uuid, tokens: &[String]) -> Result<Vec<PiiToken>> {
        let mut found = Vec::new();
        for chunk in tokens.chunks(CHUNK) {
            found.append(&mut self.chunk_of_pii_tokens(org_id, chunk).await?);
        }
        Ok(found)
    }

    async fn chunk_of_pii_tokens(&self, org_id: Uuid, tokens: &[String]) -> Result<Vec<PiiToken>> {
        Ok(on!(self.reader(), |pool| {
            let mut query = QueryBuilder::new("SELECT token, kind, sealed FROM pii_tokens WHERE org_id = ");
            query.push_bind(org_id).push(" AND token IN (NULL");
            for token in tokens {
                query.push(", ").push_bind(crate::name::storable(token));
            }
            query.push(")").build_query_as().persistent(false).fetch_all(pool).await?
        }))
    }
}
