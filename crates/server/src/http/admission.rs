//! Checks before every handler, in this order: credential, body size, rate limit, permission.

use std::{fmt, net::IpAddr, ops::Deref, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use guardengine_auth::{Auth, Credential, Limit, OrgLimits, Permission, Principal};
use guardengine_guard::{
    Operation,
    outcome_counter::{PendingOutcome, UnevaluatedCounts},
};
use guardengine_store::{Clock, StoreHealth};
use ipnet::IpNet;

use super::{
    Caller, ClientIp, Error,
    body_api_key::{self, BufferedBody},
    body_budget::{BodyBudget, BodyOwner, BodyShare},
    body_buffer::{buffer, drain, read_encoded, with_decoded_body},
    client_ip,
    content_coding::ContentCoding,
    rate_limit::{LimitKey, RateLimiter},
};
use crate::config::Limits;

/// State of admission; cheap to clone.
#[derive(Clone)]
pub struct Admission(Arc<AdmissionState>);

/// The parts of [`Admission`].
pub struct AdmissionState {
    /// Authentication.
    pub auth: Auth,
    /// Clock.
    pub clock: Clock,
    /// Health of the store.
    pub health: StoreHealth,
    /// Guard requests that were not evaluated.
    pub unevaluated: UnevaluatedCounts,
    /// Counters of the rate limits.
    pub rate_limiter: RateLimiter,
    /// Rate limits.
    pub limits: Limits,
    /// Networks of proxies whose `X-Forwarded-For` or `Forwarded` header is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Largest JSON body, in bytes.
    pub max_json: usize,
    /// Largest body with media, in bytes.
    pub max_media: usize,
    /// Memory of all bodies.
    pub bodies: BodyBudget,
}

impl Admission {
    /// Creates the state from its parts.
    pub fn new(state: AdmissionState) -> Self {
        Self(Arc::new(state))
    }
}

impl Deref for Admission {
    type Target = AdmissionState;

    fn deref(&self) -> &AdmissionState {
        &self.0
    }
}

/// Who may call an endpoint.
#[derive(Clone, Copy, Debug)]
pub enum Access {
    /// Anyone. Requests are counted by client address.
    Public,
    /// Any authenticated member.
    SignedIn,
    /// Callers whose role has the permission.
    Needs(Permission),
    /// The same, with an access token; API keys are refused.
    TokenNeeds(Permission),
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Public => f.write_str("public"),
            Self::SignedIn => f.write_str("signed in"),
            Self::Needs(permission) | Self::TokenNeeds(permission) => permission.fmt(f),
        }
    }
}

/// The configured rate limit of an endpoint.
#[derive(Clone, Copy, Debug)]
pub enum LimitName {
    /// `limits.token`
    Token,
    /// `limits.login`
    Login,
    /// `limits.refresh`
    Refresh,
    /// `limits.logout`
    Logout,
    /// `limits.analyze`
    Analyze,
    /// `limits.autonomous`
    Autonomous,
    /// `limits.default`
    Default,
}

impl LimitName {
    /// Returns the limit to apply: the organization's own, else the configured one.
    fn of(self, limits: &Limits, own: OrgLimits) -> Limit {
        match self {
            Self::Token => limits.token,
            Self::Login => limits.login,
            Self::Refresh => limits.refresh,
            Self::Logout => limits.logout,
            Self::Analyze => own.analyze.unwrap_or(limits.analyze),
            Self::Autonomous => own.autonomous.unwrap_or(limits.autonomous),
            Self::Default => own.default.unwrap_or(limits.default),
        }
    }
}

/// Admission rules of an endpoint.
#[derive(Clone, Copy, Debug)]
pub struct Endpoint {
    /// The path template of the route. Rate limits are counted per method and path.
    pub path: &'static str,
    /// Who may call it.
    pub access: Access,
    /// Rate limit.
    pub limit: LimitName,
    /// True if the body may contain media, which raises the size limit.
    pub media: bool,
    /// True if the API key may be sent in the body.
    pub key_in_body: bool,
    /// Guard operation. Its requests are counted by outcome.
    pub operation: Option<&'static str>,
}

/// Admits a request or refuses it.
pub async fn admit(
    State((admission, endpoint)): State<(Admission, Endpoint)>,
    request: Request,
    next: Next,
) -> Response {
    let passed = Box::pin(pass(&admission, endpoint, request, next));
    // Spoolable operations work without the store and check its health themselves.
    let passed = match endpoint.operation {
        Some(operation) if Operation::is_spoolable(operation) => passed.await,
        _ => admission.health.run(passed).await,
    };
    let mut response = passed.unwrap_or_else(Error::into_response);
    // Answers hold credentials, texts and personal data: no cache may keep them.
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn pass(
    admission: &Admission,
    endpoint: Endpoint,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    let address = client_ip::client(&request, &admission.trusted_proxies);
    let mut share = admission.bodies.share(BodyOwner::Address(address));
    let (caller, request) = identify(admission, endpoint, request, address, &mut share).await?;
    let received = endpoint.operation.zip(caller.as_ref()).map(|(operation, caller)| {
        PendingOutcome::new(admission.unevaluated.clone(), operation, caller.org_id, admission.clock.now())
    });
    let served = serve(admission, endpoint, caller, address, request, share, next);
    match received {
        Some(received) => received.serve(served).await,
        None => served.await,
    }
}

/// A request, and how far its body is.
enum Received {
    /// The body was read and decoded, to find a key in it.
    Read(Request),
    Unread(Request),
}

/// Returns the caller and the request. The request is an error if its body was read for the key and is too large.
async fn identify(
    admission: &Admission,
    endpoint: Endpoint,
    request: Request,
    address: IpAddr,
    share: &mut BodyShare,
) -> Result<(Option<Principal>, Result<Received, Error>), Error> {
    // An API key takes precedence over a token, in the body too.
    if endpoint.key_in_body && !Caller::shows_key_in(request.headers()) {
        let (parts, body) = request.into_parts();
        // Nobody is known yet, so that a body with files needs its key in a header.
        let limit = admission.max_json;
        let BufferedBody { body, key } = match ContentCoding::of(&parts.headers) {
            Ok(None) => body_api_key::take(body, limit, share).await?,
            Ok(Some(coding)) => body_api_key::search(read_encoded(body, coding, limit, share).await),
            Err(refusal) => body_api_key::search(Err(drain(body, refusal).await)),
        };
        let caller = match key {
            Some(key) => match admission.auth.owner_of_key(&key, address).await {
                Ok(caller) => Some(caller),
                Err(refusal) => {
                    return Err(refuse_key(admission, endpoint.path, address, refusal.into()).await);
                }
            },
            None => authenticate(admission, endpoint, &parts.headers, address).await?,
        };
        return Ok((caller, body.map(|bytes| Received::Read(with_decoded_body(parts, bytes)))));
    }
    match authenticate(admission, endpoint, request.headers(), address).await {
        Ok(caller) => Ok((caller, Ok(Received::Unread(request)))),
        Err(refusal) => Err(drain(request.into_body(), refusal).await),
    }
}

/// Applies the checks after the credential, then calls the handler. The body keeps its share of the memory until the
/// response is made.
async fn serve(
    admission: &Admission,
    endpoint: Endpoint,
    caller: Option<Principal>,
    address: IpAddr,
    request: Result<Received, Error>,
    mut share: BodyShare,
    next: Next,
) -> Result<Response, Error> {
    if let Some(caller) = &caller {
        share.hand_over(BodyOwner::Org(caller.org_id))?;
    }
    let mut request = match request? {
        Received::Read(request) => request,
        Received::Unread(request) => buffer(largest(admission, endpoint), request, &mut share).await?,
    };
    let own = caller.as_ref().map(|caller| caller.limits).unwrap_or_default();
    let limit = endpoint.limit.of(&admission.limits, own);
    let operation = (request.method().clone(), endpoint.path);
    let (limiter, now) = (&admission.rate_limiter, admission.clock.now());
    // Sign-in and sign-out are counted by client address, everything else by principal.
    let status = match caller.as_ref().filter(|_| !matches!(endpoint.limit, LimitName::Logout)) {
        Some(caller) => limiter.count_caller(operation, caller, limit, now).await,
        None => limiter.count(operation, LimitKey::client(address), limit, now).await,
    };
    let within = status.map_or(Ok(()), |status| status.check(request.uri().path()));
    let mut response = if let Err(refusal) = within.and_then(|()| permit(endpoint.access, caller.as_ref())) {
        refusal.into_response()
    } else {
        request.extensions_mut().insert(ClientIp(address));
        if let Some(caller) = caller {
            request.extensions_mut().insert(caller);
        }
        next.run(request).await
    };
    drop(share);
    if let Some(status) = status {
        status.write_headers(response.headers_mut());
    }
    Ok(response)
}

/// Counts a refused API key by the client's address, over all endpoints. Returns 429 instead of the refusal once
/// `limits.default` is exceeded. Keys that are valid are not affected: clients may share an address.
async fn refuse_key(admission: &Admission, path: &str, address: IpAddr, refusal: Error) -> Error {
    if !refusal.is_unauthorized() {
        return refusal;
    }
    let (limit, now) = (admission.limits.default, admission.clock.now());
    let status = admission.rate_limiter.count_refused_key(address, limit, now).await;
    status.and_then(|status| status.check(path).err()).unwrap_or(refusal)
}

async fn authenticate(
    admission: &Admission,
    endpoint: Endpoint,
    headers: &HeaderMap,
    address: IpAddr,
) -> Result<Option<Principal>, Error> {
    let access = endpoint.access;
    if matches!(access, Access::Public) {
        return Ok(None);
    }
    let caller = match Caller::of(&admission.auth, headers, address).await {
        Err(refusal) if Caller::shows_key_in(headers) => {
            return Err(refuse_key(admission, endpoint.path, address, refusal).await);
        }
        caller => caller?,
    };
    let is_key = matches!(caller.credential, Credential::ApiKey(_));
    if is_key && matches!(access, Access::TokenNeeds(_)) {
        return Err(Error::invalid_token());
    }
    Ok(Some(caller))
}

fn permit(access: Access, caller: Option<&Principal>) -> Result<(), Error> {
    let (Access::Needs(permission) | Access::TokenNeeds(permission)) = access else { return Ok(()) };
    let holds = caller.is_some_and(|caller| caller.permissions.contains(permission));
    if holds { Ok(()) } else { Err(Error::missing_permission(permission)) }
}

/// Largest body of a sign-in, refresh or sign-out, in bytes: these are buffered for anyone.
const MAX_SIGN_IN: usize = 4 << 10;

/// Returns the largest body that an endpoint accepts, in bytes.
fn largest(admission: &Admission, endpoint: Endpoint) -> usize {
    match (endpoint.access, endpoint.limit) {
        (Access::Public, _) | (_, LimitName::Logout) => MAX_SIGN_IN.min(admission.max_json),
        _ if endpoint.media => admission.max_media,
        _ => admission.max_json,
    }
}
