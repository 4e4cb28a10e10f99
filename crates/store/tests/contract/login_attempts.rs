//! Sign-in attempts and lockout.

use std::time::Duration;

use guardengine_store::{Db, LockoutRule, LoginAttempt};

use crate::fixtures::{at, on_both};

const RULE: LockoutRule =
    LockoutRule { attempts: 5, window: Duration::from_mins(10), duration: Duration::from_mins(5) };

async fn attempt(db: &Db, second: i64) -> LoginAttempt {
    db.record_login_attempt("ann", RULE, at(second)).await.unwrap()
}

#[tokio::test]
async fn the_sixth_attempt_is_locked_and_does_not_prolong_the_lock() {
    on_both(async |db| {
        for second in 0..5 {
            assert_eq!(attempt(&db, second).await, LoginAttempt::Allowed);
        }
        for second in [5, 100, 303] {
            assert_eq!(attempt(&db, second).await, LoginAttempt::LockedUntil(at(304)));
        }
        assert_eq!(attempt(&db, 304).await, LoginAttempt::Allowed);
    })
    .await;
}

#[tokio::test]
async fn the_count_starts_again_after_a_lock() {
    on_both(async |db| {
        for second in 0..6 {
            attempt(&db, second).await;
        }
        for second in 400..405 {
            assert_eq!(attempt(&db, second).await, LoginAttempt::Allowed);
        }
        assert_eq!(attempt(&db, 405).await, LoginAttempt::LockedUntil(at(704)));
    })
    .await;
}

#[tokio::test]
async fn old_attempts_do_not_count() {
    on_both(async |db| {
        for second in 0..4 {
            attempt(&db, second).await;
        }
        for second in 600..605 {
            assert_eq!(attempt(&db, second).await, LoginAttempt::Allowed);
        }
        assert!(matches!(attempt(&db, 605).await, LoginAttempt::LockedUntil(_)));
    })
    .await;
}

#[tokio::test]
async fn a_reset_affects_only_that_name() {
    on_both(async |db| {
        for second in 0..6 {
            attempt(&db, second).await;
        }
        assert_eq!(db.record_login_attempt("bob", RULE, at(6)).await.unwrap(), LoginAttempt::Allowed);
        assert!(db.reset_login_attempts("ann").await.unwrap());
        assert!(!db.reset_login_attempts("ann").await.unwrap());
        assert_eq!(attempt(&db, 7).await, LoginAttempt::Allowed);
    })
    .await;
}

#[tokio::test]
async fn a_rule_of_one_attempt_locks_after_the_first() {
    on_both(async |db| {
        let rule = LockoutRule { attempts: 1, ..RULE };
        for start in [0, 1000] {
            assert_eq!(db.record_login_attempt("x", rule, at(start)).await.unwrap(), LoginAttempt::Allowed);
            let locked = db.record_login_attempt("x", rule, at(start + 1)).await.unwrap();
            assert_eq!(locked, LoginAttempt::LockedUntil(at(start + 300)));
        }
    })
    .await;
}

#[tokio::test]
async fn ended_counts_are_deleted() {
    on_both(async |db| {
        attempt(&db, 0).await;
        assert_eq!(db.delete_ended_login_attempts(at(599)).await.unwrap(), 0);
        assert_eq!(db.delete_ended_login_attempts(at(600)).await.unwrap(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn five_of_thirty_two_parallel_guesses_reach_the_password_check() {
    on_both(async |db| {
        let guesses: Vec<_> = (0..32)
            .map(|_| {
                let db = db.clone();
                tokio::spawn(async move { attempt(&db, 1).await })
            })
            .collect();
        let mut allowed = 0;
        for guess in guesses {
            allowed += i32::from(guess.await.unwrap() == LoginAttempt::Allowed);
        }
        assert_eq!(allowed, 5);
    })
    .await;
}
