//! Invented values of the same type, always the same one for a value within an organization. They cannot be restored.
//!
//! Numbers with a format keep it ([`format_preserving`]), check digits included. Names, addresses and the like come from
//! lists; domains and networks are those that are reserved for documentation (RFC 2606, RFC 5737, RFC 3849, RFC 7042).

use super::{
    format_preserving,
    keys::{MaskKeys, hmac},
};
use crate::pii::EntityType;

const GIVEN: &[&str] = &[
    "Alba", "Anton", "Bela", "Bruno", "Carla", "Cyril", "Dana", "Dario", "Edda", "Emil", "Fara", "Felix",
    "Greta", "Gustav", "Hanna", "Hugo", "Ida", "Ivo", "Jana", "Jonas", "Kira", "Konrad", "Lena", "Linus",
    "Mara", "Milan", "Nina", "Noel", "Olga", "Oskar", "Paula", "Pavel", "Rita", "Robin", "Sara", "Simon",
    "Tara", "Theo", "Vera", "Viktor",
];
const SURNAMES: &[&str] = &[
    "Adler",
    "Albers",
    "Bergmann",
    "Brandt",
    "Castell",
    "Corvin",
    "Dahlgren",
    "Dorn",
    "Ekman",
    "Engel",
    "Falk",
    "Forster",
    "Garrick",
    "Grimm",
    "Halloway",
    "Hartwig",
    "Ilves",
    "Jansen",
    "Kestrel",
    "Klein",
    "Lindqvist",
    "Lorenz",
    "Marlow",
    "Merten",
    "Norden",
    "Novak",
    "Osborne",
    "Ostrom",
    "Palmer",
    "Quill",
    "Renner",
    "Rowan",
    "Sander",
    "Stahl",
    "Tamm",
    "Thorne",
    "Ulmer",
    "Vance",
    "Wendt",
    "Yorke",
];
const STREETS: &[&str] = &[
    "Alder Road",
    "Beech Avenue",
    "Birch Lane",
    "Canal Street",
    "Cedar Close",
    "Chapel Hill",
    "Elm Street",
    "Fern Walk",
    "Garden Row",
    "Harbour Road",
    "Juniper Way",
    "Larch Drive",
    "Linden Street",
    "Maple Court",
    "Meadow Lane",
    "Mill Road",
    "Orchard Street",
    "Poplar Avenue",
    "River Walk",
    "Station Road",
];
const TOWNS: &[&str] = &[
    "Ashford",
    "Brookfield",
    "Clearwater",
    "Eastbridge",
    "Fairhaven",
    "Greenvale",
    "Highmoor",
    "Lakeside",
    "Northfield",
    "Oldbury",
    "Redhill",
    "Silverton",
    "Southport",
    "Stonebridge",
    "Westbrook",
    "Woodstock",
];
const ANIMALS: &[&str] = &[
    "badger", "beaver", "bison", "crane", "dormouse", "falcon", "ferret", "heron", "ibex", "jackdaw", "lynx",
    "marten", "newt", "otter", "plover", "raven", "sparrow", "stoat", "swift", "vole",
];
const DOMAINS: &[&str] = &["example.com", "example.net", "example.org"];

/// Returns an invented value instead of this one; `None` if there is none of its type.
pub(super) fn other(kind: &EntityType, value: &str, keys: &MaskKeys) -> Option<String> {
    let mut draw = Draw::new(kind, value, keys);
    let invented = match &**kind {
        "email" => draw.email(),
        "person_name" if is_latin(value) => cased_like(value, &draw.name(value)),
        "username" => format!("{}{}", draw.one(ANIMALS), draw.number(10..1000)),
        "address" if is_latin(value) => draw.address(value),
        "url" => format!("https://{}/{}", draw.one(DOMAINS), draw.one(ANIMALS)),
        "ip_address" if value.contains(':') => {
            format!("2001:db8::{:x}:{:x}", draw.number(1..0x10000), draw.number(1..0x10000))
        }
        "ip_address" => {
            format!("{}.{}", draw.one(&["192.0.2", "198.51.100", "203.0.113"]), draw.number(1..255))
        }
        "mac_address" => draw.mac_address(value),
        "date_of_birth" => draw.date(value),
        "gps_coordinate" => draw.coordinates(value),
        _ => return format_preserving::other(kind, value, keys),
    };
    (invented != value).then_some(invented)
}

/// Numbers that follow from a value under the organization's key.
struct Draw {
    seed: [u8; 32],
    block: [u8; 32],
    at: usize,
}

impl Draw {
    fn new(kind: &str, value: &str, keys: &MaskKeys) -> Self {
        let seed = hmac(keys.synthetic(), &[kind.as_bytes(), &[0], value.as_bytes()]);
        Self { seed, block: seed, at: 0 }
    }

    fn number(&mut self, range: std::ops::Range<u32>) -> u32 {
        if self.at + 4 > self.block.len() {
            self.block = hmac(&self.seed, &[&self.block]);
            self.at = 0;
        }
        let word = self.block[self.at..].first_chunk().map_or(0, |four| u32::from_be_bytes(*four));
        self.at += 4;
        range.start + word % (range.end - range.start)
    }

    fn one(&mut self, list: &[&'static str]) -> &'static str {
        list[self.number(0..list.len() as u32) as usize]
    }

    fn email(&mut self) -> String {
        let (given, surname) = (self.one(GIVEN).to_lowercase(), self.one(SURNAMES).to_lowercase());
        format!("{given}.{surname}{}@{}", self.number(1..100), self.one(DOMAINS))
    }

    /// A given name for one word, else both names.
    fn name(&mut self, value: &str) -> String {
        let given = self.one(GIVEN);
        if value.split_whitespace().count() < 2 {
            given.to_owned()
        } else {
            format!("{given} {}", self.one(SURNAMES))
        }
    }

    /// A street and number, with a town if the address has more than one line.
    fn address(&mut self, value: &str) -> String {
        let street = format!("{} {}", self.number(1..190), self.one(STREETS));
        match value.find([',', '\n']) {
            Some(at) if value[at..].starts_with('\n') => format!("{street}\n{}", self.one(TOWNS)),
            Some(_) => format!("{street}, {}", self.one(TOWNS)),
            None => street,
        }
    }

    /// With the separators of the value.
    fn mac_address(&mut self, value: &str) -> String {
        let separator = value.chars().find(|c| !c.is_ascii_hexdigit()).map_or(String::new(), String::from);
        let tail: Vec<String> = (0..3).map(|_| format!("{:02x}", self.number(0..256))).collect();
        ["00", "00", "5e"].map(str::to_owned).into_iter().chain(tail).collect::<Vec<_>>().join(&separator)
    }

    /// A year for four digits, else a number that is both a day and a month; words stay.
    fn date(&mut self, value: &str) -> String {
        self.with_numbers(value, |draw, digits| match digits.len() {
            4 => draw.number(1945..2006).to_string(),
            2 => format!("{:02}", draw.number(1..13)),
            length if length > 4 => {
                digits.bytes().map(|_| char::from(b'0' + draw.number(1..10) as u8)).collect()
            }
            _ => draw.number(1..10).to_string(),
        })
    }

    /// Degrees below 80, and other decimals.
    fn coordinates(&mut self, value: &str) -> String {
        self.with_numbers(value, |draw, digits| match digits.len() {
            ..=3 => draw.number(0..80).to_string(),
            _ => digits.bytes().map(|_| char::from(b'0' + draw.number(0..10) as u8)).collect(),
        })
    }

    /// The value with other numbers.
    fn with_numbers(&mut self, value: &str, other: impl Fn(&mut Self, &str) -> String) -> String {
        let mut invented = String::with_capacity(value.len());
        let mut rest = value;
        while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
            let length = rest[start..].bytes().take_while(u8::is_ascii_digit).count();
            invented.push_str(&rest[..start]);
            invented.push_str(&other(self, &rest[start..start + length]));
            rest = &rest[start + length..];
        }
        invented + rest
    }
}

/// Returns whether most letters are Latin, so that an invented value fits in.
fn is_latin(value: &str) -> bool {
    let letters = value.chars().filter(|c| c.is_alphabetic());
    let (latin, all) = letters.fold((0, 0), |(latin, all), c| (latin + usize::from(c < '\u{250}'), all + 1));
    2 * latin > all
}

/// In capitals or small letters, if the value is.
fn cased_like(value: &str, invented: &str) -> String {
    let mut letters = value.chars().filter(|c| c.is_alphabetic());
    if letters.clone().all(char::is_uppercase) && letters.clone().count() > 1 {
        invented.to_uppercase()
    } else if letters.all(char::is_lowercase) {
        invented.to_lowercase()
    } else {
        invented.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invented(kind: &'static str, value: &str) -> String {
        other(&kind.into(), value, &MaskKeys::new(&[7; 32])).unwrap()
    }

    #[test]
    fn a_value_has_one_replacement_in_an_organization() {
        for (kind, value) in [
            ("email", "ann@shop.test"),
            ("person_name", "Ann Miller"),
            ("username", "annm"),
            ("address", "4 High Street, Leeds"),
            ("url", "https://shop.test/ann"),
            ("ip_address", "10.1.2.3"),
            ("ip_address", "fe80::1"),
            ("mac_address", "a4:83:e7:12:34:56"),
            ("date_of_birth", "1984-07-30"),
            ("gps_coordinate", "48.137154, 11.576124"),
            ("credit_card", "4111 1111 1111 1111"),
        ] {
            let one = invented(kind, value);
            assert_ne!(one, value, "{kind}");
            assert_eq!(one, invented(kind, value), "{kind}");
            assert_ne!(Some(one), other(&kind.into(), value, &MaskKeys::new(&[8; 32])), "{kind}");
        }
    }

    #[test]
    fn replacements_look_like_their_type() {
        assert!(DOMAINS.iter().any(|domain| invented("email", "ann@shop.test").ends_with(domain)));
        assert_eq!(invented("person_name", "Ann").split(' ').count(), 1);
        assert_eq!(invented("person_name", "Ann Mary Miller").split(' ').count(), 2);
        assert_eq!(
            invented("person_name", "ANN MILLER"),
            invented("person_name", "ANN MILLER").to_uppercase()
        );
        assert!(invented("address", "4 High Street, Leeds").contains(", "));
        assert!(invented("mac_address", "A4-83-E7-12-34-56").starts_with("00-00-5e-"));
    }

    #[test]
    fn names_of_other_scripts_keep_their_script() {
        assert!(invented("person_name", "Иван Петров").chars().all(|c| c == ' ' || c > '\u{3ff}'));
    }

    #[test]
    fn dates_stay_dates() {
        for value in ["1984-07-30", "30.07.1984", "7/3/84", "3 May 1984"] {
            let date = invented("date_of_birth", value);
            for number in date.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()) {
                let number: u32 = number.parse().unwrap();
                assert!((1..=12).contains(&number) || (1945..2006).contains(&number), "{value}: {date}");
            }
        }
    }
}
