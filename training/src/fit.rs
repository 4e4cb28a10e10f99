//! Logistic regression on hashed features, one output for each label, fitted by Adagrad (Duchi, Hazan, Singer 2011).
//!
//! A text with several windows has the greatest score of them, as in detectors; only that score is trained. Where
//! nothing is known about a label, nothing is learnt. All random numbers come from one seed, and one thread fits, so
//! the same texts give the same weights.

use guardengine_classifiers::CASCADE_LABELS;
use guardengine_classifiers::{SMOOTHING, features::ROWS};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng, seq::SliceRandom as _};

use crate::{corpus::Target, example::Example, weighing::weights};

const COUNT: usize = CASCADE_LABELS.len();
type Values = [f32; COUNT];

/// Hyperparameters of the fit.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Passes over the examples.
    pub epochs: usize,
    /// Size of the first steps.
    pub rate: f32,
    /// Pull of each used weight towards zero, for each label.
    pub decay: [f32; COUNT],
    /// Share of an example's features that are hidden from the model, for half of the examples.
    pub hidden: f32,
    /// Seed of order and hiding.
    pub seed: u64,
}

#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
struct Slot {
    weight: Values,
    squares: Values,
}

/// Real weights.
pub struct Model {
    /// One row for each feature.
    pub rows: Vec<Values>,
    /// One for each label.
    pub biases: Values,
}

impl Model {
    /// Returns a hash of all weights.
    pub fn fingerprint(&self) -> u64 {
        let bits = self.rows.iter().chain([&self.biases]).flatten().map(|weight| u64::from(weight.to_bits()));
        bits.fold(0xcbf2_9ce4_8422_2325, |hash, bits| (hash ^ bits).wrapping_mul(0x0100_0000_01b3))
    }

    /// Returns the greatest value of each label among the whole text and its windows.
    pub fn greatest(&self, example: &Example) -> Values {
        let units = units(example, |row| Some(&self.rows[row as usize]));
        let (_, values) = greatest(&units, &self.biases);
        values
    }
}

/// Fits a model to examples.
pub fn fit<'e>(examples: impl IntoIterator<Item = &'e Example>, settings: &Settings) -> Model {
    let examples: Vec<&Example> = examples.into_iter().collect();
    let weights = weights(&examples);
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut fitting = Fitting::new(*settings);
    for _ in 0..settings.epochs {
        order.shuffle(&mut fitting.random);
        for &place in &order {
            fitting.learn(examples[place], &weights[place]);
        }
    }
    Model { rows: fitting.slots.iter().map(|slot| slot.weight).collect(), biases: fitting.bias.weight }
}

struct Fitting {
    settings: Settings,
    slots: Vec<Slot>,
    bias: Slot,
    random: StdRng,
}

impl Fitting {
    fn new(settings: Settings) -> Self {
        let bias = Slot { weight: [-3.0; COUNT], squares: [1.0; COUNT] };
        Self {
            settings,
            slots: vec![Slot::default(); ROWS],
            bias,
            random: StdRng::seed_from_u64(settings.seed),
        }
    }

    fn learn(&mut self, example: &Example, weights: &Values) {
        let hide = self.hiding();
        let units = units(example, |row| (!hide.hides(row)).then(|| &self.slots[row as usize].weight));
        let (places, values) = greatest(&units, &self.bias.weight);
        let errors = errors(&values, &example.targets, weights);
        if errors.iter().all(|error| error.abs() < 1e-4) {
            return;
        }
        for (chunk, slopes) in slopes(&units, &places, &errors, example.ends.len()).iter().enumerate() {
            let shown = example.chunk(chunk).iter().filter(|row| !hide.hides(**row));
            shown.for_each(|row| step(&mut self.slots[*row as usize], slopes, &self.settings));
        }
        step(&mut self.bias, &errors, &Settings { decay: [0.0; COUNT], rate: 0.05, ..self.settings });
    }

    fn hiding(&mut self) -> Hiding {
        let share = if self.random.random_bool(0.5) { self.settings.hidden } else { 0.0 };
        Hiding { salt: self.random.random(), below: (share * u32::MAX as f32) as u32 }
    }
}

/// Hides a share of all features, the same each time it is asked.
struct Hiding {
    salt: u32,
    below: u32,
}

impl Hiding {
    #[inline]
    const fn hides(&self, row: u32) -> bool {
        let mixed = (row ^ self.salt).wrapping_mul(0x9e37_79b1);
        (mixed ^ (mixed >> 15)).wrapping_mul(0x85eb_ca77) < self.below
    }
}

/// Sum of a stretch of chunks.
#[derive(Clone, Debug)]
struct Unit {
    chunks: std::ops::Range<usize>,
    sums: Values,
    features: f32,
}

/// Returns the whole text, then its windows of two chunks.
fn units<'w>(example: &Example, weight: impl Fn(u32) -> Option<&'w Values>) -> Vec<Unit> {
    let chunks: Vec<Unit> = (0..example.ends.len())
        .map(|index| {
            let mut unit = Unit { chunks: index..index + 1, sums: [0.0; COUNT], features: 0.0 };
            example.chunk(index).iter().filter_map(|row| weight(*row)).for_each(|row| {
                add(&mut unit.sums, row);
                unit.features += 1.0;
            });
            unit
        })
        .collect();
    let mut units = vec![joined(&chunks)];
    if chunks.len() > 2 {
        units.extend(chunks.windows(2).map(joined));
    }
    units
}

fn joined(chunks: &[Unit]) -> Unit {
    let mut whole = Unit {
        chunks: chunks[0].chunks.start..chunks[chunks.len() - 1].chunks.end,
        sums: [0.0; COUNT],
        features: 0.0,
    };
    for chunk in chunks {
        add(&mut whole.sums, &chunk.sums);
        whole.features += chunk.features;
    }
    whole
}

#[inline]
fn add(sums: &mut Values, more: &Values) {
    for (sum, one) in sums.iter_mut().zip(more) {
        *sum += one;
    }
}

/// Returns for each label the index of the unit with the greatest value, and the value.
fn greatest(units: &[Unit], biases: &Values) -> ([usize; COUNT], Values) {
    let (mut places, mut values) = ([0; COUNT], [f32::NEG_INFINITY; COUNT]);
    for (place, unit) in units.iter().enumerate() {
        let root = (unit.features + SMOOTHING).sqrt();
        for label in 0..COUNT {
            let value = biases[label] + unit.sums[label] / root;
            if value > values[label] {
                (places[label], values[label]) = (place, value);
            }
        }
    }
    (places, values)
}

/// Returns the gradient of the loss by each label's value.
fn errors(values: &Values, targets: &[Target; COUNT], weights: &Values) -> Values {
    std::array::from_fn(|label| {
        let probability = 1.0 / (1.0 + (-values[label]).exp());
        weights[label] * (probability - f32::from(u8::from(targets[label].holds)))
    })
}

/// Returns the gradient of the loss by the weights of each chunk's features.
fn slopes(units: &[Unit], places: &[usize; COUNT], errors: &Values, chunks: usize) -> Vec<Values> {
    let mut slopes = vec![[0.0; COUNT]; chunks];
    for label in 0..COUNT {
        let unit = &units[places[label]];
        let slope = errors[label] / (unit.features + SMOOTHING).sqrt();
        slopes[unit.chunks.clone()].iter_mut().for_each(|chunk| chunk[label] = slope);
    }
    slopes
}

#[inline]
fn step(slot: &mut Slot, slopes: &Values, settings: &Settings) {
    let learnt = slot.weight.iter_mut().zip(&mut slot.squares).zip(slopes);
    for (((weight, squares), slope), decay) in learnt.zip(&settings.decay) {
        let pull = if *slope == 0.0 { 0.0 } else { decay * *weight };
        let slope = slope + pull;
        *squares += slope * slope;
        *weight -= settings.rate * slope / (squares.sqrt() + 1e-3);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Labelled;

    const SPAM: usize = 11;

    fn example(text: &str, holds: bool) -> Example {
        let mut targets = [Target::default(); COUNT];
        targets[SPAM] = Target { holds, weight: 1.0 };
        let (source, language) = ("test".to_owned(), "en".to_owned());
        Example::new(&Labelled { text: text.to_owned(), source, language, is_given: false, fold: 0, targets })
    }

    fn fitted() -> (Model, [Example; 2]) {
        let examples = [example("buy cheap watches now", true), example("the train leaves at noon", false)];
        let settings = Settings { epochs: 20, rate: 0.3, decay: [1e-4; COUNT], hidden: 0.2, seed: 1 };
        (fit(&examples, &settings), examples)
    }

    #[test]
    fn the_model_separates_what_the_examples_separate() {
        let (model, [spam, harmless]) = fitted();
        assert!(model.greatest(&spam)[SPAM] > 0.0 && model.greatest(&harmless)[SPAM] < 0.0);
    }

    #[test]
    fn unknown_labels_do_not_train_the_model() {
        let (model, _) = fitted();
        assert!(model.rows.iter().all(|row| row[SPAM - 1] == 0.0));
    }

    #[test]
    fn the_same_examples_and_seed_give_the_same_weights() {
        assert_eq!(fitted().0.fingerprint(), fitted().0.fingerprint());
    }

    #[test]
    fn a_harmful_sentence_raises_a_long_text() {
        let (model, _) = fitted();
        let harmless = "the train leaves at noon. ".repeat(40);
        let value = |text: &str| model.greatest(&example(text, true))[SPAM];
        assert!(value(&format!("{harmless} buy cheap watches now {harmless}")) > value(&harmless.repeat(2)));
    }
}
