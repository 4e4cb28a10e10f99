//! Faces.

use crate::pii::PiiType;

/// The face of a person in an image. No text has one: whoever reads images finds faces.
pub struct Face;

impl PiiType for Face {
    fn name(&self) -> &'static str {
        "face"
    }

    fn is_opt_in(&self) -> bool {
        true
    }
}
