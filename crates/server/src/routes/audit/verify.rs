use std::sync::Arc;

use axum::extract::State;
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{AuditHead, AuditVerdict, Db, Error};
use moka::future::Cache;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    app::{Operations, Tenants},
    http::{Answer, Caller, Error as HttpError, FromFields, Json, Query},
};

/// Longest `head`: the digits of a sequence, a colon and a hash.
const MAX_HEAD_LENGTH: usize = 84;
const MAX_RUNNING: u64 = 1_000;

/// Running verifications: an organization's callers share one.
#[derive(Clone)]
pub struct Verifications(Cache<Uuid, AuditVerdict>);

impl Default for Verifications {
    fn default() -> Self {
        Self(Cache::new(MAX_RUNNING))
    }
}

impl Verifications {
    async fn verdict(&self, db: &Db, org: Uuid) -> Result<AuditVerdict, Arc<Error>> {
        let verdict = self.0.try_get_with(org, db.verify_audit(org)).await;
        self.0.invalidate(&org).await;
        verdict
    }
}

/// A kept head to verify with the trail.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VerifyQuery {
    /// A head of the trail that was kept elsewhere, as `SEQUENCE:HASH`: an earlier `ends_with` and `head_hash`.
    #[param(value_type = Option<String>, max_length = 84, pattern = "^[1-9][0-9]{0,17}:[0-9a-f]{64}$")]
    head: Option<AuditHead>,
}

impl FromFields for VerifyQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let accepted = "must be SEQUENCE:HASH, with a hash of 64 hexadecimal digits";
        // The organization is the caller's.
        let head = fields.short_string("head", MAX_HEAD_LENGTH)?.map(|text| {
            AuditHead::of_org(Uuid::nil(), text).ok_or_else(|| FieldError::value("head", accepted))
        });
        Ok(Self { head: head.transpose()? })
    }
}

/// Result of verifying the audit trail.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditVerification {
    /// True if every entry is as it was written, and the trail holds `head`.
    sound: bool,
    /// Sequence of the first entry that was altered or is missing; null if sound.
    first_altered: Option<i64>,
    /// Sequence of the last entry that retention deleted, or 0. The trail is verified from there.
    begins_after: i64,
    /// Sequence of the newest entry.
    ends_with: i64,
    /// Hash of the newest entry. Keep it elsewhere with `ends_with`.
    head_hash: String,
    /// Sequence of the first verified entry that is chained under the key; null if there is no entry.
    keyed_from: Option<i64>,
    /// `held` if the trail holds `head`, `missing` if not, `deleted` if retention deleted that entry; null without `head`.
    head: Option<&'static str>,
}

/// Verify the audit trail
///
/// Checks every entry of the organization's trail, and whether it still holds a head that you kept elsewhere: without one,
/// entries cut off at the end are not noticed.
#[utoipa::path(
    get, path = "/api/audit/verify", tag = "audit", operation_id = "audit_verify",
    params(VerifyQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "What the trail proves", body = AuditVerification),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(operations): State<Operations>,
    Caller(caller): Caller,
    Query(query): Query<VerifyQuery>,
) -> Answer<AuditVerification> {
    let org_id = caller.org_id;
    let mut verdict =
        operations.verifications.verdict(&tenants.db, org_id).await.map_err(HttpError::internal)?;
    let mut held = None;
    if let Some(head) = query.head.map(|head| AuditHead { org_id, ..head }) {
        let check = tenants.db.check_audit_head(&head).await?;
        verdict.apply(&head, check);
        held = Some(check.name());
    }
    let newest = AuditHead { org_id, sequence: verdict.ends_with, hash: verdict.head_hash };
    Ok(Json(AuditVerification {
        sound: verdict.first_altered.is_none(),
        first_altered: verdict.first_altered,
        begins_after: verdict.begins_after,
        ends_with: verdict.ends_with,
        head_hash: newest.hash_text(),
        keyed_from: verdict.keyed_from,
        head: held,
    }))
}
