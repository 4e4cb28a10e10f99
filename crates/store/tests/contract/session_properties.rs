//! Properties of a session, compared with a small model.

use std::time::Duration;

use guardengine_store::{Db, NewSession, Refresh, Refreshed};
use proptest::prelude::*;

use crate::fixtures::{actor, at, change, on_sqlite, org_and_user};

/// Seconds without a request after which a session is over.
const IDLE: i64 = 100;
/// Lifetime of a refresh token, in seconds.
const LIFE: i64 = 300;
/// Grace period for a second use of a refresh token, in seconds.
const GRACE: i64 = 5;

#[derive(Clone, Debug)]
enum Happening {
    /// Advances the clock by this many seconds.
    Wait(i64),
    /// A request with the access token.
    Request,
    /// A refresh with the token of that number, modulo the number of tokens.
    Refresh(usize),
    /// The user logs out.
    Logout,
}

fn happening() -> impl Strategy<Value = Happening> {
    let wait = prop_oneof![0..=GRACE + 1, IDLE - 1..=IDLE + 1, 0..=IDLE / 2, LIFE - 1..=LIFE + 1];
    prop_oneof![
        4 => wait.prop_map(Happening::Wait),
        3 => Just(Happening::Request),
        4 => any::<usize>().prop_map(Happening::Refresh),
        // The newest token, as a client uses it.
        4 => Just(Happening::Refresh(usize::MAX)),
        1 => Just(Happening::Logout),
    ]
}

/// Returns the variant of an outcome, without its rows.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    Rotated,
    Reused,
    Forgiven,
    Expired,
    Idle,
    Ended,
}

impl Said {
    fn of(answer: &Refreshed) -> Self {
        match answer {
            Refreshed::Rotated(_) => Self::Rotated,
            Refreshed::Reused(_) => Self::Reused,
            Refreshed::ReusedInGrace => Self::Forgiven,
            Refreshed::Expired => Self::Expired,
            Refreshed::Idle => Self::Idle,
            Refreshed::Ended => Self::Ended,
            Refreshed::Unknown => panic!("every token that is presented was given"),
        }
    }
}

/// A session as the contract describes it.
struct Model {
    now: i64,
    last_active: i64,
    expires: i64,
    ended: bool,
    /// Time of the use of each token except the newest.
    used: Vec<i64>,
}

impl Model {
    fn new() -> Self {
        Self { now: 0, last_active: 0, expires: LIFE, ended: false, used: Vec::new() }
    }

    /// Returns the number of an issued token.
    fn token(&self, number: usize) -> usize {
        if number == usize::MAX { self.used.len() } else { number % (self.used.len() + 1) }
    }

    fn refresh(&mut self, token: usize) -> Said {
        if let Some(used) = self.used.get(token) {
            let forgiven = self.now - used < GRACE;
            self.ended |= !forgiven;
            return if forgiven { Said::Forgiven } else { Said::Reused };
        }
        if self.ended {
            Said::Ended
        } else if self.expires <= self.now {
            Said::Expired
        } else if self.now - self.last_active > IDLE {
            Said::Idle
        } else {
            self.used.push(self.now);
            (self.last_active, self.expires) = (self.now, self.now + LIFE);
            Said::Rotated
        }
    }
}

fn hash(token: usize) -> [u8; 8] {
    token.to_be_bytes()
}

async fn presented(db: &Db, model: &Model, token: usize) -> Refreshed {
    let refresh = Refresh {
        presented: &hash(token),
        next: &hash(model.used.len() + 1),
        expires_at: at(model.now + LIFE),
        idle_timeout: Duration::from_secs(IDLE.unsigned_abs()),
        reuse_grace: Duration::from_secs(GRACE.unsigned_abs()),
    };
    db.refresh_session(refresh, |_| actor(), at(model.now)).await.unwrap()
}

async fn follows_its_model(db: Db, happenings: Vec<Happening>) {
    let (org, user) = org_and_user(&db).await;
    let new = NewSession { user_id: user.id, org_id: org.id, refresh_hash: &hash(0), expires_at: at(LIFE) };
    let id = change!(db.start_session(new, at(0))).await.unwrap().id;
    let mut model = Model::new();
    for happening in happenings {
        match happening {
            Happening::Wait(seconds) => model.now += seconds,
            Happening::Request => {
                model.last_active = model.now;
                db.record_session_activity(&[(id, at(model.now))]).await.unwrap();
            }
            Happening::Refresh(number) => {
                let token = model.token(number);
                let answer = presented(&db, &model, token).await;
                assert_eq!(Said::of(&answer), model.refresh(token), "token {token} at {}", model.now);
            }
            Happening::Logout => {
                assert_eq!(change!(db.end_session(id, at(model.now))).await.unwrap(), !model.ended);
                model.ended = true;
            }
        }
        let session = db.session(id).await.unwrap().unwrap().session;
        let seen = (session.ended_at.is_some(), session.last_active_at, session.expires_at);
        assert_eq!(seen, (model.ended, at(model.last_active), at(model.expires)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_session_follows_its_model(happenings in prop::collection::vec(happening(), 1..40)) {
        on_sqlite(|db| follows_its_model(db, happenings));
    }
}
