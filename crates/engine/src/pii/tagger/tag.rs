//! Tags of words.

/// What the tagger tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntityClass {
    /// A name of a person.
    Person,
    /// A postal address.
    Address,
    /// A name under which somebody signs in or posts.
    Username,
    /// A company, an authority, a team, a product: not reported.
    Organization,
    /// A place without a street: not reported.
    Location,
}

/// What one word is. Where two of a kind seldom stand side by side, the first word is not told from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Tag {
    /// Anything else.
    Other,
    /// The first word of a person's name.
    PersonFirst,
    /// A further one.
    PersonMore,
    /// The first word of an address.
    AddressFirst,
    /// A further one.
    AddressMore,
    /// A user name.
    Username,
    /// A word of an organisation's name.
    Organization,
    /// A word of a place's name.
    Location,
}

impl Tag {
    /// Every tag, in the order of the weights.
    pub const ALL: [Self; 8] = [
        Self::Other,
        Self::PersonFirst,
        Self::PersonMore,
        Self::AddressFirst,
        Self::AddressMore,
        Self::Username,
        Self::Organization,
        Self::Location,
    ];

    /// What it is a tag of.
    pub const fn entity(self) -> Option<EntityClass> {
        match self {
            Self::Other => None,
            Self::PersonFirst | Self::PersonMore => Some(EntityClass::Person),
            Self::AddressFirst | Self::AddressMore => Some(EntityClass::Address),
            Self::Username => Some(EntityClass::Username),
            Self::Organization => Some(EntityClass::Organization),
            Self::Location => Some(EntityClass::Location),
        }
    }

    /// The tag of a word of `entity`, the `first` or a further one.
    pub const fn of(entity: EntityClass, first: bool) -> Self {
        match entity {
            EntityClass::Person if first => Self::PersonFirst,
            EntityClass::Person => Self::PersonMore,
            EntityClass::Address if first => Self::AddressFirst,
            EntityClass::Address => Self::AddressMore,
            EntityClass::Username => Self::Username,
            EntityClass::Organization => Self::Organization,
            EntityClass::Location => Self::Location,
        }
    }

    /// Whether it continues what the word before began.
    pub const fn goes_on(self) -> bool {
        matches!(self, Self::PersonMore | Self::AddressMore)
    }

    /// Whether it may stand behind `before`.
    pub fn may_follow(self, before: Self) -> bool {
        !self.goes_on() || self.entity() == before.entity()
    }
}
