//! The kinds, one file each.

mod au_medicare;
mod au_tfn;
mod br_cnpj;
mod br_cpf;
mod ca_sin;
mod credit_card;
mod de_id_card;
mod de_tax_id;
mod es_dni;
mod es_nie;
mod fr_nir;
mod iban;
mod in_aadhaar;
mod in_pan;
mod it_codice_fiscale;
mod jp_my_number;
mod nl_bsn;
mod pl_pesel;
mod se_personnummer;
mod sg_nric;
mod uk_nhs;
mod uk_nino;
mod us_itin;
mod us_ssn;

use super::Kind;

/// Every kind there is. Where two kinds claim the same place with the same confidence, the earlier wins.
pub static KINDS: &[&dyn Kind] = &[
    &au_medicare::AuMedicare,
    &au_tfn::AuTfn,
    &br_cnpj::BrCnpj,
    &br_cpf::BrCpf,
    &ca_sin::CaSin,
    &credit_card::CreditCard,
    &de_id_card::DeIdCard,
    &de_tax_id::DeTaxId,
    &es_dni::EsDni,
    &es_nie::EsNie,
    &fr_nir::FrNir,
    &iban::Iban,
    &in_aadhaar::InAadhaar,
    &in_pan::InPan,
    &it_codice_fiscale::ItCodiceFiscale,
    &jp_my_number::JpMyNumber,
    &nl_bsn::NlBsn,
    &pl_pesel::PlPesel,
    &se_personnummer::SePersonnummer,
    &sg_nric::SgNric,
    &uk_nhs::UkNhs,
    &uk_nino::UkNino,
    &us_itin::UsItin,
    &us_ssn::UsSsn,
];

/// The kind with that wire name.
pub fn kind(name: &str) -> Option<&'static dyn Kind> {
    KINDS.iter().copied().find(|kind| kind.name() == name)
}
