//! The PII type of an entity.

use std::{borrow::Cow, fmt, ops::Deref, sync::Arc};

use super::CustomType;

/// A PII type, which reads as its name in the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntityType {
    /// One of [`super::types::PII_TYPES`].
    BuiltIn(&'static str),
    /// A type that a policy defines.
    Custom(Arc<CustomType>),
}

impl EntityType {
    /// Returns whether a policy defines it.
    pub const fn is_custom(&self) -> bool {
        matches!(self, Self::Custom(_))
    }
}

impl Deref for EntityType {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::BuiltIn(name) => name,
            Self::Custom(custom) => custom.name(),
        }
    }
}

impl From<&'static str> for EntityType {
    fn from(name: &'static str) -> Self {
        Self::BuiltIn(name)
    }
}

impl From<EntityType> for Cow<'static, str> {
    fn from(kind: EntityType) -> Self {
        match kind {
            EntityType::BuiltIn(name) => name.into(),
            EntityType::Custom(custom) => custom.name().to_owned().into(),
        }
    }
}

impl PartialEq<&str> for EntityType {
    fn eq(&self, name: &&str) -> bool {
        **self == **name
    }
}

impl fmt::Display for EntityType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}
