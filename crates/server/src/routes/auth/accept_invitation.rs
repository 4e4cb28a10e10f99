use std::net::IpAddr;

use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{Auth, Identity, TokenSet, audit, passwords::broken_rule, secret};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{Acceptance, Invitation, Invitee, User};
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    invitation::{closed, open_invitation},
    token::Credentials,
};
use crate::{
    app::Tenants,
    http::{Answer, Body, ClientIp, Error, FromFields, Json, new_name},
};

/// Accepted values of `account`: whether the username must exist.
const ACCOUNTS: [(&str, bool); 2] = [("new", false), ("existing", true)];

/// The token of an invitation, and the account that joins.
#[derive(Debug, ToSchema)]
pub struct AcceptInvitationRequest {
    /// Fragment of the link.
    token: String,
    #[serde(flatten)]
    credentials: Credentials,
    /// `new` refuses a username that exists, `existing` one that does not. Default: either.
    #[schema(value_type = Option<guardengine_api_types::choices::InvitedAccount>)]
    account: Option<bool>,
}

impl FromFields for AcceptInvitationRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let token = fields.required_string("token")?.to_owned();
        let credentials = Credentials::from_fields(fields)?;
        Ok(Self { token, credentials, account: fields.choice("account", &ACCOUNTS)? })
    }
}

/// The account that joins.
enum Account {
    Existing(User),
    New { username: String, password_hash: String },
}

impl Account {
    fn invitee(&self) -> Invitee<'_> {
        match self {
            Self::Existing(user) => Invitee::Existing(user.id),
            Self::New { username, password_hash } => Invitee::New { username, password_hash },
        }
    }

    fn username(&self) -> &str {
        match self {
            Self::Existing(user) => &user.username,
            Self::New { username, .. } => username,
        }
    }
}

/// Accept an invitation
///
/// Uses the token up and signs in to the organization. An unknown username becomes a new user, under the rules of
/// `POST /api/users`. The owner of an existing account joins with its password; wrong ones count toward the lockout of
/// the username.
#[utoipa::path(
    post, path = "/auth/invitation/accept", tag = "sessions", operation_id = "sessions_accept_invitation",
    request_body = AcceptInvitationRequest,
    responses(
        (status = 200, description = "Access and refresh token", body = TokenSet),
        (status = 401, description = "Wrong password of an existing account", body = ErrorBody),
        (status = 404, description = "The token is unknown, used, revoked or expired", body = ErrorBody),
        (status = 409, description = "The user is a member already, or the name of a new user is taken", body = ErrorBody),
        (status = 429, description = "Rate limit exceeded, or the account is locked", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(auth): State<Auth>,
    ClientIp(address): ClientIp,
    Body(request): Body<AcceptInvitationRequest>,
) -> Answer<TokenSet> {
    let token = &request.token;
    open_invitation(&tenants, token).await?;
    let account = account(&tenants, &auth, &request, address).await?;
    // Read again: hashing takes time, in which the invitation or its creator may change.
    let (invitation, org) = open_invitation(&tenants, token).await?;
    let id = join(&tenants, &invitation, token, &account, address).await?;
    Ok(Json(auth.start_session(Identity { id, username: account.username(), address }, &org).await?))
}

/// Returns the account with these credentials, or a new one if the username is free.
async fn account(
    tenants: &Tenants,
    auth: &Auth,
    request: &AcceptInvitationRequest,
    address: IpAddr,
) -> Result<Account, Error> {
    let Credentials { username, password } = &request.credentials;
    let is_known = tenants.db.user_by_name(username).await?.is_some();
    if is_known && request.account == Some(false) {
        return Err(Error::name_taken("a user"));
    }
    if is_known || request.account == Some(true) {
        return Ok(Account::Existing(auth.verify_password(username, password, address).await?));
    }
    let username = new_name("username", username)?;
    if let Some(rule) = broken_rule(password) {
        return Err(FieldError::value("password", rule).into());
    }
    let hash = auth.passwords().hash(password).await;
    let password_hash = hash.ok_or_else(|| Error::internal("the password could not be hashed"))?;
    Ok(Account::New { username, password_hash })
}

/// Makes the account a member and returns its identifier.
async fn join(
    tenants: &Tenants,
    invitation: &Invitation,
    token: &str,
    account: &Account,
    address: IpAddr,
) -> Result<Uuid, Error> {
    let mut tx = tenants.audited().await?;
    let hash = secret::digest(token);
    let user_id = match tx.accept_invitation(&hash, account.invitee(), tenants.clock.now()).await? {
        Acceptance::Done(user_id) => user_id,
        Acceptance::Closed => return Err(closed()),
        Acceptance::NameTaken => return Err(Error::name_taken("a user")),
        Acceptance::AlreadyMember => {
            return Err(Error::conflict("you are a member of this organization already, sign in instead"));
        }
    };
    let person = Identity { id: user_id, username: account.username(), address };
    let details = json!({
        "user_id": user_id,
        "username": account.username(),
        "role": invitation.role,
        "invited_by": invitation.creator,
    });
    let actor = person.actor(invitation.org_id);
    audit::commit(tx, actor, "USERS:ACCEPT_INVITATION", invitation.id, details).await?;
    Ok(user_id)
}
