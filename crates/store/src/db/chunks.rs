//! Splitting rows into statements.

/// Rows per statement. Few sizes, so that each statement is prepared once and reused.
const CHUNK_SIZES: [usize; 3] = [32, 8, 1];

/// Splits rows into chunks of the sizes in [`CHUNK_SIZES`].
pub(crate) fn chunks<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let size = CHUNK_SIZES.into_iter().find(|size| *size <= rows.len())?;
        let (chunk, rest) = rows.split_at(size);
        rows = rest;
        Some(chunk)
    })
}
