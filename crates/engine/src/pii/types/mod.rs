//! PII types, one file each.
//!
//! To add one, write its file and add its line to `pii_types!`.

use super::PiiType;

/// Declares the modules and lists their types, so that one line registers a type.
macro_rules! pii_types {
    ($($module:ident::$kind:ident,)*) => {
        $(mod $module;)*

        /// Every PII type. If two claim the same location with the same confidence, the earlier wins.
        pub static PII_TYPES: &[&dyn PiiType] = &[$(&$module::$kind),*];
    };
}

pii_types! {
    address::Address,
    api_key::ApiKey,
    au_medicare::AuMedicare,
    au_tfn::AuTfn,
    bank_account::BankAccount,
    br_cnpj::BrCnpj,
    br_cpf::BrCpf,
    ca_sin::CaSin,
    credit_card::CreditCard,
    crypto_wallet::CryptoWallet,
    date_of_birth::DateOfBirth,
    de_id_card::DeIdCard,
    de_tax_id::DeTaxId,
    driver_license::DriverLicense,
    email::Email,
    es_dni::EsDni,
    es_nie::EsNie,
    face::Face,
    fr_nir::FrNir,
    gps_coordinate::GpsCoordinate,
    iban::Iban,
    in_aadhaar::InAadhaar,
    in_pan::InPan,
    ip_address::IpAddress,
    it_codice_fiscale::ItCodiceFiscale,
    jp_my_number::JpMyNumber,
    mac_address::MacAddress,
    medical_record::MedicalRecord,
    national_id::NationalId,
    nl_bsn::NlBsn,
    passport::Passport,
    password::Password,
    person_name::PersonName,
    phone_number::PhoneNumber,
    pl_pesel::PlPesel,
    se_personnummer::SePersonnummer,
    sg_nric::SgNric,
    tax_id::TaxId,
    uk_nhs::UkNhs,
    uk_nino::UkNino,
    url::Url,
    us_itin::UsItin,
    us_ssn::UsSsn,
    username::Username,
    vehicle_id::VehicleId,
}

pub(super) use person_name::lists as names;

/// Returns the PII type with this wire name.
pub fn pii_type(name: &str) -> Option<&'static dyn PiiType> {
    PII_TYPES.iter().copied().find(|kind| kind.name() == name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::checked;

    #[test]
    fn names_are_unique() {
        let names: std::collections::BTreeSet<_> = PII_TYPES.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), PII_TYPES.len());
    }

    proptest! {
        #[test]
        fn any_value_is_answered_without_panic(value in "[A-Za-z0-9 ./-]{0,40}|\\PC{0,24}") {
            for kind in PII_TYPES {
                let _ = checked(*kind, &value);
                let replaced = kind.with_checksum(value.clone());
                prop_assert_eq!(replaced.chars().count(), value.chars().count());
            }
        }
    }
}
