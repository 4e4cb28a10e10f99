//! Whitens vectors with the Cholesky factor of a covariance.

/// The lower factor of a symmetric positive definite matrix. Columns follow one another, each from its diagonal on, so that
/// solving adds whole columns and needs no sums across a vector.
#[derive(Debug)]
pub struct Cholesky {
    width: usize,
    columns: Box<[f32]>,
}

impl Cholesky {
    /// Factors a matrix whose rows follow one another; only its lower half is read. `None` if it is not positive definite.
    pub fn of(mut matrix: Vec<f64>, width: usize) -> Option<Self> {
        for row in 0..width {
            let (above, rest) = matrix.split_at_mut(row * width);
            let own = &mut rest[..width];
            for column in 0..row {
                let other = &above[column * width..][..=column];
                own[column] = (own[column] - dot(&own[..column], &other[..column])) / other[column];
            }
            let pivot = own[row] - dot(&own[..row], &own[..row]);
            if !(pivot.is_finite() && pivot > 0.0) {
                return None;
            }
            own[row] = pivot.sqrt();
        }
        let column = |column: usize| (column..width).map(move |row| (row, column));
        let columns = (0..width).flat_map(column).map(|(row, column)| matrix[row * width + column] as f32);
        Some(Self { width, columns: columns.collect() })
    }

    /// Replaces a vector by the solution of `factor * solution = vector`.
    pub fn solve(&self, vector: &mut [f32]) {
        let mut columns = &*self.columns;
        for at in 0..self.width {
            let (column, rest) = columns.split_at(self.width - at);
            columns = rest;
            let (own, below) = vector[at..].split_at_mut(1);
            own[0] /= column[0];
            for (number, factor) in below.iter_mut().zip(&column[1..]) {
                *number -= factor * own[0];
            }
        }
    }

    /// Returns the bytes that it takes.
    pub fn memory_usage(&self) -> usize {
        size_of_val(&*self.columns)
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_solves_what_it_was_multiplied_with() {
        // The factor is [[2, 0, 0], [1, 3, 0], [-1, 2, 1]].
        let matrix = vec![4.0, 2.0, -2.0, 2.0, 10.0, 5.0, -2.0, 5.0, 6.0];
        let factor = Cholesky::of(matrix, 3).unwrap();
        assert_eq!(*factor.columns, [2.0, 1.0, -1.0, 3.0, 2.0, 1.0]);
        let mut vector = [4.0, 8.0, 5.0];
        factor.solve(&mut vector);
        assert_eq!(vector, [2.0, 2.0, 3.0]);
    }

    #[test]
    fn a_matrix_without_a_factor_is_refused() {
        assert!(Cholesky::of(vec![1.0, 2.0, 2.0, 1.0], 2).is_none());
        assert!(Cholesky::of(vec![f64::NAN], 1).is_none());
    }
}
