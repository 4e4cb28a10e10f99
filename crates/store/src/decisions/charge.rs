//! Allocation of one balance to several decisions.

/// Outcome of charging a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge {
    /// Paid; its log entry is durable.
    Paid {
        /// Balance afterwards.
        balance: i64,
    },
    /// Not paid; nothing of it is written.
    Insufficient {
        /// Balance that was too low.
        balance: i64,
    },
    /// The challenge it answers is already answered or expired; nothing of it is written.
    ChallengeClosed,
    /// Another runner has the job that it ends; nothing of it is written.
    JobLost,
}

/// Pays costs from a balance in their order. A cost above the balance is skipped and leaves the balance to the rest.
pub(crate) fn charge(mut balance: i64, costs: impl Iterator<Item = i64>) -> Vec<Charge> {
    costs
        .map(|cost| {
            if cost > balance {
                return Charge::Insufficient { balance };
            }
            balance -= cost;
            Charge::Paid { balance }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_paid_in_order_and_never_below_zero() {
        let charges = charge(5, [2, 4, 3, 1, 0].into_iter());
        assert_eq!(
            charges,
            [
                Charge::Paid { balance: 3 },
                Charge::Insufficient { balance: 3 },
                Charge::Paid { balance: 0 },
                Charge::Insufficient { balance: 0 },
                Charge::Paid { balance: 0 },
            ]
        );
    }
}
