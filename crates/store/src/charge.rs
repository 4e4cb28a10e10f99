//! Who of many can pay from one balance.

/// Whether a decision was paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge {
    /// It was; its row is durable.
    Paid {
        /// The balance after it.
        balance: i64,
    },
    /// It was not, and nothing of it is kept.
    Insufficient {
        /// The balance that was too low.
        balance: i64,
    },
    /// The challenge that it answers was answered before, or is over; nothing of it is kept.
    AnsweredBefore,
}

/// Pays costs from a balance in the order in which they came; one that is too high leaves the balance to the rest.
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
