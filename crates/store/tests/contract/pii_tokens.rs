//! Tokens and the values behind them.

use guardengine_store::PiiToken;

use crate::fixtures::{at, on_both, org};

fn token(token: &str, sealed: &[u8]) -> PiiToken {
    PiiToken { token: token.into(), kind: "email".into(), sealed: sealed.into() }
}

#[tokio::test]
async fn the_first_value_of_a_token_stays() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        db.insert_pii_tokens(acme.id, &[token("a", b"1"), token("a", b"2")], at(0)).await.unwrap();
        db.insert_pii_tokens(acme.id, &[token("a", b"3")], at(1)).await.unwrap();
        assert_eq!(db.pii_tokens(acme.id, &["a".into()]).await.unwrap(), [token("a", b"1")]);
    })
    .await;
}

#[tokio::test]
async fn a_token_opens_in_its_own_organisation_only() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 1).await, org(&db, "Other", 1).await);
        db.insert_pii_tokens(acme.id, &[token("a", b"1")], at(0)).await.unwrap();
        assert_eq!(db.pii_tokens(other.id, &["a".into()]).await.unwrap(), []);
        assert_eq!(db.pii_tokens(acme.id, &["b\0".into()]).await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn many_tokens_are_kept_and_found_at_once() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        let tokens: Vec<_> = (0..200).map(|number| token(&number.to_string(), b"x")).collect();
        db.insert_pii_tokens(acme.id, &tokens, at(0)).await.unwrap();
        let names: Vec<_> = (0..250).map(|number| number.to_string()).collect();
        assert_eq!(db.pii_tokens(acme.id, &names).await.unwrap().len(), 200);
    })
    .await;
}
