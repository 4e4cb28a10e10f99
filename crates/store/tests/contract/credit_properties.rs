//! Properties of a balance: it is the sum of its ledger and never below zero.

use guardengine_store::{Charge, Db, DecisionRecord, LogEntry};
use proptest::prelude::*;
use uuid::Uuid;

use crate::fixtures::{at, change, log, on_sqlite, org};

#[derive(Clone, Debug)]
enum Happening {
    /// Costs of decisions that are written together.
    Decisions(Vec<i64>),
    /// An operator sets the balance.
    Set(i64),
}

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        4 => prop::collection::vec(0..8_i64, 1..12).prop_map(Happening::Decisions),
        1 => (0..40_i64).prop_map(Happening::Set),
    ]
}

/// The expected ledger, oldest first: operation, amount, balance afterwards, log entry.
#[derive(Default)]
struct Model {
    balance: i64,
    ledger: Vec<(&'static str, i64, i64, Option<Uuid>)>,
    unpaid: Vec<Uuid>,
}

impl Model {
    fn enter(&mut self, operation: &'static str, amount: i64, row: Option<Uuid>) {
        self.balance += amount;
        self.ledger.push((operation, amount, self.balance, row));
    }

    fn charge(&mut self, decision: &DecisionRecord) -> Charge {
        let LogEntry { id, credits, .. } = decision.log;
        if credits > self.balance {
            self.unpaid.push(id);
            return Charge::Insufficient { balance: self.balance };
        }
        if credits > 0 {
            self.enter("analyze", -credits, Some(id));
        }
        Charge::Paid { balance: self.balance }
    }
}

fn decisions(org_id: Uuid, costs: &[i64]) -> Vec<DecisionRecord> {
    let decision = |cost: &i64| DecisionRecord::of(LogEntry { credits: *cost, ..log(org_id, 1) }, "analyze");
    costs.iter().map(decision).collect()
}

async fn agrees(db: &Db, org_id: Uuid, model: &Model) {
    let mut entries = db.credit_entries(org_id, None, 1000).await.unwrap();
    entries.reverse();
    let ledger: Vec<_> = entries
        .iter()
        .map(|entry| (entry.operation.as_str(), entry.amount, entry.balance_after, entry.log_id))
        .collect();
    assert_eq!(ledger, model.ledger);
    assert!(entries.iter().zip(1..).all(|(entry, place)| entry.sequence == place));
    assert!(entries.iter().all(|entry| entry.balance_after >= 0));
    let sum: i64 = entries.iter().map(|entry| entry.amount).sum();
    assert_eq!(db.balance(org_id).await.unwrap(), Some(sum));
    for row in entries.iter().filter_map(|entry| entry.log_id) {
        assert!(db.log(org_id, row).await.unwrap().is_some());
    }
    for row in &model.unpaid {
        assert_eq!(db.log(org_id, *row).await.unwrap(), None);
    }
}

async fn follows_its_model(db: Db, happenings: Vec<Happening>) {
    let mut model = Model::default();
    model.enter("initial", 20, None);
    let acme = org(&db, "Acme", 20).await;
    for happening in happenings {
        match happening {
            Happening::Decisions(costs) => {
                let decisions = decisions(acme.id, &costs);
                let charges = db.commit_decisions(&decisions).await.unwrap();
                let expected: Vec<_> = decisions.iter().map(|decision| model.charge(decision)).collect();
                assert_eq!(charges, expected);
            }
            Happening::Set(balance) => {
                assert!(change!(db.set_credits(acme.id, balance, 0, at(1))).await.unwrap());
                model.enter("set", balance - model.balance, None);
            }
        }
    }
    agrees(&db, acme.id, &model).await;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_balance_is_the_sum_of_its_ledger_and_never_below_zero(
        happenings in prop::collection::vec(happening(), 1..16)
    ) {
        on_sqlite(|db| follows_its_model(db, happenings));
    }
}
