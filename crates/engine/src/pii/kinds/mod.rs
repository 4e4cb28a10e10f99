//! The kinds, one file each.
//!
//! To add one: write its file, and add its line to `kinds!`.

use super::Kind;

/// Declares each module and puts its kind on the list, so that to register one is one line.
macro_rules! kinds {
    ($($module:ident::$kind:ident,)*) => {
        $(mod $module;)*

        /// Every kind there is. Where two kinds claim the same place with the same confidence, the earlier wins.
        pub static KINDS: &[&dyn Kind] = &[$(&$module::$kind),*];
    };
}

kinds! {
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

/// The kind with that wire name.
pub fn kind(name: &str) -> Option<&'static dyn Kind> {
    KINDS.iter().copied().find(|kind| kind.name() == name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::asked::checked;

    #[test]
    fn names_are_unique() {
        let names: std::collections::BTreeSet<_> = KINDS.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), KINDS.len());
    }

    proptest! {
        #[test]
        fn any_value_is_answered_without_panic(value in "[A-Za-z0-9 ./-]{0,40}|\\PC{0,24}") {
            for kind in KINDS {
                let _ = checked(*kind, &value);
                let replaced = kind.with_checksum(value.clone());
                prop_assert_eq!(replaced.chars().count(), value.chars().count());
            }
        }
    }
}
