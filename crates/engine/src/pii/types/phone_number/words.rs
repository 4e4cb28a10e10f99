//! Words that label a phone number.

/// In a score of languages, in lower case.
pub const CONTEXT: [&str; 146] = [
    "phone",
    "telephone",
    "tel",
    "call",
    "calls",
    "called",
    "calling",
    "callback",
    "call me",
    "mobile",
    "cell",
    "cellphone",
    "fax",
    "whatsapp",
    "sms",
    "text me",
    "text him",
    "text her",
    "ring",
    "dial",
    "reach me",
    "reach him",
    "reach her",
    "hotline",
    "contact number",
    "my number",
    "his number",
    "her number",
    "landline",
    "viber",
    "voicemail",
    "telefon",
    "handy",
    "mobil",
    "mobilnummer",
    "rufnummer",
    "anrufen",
    "rückruf",
    "ruf mich",
    "erreichbar",
    "festnetz",
    "téléphone",
    "portable",
    "appelez",
    "appeler",
    "appelle",
    "joindre",
    "joignable",
    "rappeler",
    "rappelez",
    "rappelle",
    "contacter",
    "numéro est",
    "teléfono",
    "móvil",
    "celular",
    "llámame",
    "llamar",
    "llame",
    "mi número",
    "telefono",
    "cellulare",
    "chiamami",
    "chiamare",
    "telefone",
    "telemóvel",
    "ligar",
    "ligue",
    "meu número",
    "telefoon",
    "mobiel",
    "bel me",
    "gsm",
    "komórka",
    "komórkowy",
    "zadzwoń",
    "dzwonić",
    "cep",
    "arayın",
    "ara beni",
    "numaram",
    "numarası",
    "numarasından",
    "телефон",
    "мобильный",
    "звоните",
    "позвони",
    "тел",
    "номер",
    "फोन",
    "मोबाइल",
    "नंबर",
    "هاتف",
    "جوال",
    "رقم",
    "טלפון",
    "电话",
    "手机",
    "電話",
    "携帯",
    "전화",
    "휴대폰",
    "連絡先",
    "联系",
    "โทร",
    "điện thoại",
    "telepon",
    "rufen sie",
    "mich unter",
    "nummer ist",
    "appelez moi",
    "llámeme",
    "mi teléfono",
    "연락처",
    "핸드폰",
    "휴대전화",
    "เบอร์",
    "มือถือ",
    "sđt",
    "số điện thoại",
    "gọi",
    "τηλ",
    "τηλέφωνο",
    "κινητό",
    "puhelin",
    "puhelinnumero",
    "تلفن",
    "تماس",
    "موبایل",
    "شماره",
    "נייד",
    "手機",
    "联系方式",
    "telefonas",
    "hp",
    "ফোন",
    "মোবাইল",
    "தொலைபேசி",
    "فون",
    "تليفون",
    "محمول",
    "ტელ",
    "հեռ",
    "โทรศัพท์",
    "拨打",
    "致電",
];

/// Words that name what follows. A name of four letters or more also begins longer words: `contacting`, `Rufnummern`.
pub(super) const NAMES: &str = "phone telephon telecom tele tel mobil cell fax call contact dial ring reach directed hotline \
    helpline landline whatsapp sms shout voicemail support handy rufnummer durchwahl anruf erreich \
    kontakt portable appele joindre contacter téléphon teléfono móvil celular llám cellulare chiam \
    telemóvel ligue viber gsm komórk zadzwoń puh puhelin telefoon bel mobiel sđt gọi τηλ τηλέφων \
    κινητ телефон тел моб мобильн звони позвони cep ara arayın tlf mob sunați hívj hubungi simu дзвон \
    дзвін обад";

/// Words that may be between label and number.
pub(super) const FILLERS: &str = "number numbers num line info information detail details office officer desk our him her them your \
    his their via with the using through please confirm directly now unter mich uns ist nummer der die \
    numero número numéro numer numerem numaram pod home div span strong front team customer service for \
    reference kept queries communications jest est sono und nuestro nosso";

/// Words that make a count of the word before them: `order number`.
pub(super) const NUMBER: &str = "number numbers no nr num is ist nummer numero número numéro";

/// Words whose number is something else.
pub(super) const OTHER_NUMBERS: &str = "order orders ticket tickets invoice ref reference case id ids serial account model port version room \
    page code pin isbn issn item sku tracking ts timestamp epoch iat exp build issue po claim batch lot \
    ean upc gtin bestellnummer auftrag rechnung kundennummer commande facture pedido factura ordine \
    fattura zamówienie заказ счет";

/// Words before a number behind which one is reached.
pub(super) const PREPOSITIONS: &str = "at on under via unter au al no em op pod pe na по на";

/// Verbs that state what a number is.
pub(super) const COPULAS: &str = "is ist es est è é jest";

/// Words between such a verb and the label.
pub(super) const POSSESSIVES: &str =
    "my his her our their the a work home private new mein meine mi mon mio il meu o moj mój";

/// What is said of a number right before it is stated.
pub(super) const TOLD: [&str; 18] = [
    "number is",
    "number is now",
    "new number",
    "number's",
    "num c",
    "num c le",
    "num c'est le",
    "numéro c'est le",
    "numéro est le",
    "nummer is",
    "nummer ist",
    "número es el",
    "número é",
    "numero è",
    "numer to",
    "per disdire",
    "per prenotare",
    "numaram",
];

/// Words before `number` that do not say that it counts something else.
pub(super) const WHOSE: &str = "my new his her our their work home private other neue nieuwe mein mijn";

/// Units and currencies. What is before one is an amount.
pub(super) const UNITS: &str = "ms ns sec min mAh Ah Wh kWh kW mV Hz kHz MHz GHz KB kB MB GB TB KiB MiB GiB TiB byte bytes bit bits \
    bps kbps Mbps Gbps px pt mm cm km kg mg ml rpm dpi USD EUR GBP JPY CNY INR IDR KRW dollars euros \
    pounds rupees rupiah yen won pesos requests tokens rows records users items units seconds percent";
