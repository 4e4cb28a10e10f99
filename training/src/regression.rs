//! Logistic regression on two values and a bias, with weights for the rows.

use guardengine_classifiers::calibration::logistic;

/// Two values and 1, whether the label holds, and how much the row counts.
pub type Row = ([f64; 3], bool, f64);

/// Newton steps; three numbers settle in far fewer.
const STEPS: usize = 30;
/// Prior of the weights and its strength, in rows: two values that agree count half each.
const PRIOR: [f64; 3] = [0.5, 0.5, 0.0];
const PULL: f64 = 5.0;

/// Returns the weights of both values and the bias that make the rows most likely. A negative weight becomes zero,
/// because each value is evidence for its label.
pub fn logistic_regression(rows: &[Row]) -> [f64; 3] {
    let free = newton(rows, [true; 3]);
    match (free[0] >= 0.0, free[1] >= 0.0) {
        (true, true) => free,
        (false, _) => newton(rows, [false, true, true]),
        (_, false) => newton(rows, [true, false, true]),
    }
}

fn newton(rows: &[Row], free: [bool; 3]) -> [f64; 3] {
    let mut at = std::array::from_fn(|place| if free[place] { PRIOR[place] } else { 0.0 });
    for _ in 0..STEPS {
        let (mut slope, mut curvature) = derivatives(rows, &at);
        for place in (0..3).filter(|place| !free[*place]) {
            hold(place, &mut slope, &mut curvature);
        }
        let step = solved(&curvature, &slope);
        at = std::array::from_fn(|place| at[place] - step[place].clamp(-1.0, 1.0));
    }
    at
}

/// Returns the first and second derivatives of the loss.
fn derivatives(rows: &[Row], at: &[f64; 3]) -> ([f64; 3], [[f64; 3]; 3]) {
    let mut slope = [PULL * (at[0] - PRIOR[0]), PULL * (at[1] - PRIOR[1]), 0.0];
    let mut curvature = [[PULL, 0.0, 0.0], [0.0, PULL, 0.0], [0.0, 0.0, 1e-6]];
    for (values, holds, weight) in rows {
        let odds: f64 = values.iter().zip(at).map(|(value, weight)| value * weight).sum();
        let probability = f64::from(logistic(odds as f32));
        let error = weight * (probability - f64::from(u8::from(*holds)));
        let bend = weight * probability * (1.0 - probability);
        for row in 0..3 {
            slope[row] += error * values[row];
            (0..3).for_each(|column| curvature[row][column] += bend * values[row] * values[column]);
        }
    }
    (slope, curvature)
}

/// Fixes one parameter at its value.
fn hold(place: usize, slope: &mut [f64; 3], curvature: &mut [[f64; 3]; 3]) {
    slope[place] = 0.0;
    curvature[place] = [0.0; 3];
    for row in curvature.iter_mut() {
        row[place] = 0.0;
    }
    curvature[place][place] = 1.0;
}

/// Returns the solution of three linear equations, by Cramer's rule.
fn solved(matrix: &[[f64; 3]; 3], right: &[f64; 3]) -> [f64; 3] {
    let whole = determinant(matrix);
    std::array::from_fn(|column| {
        let mut replaced = *matrix;
        (0..3).for_each(|row| replaced[row][column] = right[row]);
        determinant(&replaced) / whole
    })
}

fn determinant(of: &[[f64; 3]; 3]) -> f64 {
    let minor = |left: usize, right: usize| of[1][left] * of[2][right] - of[1][right] * of[2][left];
    of[0][0] * minor(1, 2) - of[0][1] * minor(0, 2) + of[0][2] * minor(0, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fit_finds_the_weights_that_made_the_texts() {
        let made = [0.7, 1.4, -2.0];
        let mut rows = Vec::new();
        for step in 0..10_000_u32 {
            let input = |prime: u32| f64::from(step.wrapping_mul(prime) % 1_000) / 100.0 - 5.0;
            let inputs = [input(7), input(353), 1.0];
            let value: f64 = inputs.iter().zip(made).map(|(input, weight)| input * weight).sum();
            let holds = f64::from(logistic(value as f32));
            rows.extend([(inputs, true, holds), (inputs, false, 1.0 - holds)]);
        }
        let found = logistic_regression(&rows);
        assert!(found.iter().zip(made).all(|(found, made)| (found - made).abs() < 0.05), "{found:?}");
    }

    #[test]
    fn a_negative_weight_becomes_zero() {
        let rows: Vec<_> = (0..100)
            .map(|step| {
                let value = f64::from(step) / 10.0 - 5.0;
                ([-value, value, 1.0], step > 50, 1.0)
            })
            .collect();
        let [linear, encoder, _] = logistic_regression(&rows);
        assert!(linear == 0.0 && encoder > 0.0, "{linear} {encoder}");
    }
}
