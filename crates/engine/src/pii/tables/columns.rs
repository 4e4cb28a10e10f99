//! Meaning of column headings.

use std::{collections::HashMap, sync::LazyLock};

use crate::pii::labelled::{self, Kind};

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// Given names, surnames, or both.
    PersonName,
    /// Names of people, or of other things.
    AnyName,
    /// Telephone numbers.
    Phone,
    /// Streets with house numbers.
    Street,
    /// Dates of birth.
    Birth,
    /// Numbers of passports.
    Passport,
    /// Names under which people sign in.
    Username,
    /// Passwords.
    Password,
    /// Numbers of bank accounts.
    BankAccount,
    /// Numbers of driver's licenses.
    DriverLicense,
    /// Numbers of medical records.
    MedicalRecord,
    /// Something else that people have.
    OfPeople,
    /// Values of custom types, one bit each by index.
    Custom(u32),
}

/// Longest heading of a column, in bytes.
const LONGEST: usize = 32;

const WORDS: [(Column, &str); 7] = [
    (
        Column::PersonName,
        "first name|firstname|last name|lastname|full name|fullname|given name|givenname|family name|surname|forename|\
         middle name|maiden name|fname|lname|patient name|customer name|client name|employee name|student name|\
         vorname|nachname|familienname|prenom|prénom|nom de famille|nom complet|apellido|apellidos|nombre completo|\
         primer apellido|segundo apellido|cognome|nome completo|sobrenome|primeiro nome|voornaam|achternaam|imię|imie|\
         nazwisko|imię i nazwisko|soyad|soyadı|ad soyad|adı soyadı|förnamn|efternamn|fornavn|etternavn|efternavn|etunimi|sukunimi|\
         příjmení|jméno a příjmení|priezvisko|vezetéknév|keresztnév|teljes név|prenume|nume complet|prezime|ime i prezime|\
         фамилия|фио|имя и фамилия|прізвище|піб|επώνυμο|ονοματεπώνυμο|họ và tên|họ tên|nama lengkap|ชื่อ-นามสกุล|ชื่อ นามสกุล|\
         姓名|氏名|名前|お名前|이름|성명|الاسم|الاسم الكامل|اسم العميل|نام|نام خانوادگی|שם|שם מלא|שם משפחה|नाम|पूरा नाम",
    ),
    (
        Column::AnyName,
        "name|nom|nombre|nome|naam|ad|adı|isim|customer|client|employee|patient|contact|kunde|kundin|mitarbeiter|ansprechpartner|\
         cliente|paziente|paciente|dipendente|empleado|funcionário|klant|patiënt|medewerker|klient|pacjent|pracownik|\
         müşteri|hasta|çalışan|namn|navn|nimi|jméno|meno|név|ime|имя|ім'я|клиент|сотрудник|όνομα|tên|nama|顧客|客户|고객",
    ),
    (
        Column::Phone,
        "phone|phone number|phone no|phonenumber|telephone|tel|tel no|mobile|mobile number|mobile no|cell|cell phone|\
         telefon|telefonnummer|handy|handynummer|mobil|rufnummer|téléphone|telephone fixe|portable|teléfono|telefono|\
         móvil|movil|celular|cellulare|telefone|telemóvel|telefoon|telefoonnummer|mobiel|numer telefonu|komórka|\
         telefon numarası|cep|cep telefonu|gsm|puhelin|puhelinnumero|telefonszám|телефон|номер телефона|τηλέφωνο|κινητό|\
         số điện thoại|điện thoại|nomor telepon|telepon|no hp|โทรศัพท์|เบอร์โทร|電話|電話番号|携帯|携帯番号|电话|手机|手机号|電話號碼|\
         전화|전화번호|연락처|휴대폰|الهاتف|رقم الهاتف|الجوال|رقم الجوال|تلفن|شماره تماس|טלפון|נייד|फोन|फ़ोन|मोबाइल",
    ),
    (
        Column::Street,
        "street|street address|address|address1|address 1|address line 1|home address|postal address|mailing address|\
         straße|strasse|adresse|anschrift|rue|dirección|direccion|calle|domicilio|indirizzo|via|endereço|endereco|morada|\
         rua|adres|straat|ulica|adresi|osoite|gata|adress|adresă|adresa|cím|lakcím|адрес|адреса|διεύθυνση|địa chỉ|alamat|ที่อยู่|\
         住所|地址|주소|العنوان|عنوان|آدرس|כתובת|पता",
    ),
    (
        Column::Birth,
        "dob|date of birth|birth date|birthdate|birthday|born|geburtsdatum|geburtstag|geboren|date de naissance|\
         naissance|fecha de nacimiento|nacimiento|data di nascita|nascita|data de nascimento|nascimento|geboortedatum|\
         data urodzenia|doğum tarihi|födelsedatum|fødselsdato|syntymäaika|datum narození|születési idő|data nașterii|\
         datum rođenja|дата рождения|дата народження|ημερομηνία γέννησης|ngày sinh|tanggal lahir|วันเกิด|生年月日|出生日期|\
         생년월일|تاريخ الميلاد|تاریخ تولد|תאריך לידה|जन्म तिथि",
    ),
    (
        Column::Username,
        "user|username|user name|login|login name|handle|nickname|benutzer|benutzername|utilisateur|identifiant|usuario|\
         nombre de usuario|utente|nome utente|usuário|gebruiker|gebruikersnaam|użytkownik|nazwa użytkownika|kullanıcı|\
         kullanıcı adı",
    ),
    (
        Column::OfPeople,
        "email|e mail|mail|email address|courriel|correo|iban|ssn|card|card no|card number|postcode|zip|plz|salary|gehalt|\
         salaire|age|gender|department",
    ),
];

static COLUMNS: LazyLock<HashMap<&'static str, Column>> = LazyLock::new(|| {
    WORDS.iter().flat_map(|(column, words)| words.split('|').map(|word| (word, *column))).collect()
});

/// What the column with that heading holds; case, quotes, `_` and `-` do not count.
pub(super) fn column(heading: &str) -> Option<Column> {
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '*' | '.' | ':' | '#');
    let heading = heading.trim_matches(is_mark);
    if heading.is_empty() || heading.len() > LONGEST {
        return None;
    }
    let part = |c: char| if matches!(c, '_' | '-') { ' ' } else { c };
    let words: String = heading.chars().map(part).flat_map(char::to_lowercase).collect();
    COLUMNS.get(words.as_str()).copied().or_else(|| labelled::exact(&words).and_then(of_kind))
}

const fn of_kind(kind: Kind) -> Option<Column> {
    match kind {
        Kind::Password => Some(Column::Password),
        Kind::Username => Some(Column::Username),
        Kind::BankAccount => Some(Column::BankAccount),
        Kind::Passport => Some(Column::Passport),
        Kind::DriverLicense => Some(Column::DriverLicense),
        Kind::MedicalRecord => Some(Column::MedicalRecord),
        Kind::BirthDate => Some(Column::Birth),
        Kind::Phone => Some(Column::Phone),
        Kind::Secret | Kind::Authorization | Kind::Cookie | Kind::TaxId => None,
    }
}
