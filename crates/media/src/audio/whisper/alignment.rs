//! Times of tokens: some heads of the decoder read the audio where the token is spoken. The path through what they read,
//! token by token, is the cheapest that only moves forward (dynamic time warping). Source: `whisper/timing.py` of OpenAI.

use super::super::RATE;

/// Samples of a state of the encoder (20 ms).
const STEP: usize = RATE as usize / 50;
/// States whose median replaces that in the middle.
const MEDIAN: usize = 7;

/// Step of the path to a cell.
#[derive(Clone, Copy)]
enum Move {
    Both,
    Token,
    State,
}

/// Returns the start of each token in seconds, and the end of the last. `attention` holds for each token and the end, and
/// for each of `heads`, how much is read of each state; what comes after the samples does not count.
pub fn token_times(attention: &[Vec<f32>], heads: usize, samples: usize) -> Vec<f32> {
    let states = attention.first().map_or(0, |read| read.len() / heads.max(1));
    let audible = samples.div_ceil(STEP).clamp(1, states.max(1));
    let mut mean = vec![0.0; attention.len() * audible];
    for head in 0..heads {
        let mut read = Vec::with_capacity(mean.len());
        read.extend(attention.iter().flat_map(|read| share(&read[head * states..][..audible])));
        standardize(&mut read, audible);
        for (row, mean) in read.chunks_exact(audible).zip(mean.chunks_exact_mut(audible)) {
            add_medians(row, mean);
        }
    }
    path_starts(&mean, audible).into_iter().map(|state| (state * STEP) as f32 / RATE as f32).collect()
}

/// Returns each number as a share of the sum.
fn share(read: &[f32]) -> impl Iterator<Item = f32> {
    let sum = read.iter().sum::<f32>().max(f32::MIN_POSITIVE);
    read.iter().map(move |read| read / sum)
}

/// Brings each column to mean 0 and variance 1.
fn standardize(read: &mut [f32], width: usize) {
    let count = (read.len() / width) as f32;
    for column in 0..width {
        let of_column = || read.iter().skip(column).step_by(width);
        let mean = of_column().sum::<f32>() / count;
        let variance = of_column().map(|read| (read - mean).powi(2)).sum::<f32>() / count;
        let deviation = variance.sqrt().max(f32::MIN_POSITIVE);
        for read in read.iter_mut().skip(column).step_by(width) {
            *read = (*read - mean) / deviation;
        }
    }
}

/// Adds the median around each place. The row is mirrored at its ends.
fn add_medians(row: &[f32], to: &mut [f32]) {
    let mirrored = |at: isize| {
        let last = row.len() as isize - 1;
        let at = if at < 0 {
            -at
        } else if at > last {
            2 * last - at
        } else {
            at
        };
        row[at.clamp(0, last) as usize]
    };
    for (place, to) in to.iter_mut().enumerate() {
        let reach = (MEDIAN / 2) as isize;
        let mut around: [f32; MEDIAN] =
            std::array::from_fn(|at| mirrored(place as isize + at as isize - reach));
        around.sort_by(f32::total_cmp);
        *to += around[MEDIAN / 2];
    }
}

/// Returns the state at which the path reaches each row. The path sums up as much as it can.
fn path_starts(read: &[f32], width: usize) -> Vec<usize> {
    let rows = read.len() / width;
    let mut moves = Vec::with_capacity(read.len());
    // The least cost up to each state, of the row before; at the start only the first cell is free.
    let mut before = vec![f32::INFINITY; width + 1];
    before[0] = 0.0;
    for row in read.chunks_exact(width) {
        let mut costs = vec![f32::INFINITY; width + 1];
        for (state, read) in row.iter().enumerate() {
            let (both, token, forward) = (before[state], before[state + 1], costs[state]);
            let (cost, step) = if both < token && both < forward {
                (both, Move::Both)
            } else if token < both && token < forward {
                (token, Move::Token)
            } else {
                (forward, Move::State)
            };
            costs[state + 1] = cost - read;
            moves.push(step);
        }
        before = costs;
    }
    let mut starts = vec![0; rows];
    let (mut row, mut state) = (rows.saturating_sub(1), width - 1);
    if rows == 0 {
        return starts;
    }
    loop {
        starts[row] = state;
        match moves[row * width + state] {
            Move::Both if row > 0 && state > 0 => (row, state) = (row - 1, state - 1),
            Move::Token if row > 0 => row -= 1,
            Move::State if state > 0 => state -= 1,
            _ => return starts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shares that one head reads: each row reads its own states.
    fn rows(ranges: &[std::ops::Range<usize>], states: usize) -> Vec<Vec<f32>> {
        let read = |range: &std::ops::Range<usize>, state| if range.contains(&state) { 1.0 } else { 0.01 };
        ranges.iter().map(|range| (0..states).map(|state| read(range, state)).collect()).collect()
    }

    #[test]
    fn tokens_start_where_they_are_read() {
        let attention = rows(&[0..20, 20..50, 50..90, 90..100], 100);
        let times = token_times(&attention, 1, 100 * STEP);
        assert_eq!(times.len(), 4);
        for (time, expected) in times.iter().zip([0.0, 0.4, 1.0, 1.8]) {
            assert!((time - expected).abs() <= 0.061, "{times:?}");
        }
    }

    #[test]
    fn states_after_the_samples_do_not_count() {
        let attention = rows(&[0..10, 10..30, 90..100], 100);
        let times = token_times(&attention, 1, 30 * STEP);
        assert!(times.iter().all(|time| *time <= 0.6), "{times:?}");
    }

    #[test]
    fn takes_the_mean_of_the_heads() {
        let (one, other) = (rows(&[0..30, 30..60], 60), rows(&[0..60, 0..60], 60));
        let both: Vec<_> = one.iter().zip(&other).map(|(one, other)| [&one[..], other].concat()).collect();
        let times = token_times(&both, 2, 60 * STEP);
        assert!((times[1] - 0.6).abs() <= 0.061, "{times:?}");
    }

    #[test]
    fn a_path_needs_no_more_states_than_rows() {
        assert_eq!(token_times(&rows(&[0..1, 0..1, 0..1], 1), 1, 0), [0.0; 3]);
        assert_eq!(token_times(&[], 1, 100), Vec::<f32>::new());
        assert_eq!(token_times(&[vec![1.0; 4]], 1, 4 * STEP), [0.0]);
    }
}
