//! Balances and the ledger.

use uuid::Uuid;

use crate::fixtures::{at, change, on_both, org};

#[tokio::test]
async fn setting_a_balance_adds_a_ledger_entry() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 50).await;
        assert!(change!(db.set_credits(acme.id, 20, 0, at(1))).await.unwrap());
        assert_eq!(db.balance(acme.id).await.unwrap(), Some(20));
        let newest = db.credit_entries(acme.id, None, 1).await.unwrap();
        let entry = &newest[0];
        assert_eq!((entry.operation.as_str(), entry.amount, entry.balance_after), ("set", -30, 20));
    })
    .await;
}

#[tokio::test]
async fn an_unknown_organization_has_no_balance() {
    on_both(async |db| {
        assert!(!change!(db.set_credits(Uuid::nil(), 5, 0, at(0))).await.unwrap());
        assert_eq!(db.balance(Uuid::nil()).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn the_ledger_is_paged_newest_first_without_loss() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 0).await;
        for second in 1..=6 {
            change!(db.set_credits(acme.id, second, 0, at(second))).await.unwrap();
        }
        let newer = db.credit_entries(acme.id, None, 4).await.unwrap();
        let older = db.credit_entries(acme.id, newer.last().map(|entry| entry.sequence), 4).await.unwrap();
        let seen: Vec<_> = newer.iter().chain(&older).map(|entry| entry.balance_after).collect();
        assert_eq!(seen, [6, 5, 4, 3, 2, 1, 0]);
    })
    .await;
}
