//! Words that introduce a name.

use std::sync::LazyLock;

use crate::word_matcher::WordMatcher;

/// What an introduction promises.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Promise {
    /// The speaker's own name follows, whatever it is.
    Own,
    /// A label of a form; a separator and a value follow.
    Field,
    /// A label that also stands before other things.
    AnyField,
    /// A label of somebody's part in something; a separator and a value follow.
    Role,
    /// A person follows, if it is a known name.
    Person,
    /// A person is spoken of, if it is a known name; one name is enough.
    Mention,
    /// Somebody is greeted: a name follows, and what ends a greeting.
    Greeting,
    /// Somebody who did something, or for whom it was done.
    By,
    /// A title that is written as no other word is: a surname follows.
    Title,
    /// A rank whose letters stand for other things too: a known surname follows.
    Rank,
    /// Somebody is told, asked, paid or met, if it is a known name in small letters.
    Casual,
    /// A name stands on the next line.
    SignOff,
    /// A name in Chinese, Japanese or Korean stands before it.
    Suffix,
    /// The speaker's own name stands before it, behind "I".
    OwnSuffix,
}

const INTRODUCTIONS: [(Promise, &str); 14] = [
    (
        Promise::Own,
        "my name is|my name's|my full name is|i am called|i'm called|people call me|ich heiße|ich heisse|mein name ist|\
         je m'appelle|je m’appelle|mon nom est|me llamo|mi nombre es|mi chiamo|il mio nome è|meu nome é|me chamo|\
         o meu nome é|mijn naam is|ik heet|nazywam się|mam na imię|benim adım|adım|меня зовут|моё имя|мое имя|\
         Меня зовут|Моё имя|Мое имя|мене звати|Мене звати|моє ім'я|jag heter|jeg heter|mit navn er|nimeni on|a nevem|jmenuji se|numele meu este|mă numesc|\
         zovem se|με λένε|tên tôi là|nama saya|اسمي|मेरा नाम|שמי|ผมชื่อ|ฉันชื่อ|ดิฉันชื่อ|หนูชื่อ|ผมชื่อว่า|ชื่อของผมคือ|ชื่อของฉันคือ|我叫|我的名字是|我的名字叫|我名叫|名字叫|私の名前は|\
         名前は|제 이름은|내 이름은",
    ),
    (
        Promise::Field,
        "first_name|firstname|first name|last_name|lastname|last name|full_name|fullname|full name|given_name|givenname|\
         given name|family_name|family name|surname|maiden name|middle name|patient name|patient_name|patient|\
         customer name|customer_name|client name|employee name|applicant name|applicant|account holder|accountholder|\
         cardholder|cardholder name|card holder|beneficiary|contact person|contact name|emergency contact|next of kin|\
         tenant|recipient|signed by|signed|attn|attention|bill to|ship to|sold to|insured|policyholder|vorname|nachname|\
         name des patienten|ansprechpartner|prénom|prenom|nom de famille|nom complet|nombre completo|apellido|apellidos|\
         cognome|nome completo|sobrenome|voornaam|achternaam|imię i nazwisko|nazwisko|imię|ad soyad|soyadı|фио|фамилия|\
         имя|отчество|hasta adı|müşteri adı|adı soyadı|nom du patient|nome del paziente|nombre del paciente|imię pacjenta|姓名|氏名|お名前|성명|이름",
    ),
    (
        Promise::Role,
        "complainant|reporter|instructor|trainer|lead trainer|educator|lead educator|supervisor|trustee|\
         borrower|lender|guarantor|caretaker|counselor|counsellor|therapist|guardian|witness|teacher|\
         student|landlord|driver|passenger|primary contact|nominee|resident|applicant's name|\
         mother's name|father's name|child's name|insured name|legal name|policy holder",
    ),
    (
        Promise::AnyField,
        "name|nombre|nom|nome|naam|nume|contact|customer|client|employee|sender|author|owner|名前",
    ),
    (
        Promise::Person,
        "i am|i'm|this is|ich bin|je suis|soy|sono|eu sou|ik ben|jestem|ben|patient|employee|customer|\
         client|tenant|colleague|coworker|my wife|my husband|my son|my daughter|my boss|my friend|my doctor|my sister|\
         my brother|my mother|my father|my neighbor|my neighbour|nurse|пациент|пациентка|клиент|сотрудник",
    ),
    (
        Promise::Mention,
        "ask for|asked for|asking for|speak to|speak with|spoke to|spoke with|talk to|talked to|talking to|met with|meeting with|\
         met up with|told me that|told me|taken by|parcel for|package for|letter for|invoice for|invoiced|photo of|tribute to|\
         driver|forward this to|forward it to|contacted|call from|email from|message from|letter from|news from|married to|\
         engaged to|lives with|live with|living with|lunch with|dinner with|interview with|neighbour|neighbor|roommate|flatmate|\
         assigned to|belongs to|birthday of|funeral of|in the name of|account of|signed off by|hired|fired|invited|\
         ich bin der|ich bin die|hier ist der|hier ist die|nachricht von|brief von|gespräch mit|mail von|termin mit|message de|lettre de|appel de|mensaje de|carta de|llamada de|\
         messaggio di|lettera di|mensagem de|bericht van|gesprek met",
    ),
    (
        Promise::Greeting,
        "dear|hi|hello|hey|good morning|good afternoon|good evening|good day|morning|afternoon|evening|greetings|reminder|\
         lieber|liebe|sehr geehrter|guten morgen|guten tag|guten abend|hallo|querida|querido|estimada|estimado|hola|\
         buenos días|buenas tardes|chère|cher|bonjour|bonsoir|salut|cara|caro|gentile|slt|coucou|buongiorno|buonasera|ciao|prezado|\
         prezada|olá|oi|oii|bom dia|boa tarde|beste|goedemorgen|goedemiddag|hoi|cześć|merhaba|sayın|sevgili",
    ),
    (
        Promise::By,
        "recorded by|reported by|prepared by|reviewed by|submitted by|authorised by|authorized by|verified by|\
         conducted by|compiled by|evaluated by|assessed by|examined by|interviewed by|witnessed by|filed by|\
         completed by|approved by|drafted by|overseen by|supervised by|treated by|prescribed by|requested by|\
         held by|on behalf of|under the name|under the name of|auf den namen|sous le nom de|a nombre de|consignee|registered to|consent for|permission for|my child,|my client,|our founder,|\
         erfasst von|geprüft von|unterschrieben von|im namen von|signé par|rédigé par|au nom de|firmado por|\
         revisado por|en nombre de|firmato da|redatto da|a nome di|assinado por|em nome de|ondertekend door|namens",
    ),
    (
        Promise::SignOff,
        "regards|sincerely|yours truly|best wishes|cheers|many thanks|thank you|thanks|mit freundlichen grüßen|\
         viele grüße|liebe grüße|cordialement|bien à vous|saludos|atentamente|un saludo|cordiali saluti|distinti saluti|\
         atenciosamente|met vriendelijke groet|pozdrawiam|z poważaniem|saygılarımla|с уважением|med vänlig hälsning",
    ),
    (
        Promise::Title,
        "dr.|dra.|prof.|mr|mr.|mrs|mrs.|sig.ra|sig.na|sigg.|dott.|dott.ssa|gent.le|gent.mo|gent.ma|avv.|mme|mlle|herrn|dhr.|mevr.|mw.|\
         sra.|srta.|frau|herr",
    ),
    (Promise::Rank, "PC|WPC|DS|DI|DCI|DCS|PCSO|Insp.|Sgt.|Const."),
    (
        Promise::Casual,
        "tell|ask|told|asked|money to|send it to|give it to|with my mate|landlord is|landlady is|neighbour is|neighbor is|boss is|\
         manager is|doctor is|teacher is|roommate is|flatmate is|boyfriend is|girlfriend is|brother is|sister is|\
         husband is|wife is|it's|its|hier ist|hier is|hier spricht|c'est|slt c|salut c|ici|sou o|sou a|met|tutaj|frag|sag|demande à|dis à|\
         pregunta a|dile a|chiedi a|pergunta pro|pergunta pra|fala com|vraag|zeg tegen|zapytaj",
    ),
    (Promise::Suffix, "先生|女士|小姐|様|さん|と申します|씨|님"),
    (Promise::OwnSuffix, "입니다|이에요|이라고 합니다|라고 합니다"),
];

pub(super) static PROMISES: LazyLock<Vec<Promise>> = LazyLock::new(|| {
    INTRODUCTIONS.iter().flat_map(|(promise, words)| words.split('|').map(|_| *promise)).collect()
});

pub(super) static LEXICON: LazyLock<WordMatcher> =
    LazyLock::new(|| WordMatcher::new(INTRODUCTIONS.iter().flat_map(|(_, words)| words.split('|'))));
