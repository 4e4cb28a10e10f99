//! Sealed values behind tokens.

use guardengine_store::{Db, DecisionRecord, Org, PiiToken};

use crate::fixtures::{log, on_both, org};

fn token(token: &str, sealed: &[u8]) -> PiiToken {
    PiiToken { token: token.into(), kind: "email".into(), sealed: sealed.into() }
}

/// Commits a decision that created these tokens.
async fn insert(db: &Db, org: &Org, tokens: &[PiiToken]) {
    let decision = DecisionRecord { tokens: tokens.to_vec(), ..DecisionRecord::of(log(org.id, 0), "mask") };
    db.commit_decisions(&[decision]).await.unwrap();
}

#[tokio::test]
async fn the_first_value_of_a_token_stays() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 9).await;
        insert(&db, &acme, &[token("a", b"1"), token("a", b"2")]).await;
        insert(&db, &acme, &[token("a", b"3")]).await;
        assert_eq!(db.pii_tokens(acme.id, &["a".into()]).await.unwrap(), [token("a", b"1")]);
    })
    .await;
}

#[tokio::test]
async fn a_token_belongs_to_its_organization() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 9).await, org(&db, "Other", 1).await);
        insert(&db, &acme, &[token("a", b"1")]).await;
        assert_eq!(db.pii_tokens(other.id, &["a".into()]).await.unwrap(), []);
        assert_eq!(db.pii_tokens(acme.id, &["b\0".into()]).await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn many_tokens_are_inserted_and_found_at_once() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 9).await;
        let tokens: Vec<_> = (0..200).map(|number| token(&number.to_string(), b"x")).collect();
        insert(&db, &acme, &tokens).await;
        let names: Vec<_> = (0..250).map(|number| number.to_string()).collect();
        assert_eq!(db.pii_tokens(acme.id, &names).await.unwrap().len(), 200);
    })
    .await;
}
