//! The part of an image that is not empty.
//!
//! The detector weighs its features by their mean over the whole image. A short line alone on a large page is then as good
//! as nothing, while the same line in an image of its own is found.

use image::RgbImage;

use crate::Rect;

/// Side of a cell in pixels.
const CELL: usize = 16;
/// Difference between the darkest and the lightest pixel of a cell from which it is not empty.
const MIN_CONTRAST: u8 = 12;
/// Cells between ink and the edge of the part.
const MARGIN: usize = 4;

/// Returns the part of an image around all its ink; the whole image if it is empty. A speck, which is a cell alone, does not
/// count.
pub fn ink_bounds(image: &RgbImage) -> Rect {
    let (width, height) = (image.width() as usize, image.height() as usize);
    let (columns, rows) = (width.div_ceil(CELL), height.div_ceil(CELL));
    let shades = shades(image, columns, rows);
    let is_inked = |column: usize, row: usize| {
        shades
            .get(row * columns + column)
            .is_some_and(|(low, high)| high.saturating_sub(*low) >= MIN_CONTRAST)
    };
    let has_neighbor = |column: usize, row: usize| {
        (column > 0 && is_inked(column - 1, row))
            || (column + 1 < columns && is_inked(column + 1, row))
            || (row > 0 && is_inked(column, row - 1))
            || (row + 1 < rows && is_inked(column, row + 1))
    };
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let inked = cells.filter(|(column, row)| is_inked(*column, *row) && has_neighbor(*column, *row));
    let bounds = inked.fold(None, |bounds: Option<[usize; 4]>, (column, row)| {
        let [left, top, right, bottom] = bounds.unwrap_or([column, row, column, row]);
        Some([left.min(column), top.min(row), right.max(column), bottom.max(row)])
    });
    let whole = Rect { x: 0, y: 0, width: image.width(), height: image.height() };
    let Some([left, top, right, bottom]) = bounds else { return whole };
    let start = |cell: usize| (cell.saturating_sub(MARGIN) * CELL) as u32;
    let size = |cell: usize, from: u32, length: u32| (((cell + 1 + MARGIN) * CELL) as u32).min(length) - from;
    let (x, y) = (start(left), start(top));
    Rect { x, y, width: size(right, x, image.width()), height: size(bottom, y, image.height()) }
}

/// Returns the darkest and the lightest shade of each cell.
fn shades(image: &RgbImage, columns: usize, rows: usize) -> Vec<(u8, u8)> {
    let mut shades = vec![(u8::MAX, 0); columns * rows];
    for (x, y, pixel) in image.enumerate_pixels() {
        let (low, high) = &mut shades[y as usize / CELL * columns + x as usize / CELL];
        for shade in pixel.0 {
            (*low, *high) = ((*low).min(shade), (*high).max(shade));
        }
    }
    shades
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    const WHITE: Rgb<u8> = Rgb([255; 3]);

    #[test]
    fn the_part_holds_all_ink_with_a_margin() {
        let mut page = RgbImage::from_pixel(800, 1000, WHITE);
        for x in 300..340 {
            page.put_pixel(x, 500, Rgb([0; 3]));
        }
        assert_eq!(ink_bounds(&page), Rect { x: 224, y: 432, width: 192, height: 144 });
        page.put_pixel(2, 2, Rgb([0; 3]));
        assert_eq!(ink_bounds(&page), Rect { x: 224, y: 432, width: 192, height: 144 }, "a speck");
        for x in 700..800 {
            page.put_pixel(x, 999, Rgb([200; 3]));
        }
        assert_eq!(ink_bounds(&page), Rect { x: 224, y: 432, width: 576, height: 568 });
    }

    #[test]
    fn an_empty_image_and_a_photograph_stay_whole() {
        let whole = Rect { x: 0, y: 0, width: 70, height: 30 };
        assert_eq!(ink_bounds(&RgbImage::from_pixel(70, 30, WHITE)), whole);
        let noise = RgbImage::from_fn(70, 30, |x, y| Rgb([(x * 37 + y * 91) as u8; 3]));
        assert_eq!(ink_bounds(&noise), whole);
    }
}
