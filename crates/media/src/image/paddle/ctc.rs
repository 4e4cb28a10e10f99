//! Connectionist temporal classification (Graves and others 2006): from a distribution over the alphabet for each column
//! of a line to its letters.

use std::ops::Range;

/// Class of the columns between letters.
const BLANK: usize = 0;

/// A letter and the columns that show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Letter {
    /// Class of the letter, 1 or more.
    pub class: usize,
    /// Adjacent columns in which it is the most probable class.
    pub columns: Range<usize>,
    /// Its highest probability in these columns.
    pub probability: f32,
}

/// Returns the letters of a line by the most probable class of each column. `probabilities` has `classes` values for each
/// column.
pub fn letters(probabilities: &[f32], classes: usize) -> Vec<Letter> {
    let mut letters: Vec<Letter> = Vec::new();
    for (column, row) in probabilities.chunks_exact(classes).enumerate() {
        let (class, probability) = most_probable(row);
        match letters.last_mut() {
            Some(last) if last.class == class && last.columns.end == column => {
                last.columns.end = column + 1;
                last.probability = last.probability.max(probability);
            }
            _ if class == BLANK => {}
            _ => letters.push(Letter { class, columns: column..column + 1, probability }),
        }
    }
    letters
}

fn most_probable(row: &[f32]) -> (usize, f32) {
    let larger = |best: (usize, f32), (class, probability): (usize, &f32)| {
        if *probability > best.1 { (class, *probability) } else { best }
    };
    row.iter().enumerate().fold((BLANK, 0.0), larger)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns with this class at 0.9, of four.
    fn line(classes: &[usize]) -> Vec<f32> {
        let column =
            |class: &usize| (0..4).map(|at| if at == *class { 0.9 } else { 0.03 }).collect::<Vec<_>>();
        classes.iter().flat_map(column).collect()
    }

    fn read(classes: &[usize]) -> Vec<(usize, Range<usize>)> {
        letters(&line(classes), 4).into_iter().map(|letter| (letter.class, letter.columns)).collect()
    }

    #[test]
    fn repeated_columns_are_one_letter_and_a_blank_separates_two() {
        assert_eq!(read(&[1, 1, 0, 1, 2, 2]), [(1, 0..2), (1, 3..4), (2, 4..6)]);
    }

    #[test]
    fn blanks_are_no_letters() {
        assert_eq!(read(&[0, 0, 0]), []);
        assert_eq!(read(&[]), []);
    }

    #[test]
    fn the_most_certain_column_decides_the_probability() {
        let columns = [0.2, 0.5, 0.2, 0.1, 0.1, 0.8, 0.1, 0.0];
        assert_eq!(letters(&columns, 4), [Letter { class: 1, columns: 0..2, probability: 0.8 }]);
    }
}
