//! The keys that an organization's evaluations use.

use std::sync::Arc;

use guardengine_engine::pii::mask::MaskKeys;
use guardengine_vault::DataKey;

/// An organization's data key and the masking keys derived from it.
pub struct OrgKeys {
    /// Seals the organization's secrets.
    pub data: Arc<DataKey>,
    /// Masks its personal data.
    pub mask: MaskKeys,
}

impl From<Arc<DataKey>> for OrgKeys {
    fn from(data: Arc<DataKey>) -> Self {
        Self { mask: MaskKeys::new(data.bytes()), data }
    }
}
