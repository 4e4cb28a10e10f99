//! Password hashing: Argon2id (RFC 9106) with 19 MiB, two passes and one lane, as OWASP recommends. Passwords are hashed
//! in one spelling (NFC), so that keyboards and systems that compose letters differently give the same password.

use std::sync::{Arc, LazyLock};

use argon2::{
    Argon2, PasswordVerifier as _,
    password_hash::{PasswordHasher as _, phc::PasswordHash},
};
use guardengine_store::prepare_password;
use tokio::{sync::Semaphore, task::spawn_blocking};

/// Hash to verify for unknown users, so that they take as long as known ones.
static DUMMY_HASH: LazyLock<String> =
    LazyLock::new(|| hash_now("nobody has this password").unwrap_or_default());

/// Hashes and verifies passwords on a bounded number of threads: each hash takes 19 MiB and about 20 ms.
#[derive(Clone)]
pub struct Passwords(Arc<Semaphore>);

impl Default for Passwords {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        LazyLock::force(&DUMMY_HASH);
        Self(Arc::new(Semaphore::new(threads)))
    }
}

impl Passwords {
    /// Returns the hash of a password as a PHC string. `None` only if no randomness is available, or during shutdown.
    pub async fn hash(&self, password: &str) -> Option<String> {
        let password = password.to_owned();
        self.run(move || hash_now(&password)).await.flatten()
    }

    /// Returns true if `password` matches `hash`. Pass `None` for a user who does not exist.
    pub async fn matches(&self, password: &str, hash: Option<String>) -> bool {
        let password = password.to_owned();
        let check = move || {
            let is_known = hash.is_some();
            let is_same = verify(&password, hash.as_deref().unwrap_or(&DUMMY_HASH));
            is_known && is_same
        };
        self.run(check).await.unwrap_or(false)
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let _permit = self.0.acquire().await.ok()?;
        spawn_blocking(work).await.ok()
    }
}

fn hash_now(password: &str) -> Option<String> {
    Argon2::default().hash_password(prepare_password(password).as_bytes()).ok().map(|hash| hash.to_string())
}

fn verify(password: &str, hash: &str) -> bool {
    let prepared = prepare_password(password);
    let is_right = |password: &str, hash: &PasswordHash| {
        Argon2::default().verify_password(password.as_bytes(), hash).is_ok()
    };
    // Earlier versions hashed passwords as they were typed.
    PasswordHash::new(hash)
        .is_ok_and(|hash| is_right(&prepared, &hash) || (prepared != password && is_right(password, &hash)))
}

/// Returns the first rule that a new password breaks, as an error text for the user.
pub fn broken_rule(password: &str) -> Option<&'static str> {
    let password = prepare_password(password);
    if password.chars().count() < 8 {
        Some("must have at least 8 characters")
    } else if !password.chars().any(char::is_uppercase) {
        Some("must have at least one upper-case letter")
    } else if !password.chars().any(char::is_lowercase) {
        Some("must have at least one lower-case letter")
    } else if !password.chars().any(|c| c.is_ascii_digit()) {
        Some("must have at least one digit")
    } else if password.len() > 1_000 {
        Some("must have at most 1000 bytes")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_the_first_broken_rule() {
        let rules = ["short1A", "alllower1", "ALLUPPER1", "NoDigits!", "Right-horse-9"].map(broken_rule);
        let words = ["8 characters", "upper-case", "lower-case", "digit"];
        assert!(rules.iter().zip(words).all(|(rule, word)| rule.is_some_and(|rule| rule.contains(word))));
        assert_eq!(rules[4], None);
    }

    #[test]
    fn a_password_matches_in_another_spelling_and_as_an_earlier_version_hashed_it() {
        let (composed, decomposed) = ("Zo\u{e9}-horse-9", "Zoe\u{301}-horse-9");
        let hash = hash_now(decomposed).unwrap();
        assert!(verify(composed, &hash) && verify(decomposed, &hash));
        let earlier = Argon2::default().hash_password(decomposed.as_bytes()).unwrap().to_string();
        assert!(verify(decomposed, &earlier) && !verify(composed, &earlier));
    }

    #[test]
    fn a_hash_matches_its_password_only() {
        let hash = hash_now("Right-horse-9").unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(verify("Right-horse-9", &hash) && !verify("Wrong-horse-9", &hash) && !verify("", ""));
    }
}
