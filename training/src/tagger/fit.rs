//! Logistic regression over the tags that may follow the one before, fitted by Adagrad (Duchi, Hazan, Singer 2011).

use guardengine_engine::pii::tagger::{
    features::{Feature, ROWS},
    tag::Tag,
};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng, seq::SliceRandom as _};

use super::{
    example::Example,
    owners::{owners, owns},
};

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

/// Real weights, and the features that they belong to.
pub struct Model {
    /// For each row, the mark of its feature.
    pub owners: Vec<Option<u8>>,
    /// For each row; those of [`Tag::Other`] are zero.
    pub rows: Vec<Values>,
}

/// Fits a model to `examples`, with one thread and one seed, so that the same texts give the same weights.
pub fn fit<'e>(examples: impl IntoIterator<Item = &'e Example>, seed: u64) -> Model {
    let mut random = StdRng::seed_from_u64(seed);
    let mut examples: Vec<&Example> = examples.into_iter().collect();
    let owners = owners(&examples);
    let mut slots = vec![Slot::default(); ROWS];
    for _ in 0..EPOCHS {
        examples.shuffle(&mut random);
        for example in &examples {
            let listed = !random.random_bool(UNLISTED);
            let mut features = if listed { example.features } else { example.unlisted }.to_vec();
            features.retain(|feature| owns(&owners, *feature) && !random.random_bool(HIDDEN));
            learn(&mut slots, example, &features);
        }
    }
    Model { owners, rows: slots.into_iter().map(|slot| slot.weights).collect() }
}

fn learn(slots: &mut [Slot], example: &Example, features: &[Feature]) {
    let sums = sums(features, |row| &slots[row].weights);
    let mut errors = shares(&sums, example.before, 1.0);
    errors[example.tag as usize] -= 1.0;
    for feature in features {
        let Slot { weights, squares } = &mut slots[usize::from(feature.row)];
        for (tag, error) in errors.iter().enumerate().skip(1) {
            let slope = error * example.weight;
            squares[tag] += slope * slope;
            weights[tag] -= RATE * slope / (squares[tag] + 1e-6).sqrt();
        }
    }
}

fn sums<'w>(features: &[Feature], weights: impl Fn(usize) -> &'w Values) -> Values {
    let mut sums = Values::default();
    for feature in features {
        for (sum, weight) in sums.iter_mut().zip(weights(usize::from(feature.row))) {
            *sum += weight;
        }
    }
    sums
}

/// Returns the probabilities of the tags that may follow `before`.
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

/// Returns the loss of `model` on an example at a sharpness: the negative logarithm of the probability of its tag.
pub fn surprise(model: &Model, example: &Example, sharpness: f32) -> f32 {
    let mut known = example.features.to_vec();
    known.retain(|feature| owns(&model.owners, *feature));
    let shares = shares(&sums(&known, |row| &model.rows[row]), example.before, sharpness);
    -shares[example.tag as usize].max(1e-9).ln()
}
