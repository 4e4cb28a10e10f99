//! Presidio's names of entities, and ours.

use std::borrow::Cow;

/// PII types whose name at Presidio is not ours in upper case.
const NAMES: [(&str, &str); 12] = [
    ("address", "LOCATION"),
    ("bank_account", "US_BANK_NUMBER"),
    ("crypto_wallet", "CRYPTO"),
    ("date_of_birth", "DATE_TIME"),
    ("driver_license", "US_DRIVER_LICENSE"),
    ("email", "EMAIL_ADDRESS"),
    ("es_dni", "ES_NIF"),
    ("iban", "IBAN_CODE"),
    ("it_codice_fiscale", "IT_FISCAL_CODE"),
    ("passport", "US_PASSPORT"),
    ("person_name", "PERSON"),
    ("sg_nric", "SG_NRIC_FIN"),
];

/// Returns Presidio's name of a PII type.
pub fn name(kind: &str) -> Cow<'static, str> {
    let known = NAMES.iter().find(|(ours, _)| *ours == kind);
    known.map_or_else(|| Cow::Owned(kind.to_uppercase()), |(_, theirs)| Cow::Borrowed(*theirs))
}

/// Returns our name of one of Presidio's entities; there may be no PII type of that name.
pub fn kind(name: &str) -> Cow<'static, str> {
    let known = NAMES.iter().find(|(_, theirs)| *theirs == name);
    known.map_or_else(|| Cow::Owned(name.to_lowercase()), |(ours, _)| Cow::Borrowed(*ours))
}

#[cfg(test)]
mod tests {
    use guardengine_engine::pii::types::PII_TYPES;

    use super::*;

    #[test]
    fn every_pii_type_has_one_name_that_leads_back_to_it() {
        for kind in PII_TYPES.iter().map(|known| known.name()) {
            assert_eq!(super::kind(&name(kind)), kind);
        }
        assert_eq!((name("person_name"), name("br_cpf")), ("PERSON".into(), "BR_CPF".into()));
    }
}
