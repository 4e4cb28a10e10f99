//! Reads names from requests, by the rule of the store.

use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{NameError, prepare_changed_name, prepare_name};

/// Reads the required name of something new.
pub fn required_name(fields: Fields<'_>, field: &str) -> Result<String, FieldError> {
    new_name(field, fields.required_string(field)?)
}

/// Returns the name of something new as it is stored.
pub fn new_name(field: &str, name: &str) -> Result<String, FieldError> {
    prepare_name(name).map_err(|error| refused(field, error))
}

/// Returns a name as it is stored after a change. The current one may stay, whatever it contains.
pub fn changed_name(field: &str, name: &str, current: &str) -> Result<String, FieldError> {
    prepare_changed_name(name, current).map_err(|error| refused(field, error))
}

fn refused(field: &str, error: NameError) -> FieldError {
    FieldError::value(field, error.to_string())
}
