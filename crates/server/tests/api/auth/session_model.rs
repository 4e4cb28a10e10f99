//! Property test of sessions: random events, compared with a small model.

use std::time::Duration;

use proptest::prelude::*;
use serde_json::json;

use crate::support::{PASSWORD, TestService, send};

/// Lifetime of an access token in seconds.
const ACCESS: i64 = 60;
/// Lifetime of a refresh token in seconds.
const REFRESH: i64 = 300;
/// Idle timeout of a session in seconds.
const IDLE: i64 = 100;
/// Seconds in which a second use of a refresh token has no effect.
const GRACE: i64 = 5;

const SET: [(&str, &str); 8] = [
    ("session.access_token_ttl", "60s"),
    ("session.refresh_token_ttl", "300s"),
    ("session.idle_timeout", "100s"),
    ("session.reuse_grace", "5s"),
    ("limits.token", "off"),
    ("limits.refresh", "off"),
    ("limits.logout", "off"),
    ("limits.default", "off"),
];

#[derive(Clone, Debug)]
enum Happening {
    /// Advances the clock by this many seconds.
    Wait(i64),
    /// A request with the newest access token.
    Request,
    /// A refresh with the newest token or an older one.
    Refresh(Option<prop::sample::Index>),
    /// The user logs out.
    Logout,
}

fn happening() -> impl Strategy<Value = Happening> {
    let wait = prop_oneof![0..=GRACE + 1, ACCESS - 1..=ACCESS + 1, IDLE - 1..=IDLE + 1, 0..=IDLE / 2];
    prop_oneof![
        5 => wait.prop_map(Happening::Wait),
        4 => Just(Happening::Request),
        4 => Just(Happening::Refresh(None)),
        1 => any::<prop::sample::Index>().prop_map(|which| Happening::Refresh(Some(which))),
        1 => Just(Happening::Logout),
    ]
}

/// Outcome of a request: 200, or the reason of a 401.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Yes,
    Invalid,
    Idle,
}

impl Said {
    fn of(answer: &crate::support::Response) -> Self {
        match (answer.status, answer.body["detail"].as_str()) {
            (200, _) => Self::Yes,
            (401, Some("invalid or expired token")) => Self::Invalid,
            (401, Some("session expired, log in again")) => Self::Idle,
            other => panic!("neither admitted nor refused: {other:?}"),
        }
    }
}

/// Model of a session.
#[derive(Default)]
struct Model {
    now: i64,
    /// Time of the newest tokens.
    made: i64,
    last_active: i64,
    ended: bool,
    /// Time at which each spent refresh token was used.
    used: Vec<i64>,
}

impl Model {
    fn is_idle(&self) -> bool {
        self.now - self.last_active > IDLE
    }

    fn request(&mut self) -> Said {
        if self.made + ACCESS <= self.now || self.ended {
            return Said::Invalid;
        }
        if self.is_idle() {
            return Said::Idle;
        }
        self.last_active = self.now;
        Said::Yes
    }

    fn refresh(&mut self, token: usize) -> Said {
        if let Some(used) = self.used.get(token) {
            self.ended |= self.now - used >= GRACE;
            return Said::Invalid;
        }
        if self.ended || self.made + REFRESH <= self.now {
            return Said::Invalid;
        }
        if self.is_idle() {
            return Said::Idle;
        }
        self.used.push(self.now);
        (self.made, self.last_active) = (self.now, self.now);
        Said::Yes
    }

    fn logout(&mut self) -> Said {
        let outcome = self.request();
        self.ended |= outcome == Said::Yes;
        outcome
    }
}

/// A client that keeps every token.
struct Client {
    service: TestService,
    access: String,
    refresh: Vec<String>,
}

impl Client {
    async fn signed_in() -> Self {
        let service = TestService::with(&SET).await;
        let tokens = service.sign_in("admin", PASSWORD).await;
        Self { service, access: tokens.text("access_token"), refresh: vec![tokens.text("refresh_token")] }
    }

    async fn request(&self) -> Said {
        Said::of(&self.service.get(&self.access, "/api/organization").await)
    }

    async fn refresh(&mut self, token: usize) -> Said {
        let body = json!({ "refresh_token": self.refresh[token] });
        let answer = send(self.service.post("/refresh").json(&body)).await;
        let outcome = Said::of(&answer);
        if outcome == Said::Yes {
            self.access = answer.text("access_token");
            self.refresh.push(answer.text("refresh_token"));
        }
        outcome
    }

    async fn logout(&self) -> Said {
        let body = json!({ "refresh_token": self.refresh.last().unwrap() });
        Said::of(&self.service.post_json(&self.access, "/logout", &body).await)
    }
}

async fn follows_its_model(happenings: Vec<Happening>) {
    let (mut client, mut model) = (Client::signed_in().await, Model::default());
    for happening in happenings {
        match happening {
            Happening::Wait(seconds) => {
                model.now += seconds;
                client.service.clock.advance(Duration::from_secs(seconds.unsigned_abs()));
            }
            Happening::Request => assert_eq!(client.request().await, model.request()),
            Happening::Refresh(which) => {
                let newest = model.used.len();
                let token = which.map_or(newest, |which| which.index(newest + 1));
                assert_eq!(client.refresh(token).await, model.refresh(token), "token {token}");
            }
            Happening::Logout => assert_eq!(client.logout().await, model.logout()),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_session_follows_its_model(happenings in prop::collection::vec(happening(), 1..30)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(follows_its_model(happenings));
    }
}
