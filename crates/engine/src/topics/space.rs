//! The space of a model's vectors, in which harmless texts lie evenly in every direction.

use super::{TextVector, cholesky::Cholesky};

/// Share of the mean variance that is added to each direction, so that directions in which the background barely varies do
/// not decide.
const SHRINKAGE: f64 = 0.2;

/// The space of vectors, made from those of harmless texts, the background.
#[derive(Debug)]
pub struct Space {
    mean: Box<[f32]>,
    factor: Cholesky,
    /// The background in the space, one vector behind the other.
    background: Box<[f32]>,
    /// The language of each.
    languages: Box<[u8]>,
}

impl Space {
    /// Makes the space from the vectors of the background. `None` unless there are two or more, all of one width and finite.
    pub fn of(background: &[TextVector]) -> Option<Self> {
        let width = background.first()?.numbers.len();
        let is_sound = |TextVector { numbers, .. }: &TextVector| {
            numbers.len() == width && numbers.iter().all(|number| number.is_finite())
        };
        if width == 0 || background.len() < 2 || !background.iter().all(is_sound) {
            return None;
        }
        let mean = mean(background, width);
        let factor = Cholesky::of(shrunk_covariance(background, &mean), width)?;
        let mean = mean.iter().map(|number| *number as f32).collect();
        let languages = background.iter().map(|vector| vector.language).collect();
        let mut space = Self { mean, factor, background: Box::default(), languages };
        space.background = background.iter().flat_map(|vector| space.whitened(&vector.numbers)).collect();
        Some(space)
    }

    /// Returns the numbers of a vector.
    pub fn width(&self) -> usize {
        self.mean.len()
    }

    /// Returns the place of a vector in the space: centered, whitened and of length 1. `None` if it has another width.
    pub fn place(&self, vector: &[f32]) -> Option<Vec<f32>> {
        (vector.len() == self.width()).then(|| self.whitened(vector))
    }

    fn whitened(&self, vector: &[f32]) -> Vec<f32> {
        let mut placed: Vec<f32> =
            vector.iter().zip(&self.mean).map(|(number, mean)| number - mean).collect();
        self.factor.solve(&mut placed);
        let length = placed.iter().map(|number| number * number).sum::<f32>().sqrt();
        if length > 0.0 {
            for number in &mut placed {
                *number /= length;
            }
        }
        placed
    }

    /// Iterates over the places of the background and their languages.
    pub fn background(&self) -> impl Iterator<Item = (&[f32], u8)> {
        self.background.chunks_exact(self.width()).zip(self.languages.iter().copied())
    }

    /// Returns the bytes that it takes.
    pub fn memory_usage(&self) -> usize {
        size_of_val(&*self.mean)
            + self.factor.memory_usage()
            + size_of_val(&*self.background)
            + size_of_val(&*self.languages)
    }
}

fn mean(vectors: &[TextVector], width: usize) -> Vec<f64> {
    let mut mean = vec![0.0; width];
    for (sum, number) in vectors.iter().flat_map(|vector| vector.numbers.iter().enumerate()) {
        mean[sum] += f64::from(*number) / vectors.len() as f64;
    }
    mean
}

/// Returns the lower half of the covariance, with a share of the mean variance added to the diagonal.
fn shrunk_covariance(vectors: &[TextVector], mean: &[f64]) -> Vec<f64> {
    let width = mean.len();
    let mut covariance = vec![0.0; width * width];
    let share = 1.0 / (vectors.len() - 1) as f64;
    for vector in vectors {
        let numbers = vector.numbers.iter().zip(mean);
        let centered: Vec<f64> = numbers.map(|(number, mean)| f64::from(*number) - mean).collect();
        for (at, row) in covariance.chunks_exact_mut(width).enumerate() {
            for (sum, other) in row[..=at].iter_mut().zip(&centered) {
                *sum += share * centered[at] * other;
            }
        }
    }
    let trace: f64 = (0..width).map(|at| covariance[at * width + at]).sum();
    for at in 0..width {
        covariance[at * width + at] += SHRINKAGE * trace / width as f64;
    }
    covariance
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(numbers: &[f32]) -> TextVector {
        TextVector { numbers: numbers.into(), language: 0 }
    }

    #[test]
    fn places_have_length_one_and_count_rare_directions_more() {
        let background: Vec<_> = (0..40).map(|at| vector(&[at as f32 * 10.0, (at % 2) as f32])).collect();
        let space = Space::of(&background).unwrap();
        let place = space.place(&[195.0 + 10.0, 0.5 + 10.0]).unwrap();
        assert!((place[0].hypot(place[1]) - 1.0).abs() < 1e-6, "{place:?}");
        assert!(place[1] > place[0], "{place:?}");
        assert_eq!(space.background().count(), 40);
    }

    #[test]
    fn vectors_that_do_not_fit_have_no_place() {
        assert!(Space::of(&[vector(&[1.0, 2.0])]).is_none());
        assert!(Space::of(&[vector(&[1.0, 2.0]), vector(&[1.0])]).is_none());
        assert!(Space::of(&[vector(&[1.0, f32::NAN]), vector(&[1.0, 2.0])]).is_none());
        assert!(Space::of(&[vector(&[1.0, 2.0]), vector(&[1.0, 2.0])]).is_none(), "they do not vary");
        let space = Space::of(&[vector(&[1.0, 2.0]), vector(&[2.0, 3.0])]).unwrap();
        assert!(space.place(&[1.0]).is_none());
    }
}
