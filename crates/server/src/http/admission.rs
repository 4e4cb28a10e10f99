//! Checks before every handler, in this order: credential, body size, rate limit, permission.

use std::{fmt, net::IpAddr, ops::Deref, sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use futures::StreamExt as _;
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
    body_limits::{BODY_TIME, DRAINED},
    client_ip,
    content_coding::ContentCoding,
    rate_limit::{LimitKey, RateLimiter},
};
use crate::config::Limits;

const DRAIN_TIME: Duration = Duration::from_secs(2);

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
    let (caller, request) = identify(admission, endpoint, request, address).await?;
    let received = endpoint.operation.zip(caller.as_ref()).map(|(operation, caller)| {
        PendingOutcome::new(admission.unevaluated.clone(), operation, caller.org_id, admission.clock.now())
    });
    let served = serve(admission, endpoint, caller, address, request, next);
    match received {
        Some(received) => received.serve(served).await,
        None => served.await,
    }
}

/// Returns the caller and the request. The request is an error if its body was read for the key and is too large.
async fn identify(
    admission: &Admission,
    endpoint: Endpoint,
    request: Request,
    address: IpAddr,
) -> Result<(Option<Principal>, Result<Request, Error>), Error> {
    // An API key takes precedence over a token, in the body too.
    if endpoint.key_in_body && !Caller::shows_key_in(request.headers()) {
        let (mut parts, body) = request.into_parts();
        let limit = largest(admission, endpoint);
        let BufferedBody { body, key } = match ContentCoding::of(&parts.headers) {
            Ok(None) => body_api_key::take(body, limit).await?,
            Ok(Some(coding)) => body_api_key::search(read_encoded(body, coding, limit).await),
            Err(refusal) => body_api_key::search(Err(drain(body, refusal).await)),
        };
        parts.headers.remove(header::CONTENT_ENCODING);
        let caller = match key {
            Some(key) => match admission.auth.owner_of_key(&key, address).await {
                Ok(caller) => Some(caller),
                Err(refusal) => return Err(refuse_key(admission, endpoint.path, address, refusal.into()).await),
            },
            None => authenticate(admission, endpoint, &parts.headers, address).await?,
        };
        return Ok((caller, body.map(|bytes| Request::from_parts(parts, Body::from(bytes)))));
    }
    match authenticate(admission, endpoint, request.headers(), address).await {
        Ok(caller) => Ok((caller, Ok(request))),
        Err(refusal) => Err(drain(request.into_body(), refusal).await),
    }
}

/// Applies the checks after the credential, then calls the handler.
async fn serve(
    admission: &Admission,
    endpoint: Endpoint,
    caller: Option<Principal>,
    address: IpAddr,
    request: Result<Request, Error>,
    next: Next,
) -> Result<Response, Error> {
    let mut request = buffer(admission, endpoint, request?).await?;
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

fn largest(admission: &Admission, endpoint: Endpoint) -> usize {
    match (endpoint.access, endpoint.limit) {
        (Access::Public, _) | (_, LimitName::Logout) => MAX_SIGN_IN.min(admission.max_json),
        _ if endpoint.media => admission.max_media,
        _ => admission.max_json,
    }
}

/// Buffers and decodes the body, so that its size is checked before anything is counted or charged.
async fn buffer(admission: &Admission, endpoint: Endpoint, request: Request) -> Result<Request, Error> {
    let limit = largest(admission, endpoint);
    let (mut parts, body) = request.into_parts();
    let declared = parts
        .headers
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if declared.is_some_and(|length| length > limit) {
        return Err(drain(body, Error::too_large(limit)).await);
    }
    let bytes = match ContentCoding::of(&parts.headers) {
        Ok(None) => read(body, limit).await?,
        Ok(Some(coding)) => read_encoded(body, coding, limit).await?,
        Err(refusal) => return Err(drain(body, refusal).await),
    };
    parts.headers.remove(header::CONTENT_ENCODING);
    parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

async fn read_encoded(body: Body, coding: ContentCoding, limit: usize) -> Result<Bytes, Error> {
    coding.decode(read(body, limit).await?, limit).await
}

/// Reads and discards the rest of a refused body, within bounds, so that the client receives the response.
async fn drain(body: Body, refusal: Error) -> Error {
    let rest = async {
        let mut stream = body.into_data_stream();
        let mut left = DRAINED;
        while let Some(Ok(chunk)) = stream.next().await {
            left = left.saturating_sub(chunk.len());
            if left == 0 {
                break;
            }
        }
    };
    // If the body is too slow or too large, the connection is closed anyway.
    let _drained = tokio::time::timeout(DRAIN_TIME, rest).await;
    refusal
}

async fn read(body: Body, limit: usize) -> Result<Bytes, Error> {
    let late = |_| Error::body_timeout();
    tokio::time::timeout(BODY_TIME, to_bytes(body, limit)).await.map_err(late)?.map_err(|error| {
        let is_length = std::error::Error::source(&error)
            .is_some_and(|source| source.to_string().contains("length limit"));
        if is_length { Error::too_large(limit) } else { Error::unreadable_body() }
    })
}
