//! Logistic regression over the tags that may follow the one before, fitted by Adagrad (Duchi, Hazan, Singer 2011).

use guardengine_engine::pii::tagger::{
    features::{COUNT, ROWS},
    tag::Tag,
};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng, seq::SliceRandom as _};

use super::example::Example;

/// One weight for each tag.
pub type Values = [f32; Tag::ALL.len()];

const EPOCHS: usize = 6;
/// Size of the first steps.
const RATE: f32 = 0.15;
/// Share of examples read without lists of names, and share of features hidden from each.
const UNLISTED: f64 = 0.25;
const HIDDEN: f64 = 0.1;

#[derive(Clone, Copy, Default)]
struct Slot {
    weights: Values,
    squares: Values,
}

/// Real weights for `examples`; one thread and one seed, so that the same texts give the same weights.
pub fn fit<'e>(examples: impl IntoIterator<Item = &'e Example>, seed: u64) -> Vec<Values> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut examples: Vec<&Example> = examples.into_iter().collect();
    let mut slots = vec![Slot::default(); ROWS];
    for _ in 0..EPOCHS {
        examples.shuffle(&mut random);
        for example in &examples {
            let listed = !random.random_bool(UNLISTED);
            let mut rows = if listed { example.rows } else { example.unlisted }.to_vec();
            rows.retain(|_| !random.random_bool(HIDDEN));
            learn(&mut slots, example, &rows);
        }
    }
    slots.into_iter().map(|slot| slot.weights).collect()
}

fn learn(slots: &mut [Slot], example: &Example, rows: &[u16]) {
    let sums = sums(rows, |row| &slots[row].weights);
    let mut errors = shares(&sums, example.before, 1.0);
    errors[example.tag as usize] -= 1.0;
    for row in rows {
        let Slot { weights, squares } = &mut slots[usize::from(*row)];
        for (tag, error) in errors.iter().enumerate() {
            let slope = error * example.weight;
            squares[tag] += slope * slope;
            weights[tag] -= RATE * slope / (squares[tag] + 1e-6).sqrt();
        }
    }
}

fn sums<'w>(rows: &[u16], weights: impl Fn(usize) -> &'w Values) -> Values {
    let mut sums = Values::default();
    for row in rows {
        for (sum, weight) in sums.iter_mut().zip(weights(usize::from(*row))) {
            *sum += weight;
        }
    }
    sums
}

/// Probabilities of the tags behind `before`.
fn shares(sums: &Values, before: Tag, sharpness: f32) -> Values {
    let may = Tag::ALL.map(|tag| tag.may_follow(before));
    let most = sums.iter().zip(may).filter(|(_, may)| *may).map(|(sum, _)| *sum).fold(f32::MIN, f32::max);
    let mut shares = Values::default();
    for ((share, sum), may) in shares.iter_mut().zip(sums).zip(may) {
        *share = if may { ((sum - most) * sharpness).exp() } else { 0.0 };
    }
    let whole: f32 = shares.iter().sum();
    shares.map(|share| share / whole)
}

/// What `model` makes of an example at a sharpness: minus the logarithm of its own tag's probability.
pub fn surprise(model: &[Values], example: &Example, sharpness: f32) -> f32 {
    let rows: &[u16; COUNT] = &example.rows;
    let shares = shares(&sums(rows, |row| &model[row]), example.before, sharpness);
    -shares[example.tag as usize].max(1e-9).ln()
}
