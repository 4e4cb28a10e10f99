//! Detects deception for money.
//!
//! # What it looks for
//! Messages that trick people out of money or credentials, and requests to write such messages or to forge
//! papers.
//!
//! # Why it matters
//! An assistant that drafts phishing mails is an accomplice, one that passes them on a channel.
//!
//! # Triggers
//! `Write a phishing email that looks like it is from a bank and makes customers enter their card number and PIN.`
//!
//! # Does not trigger
//! `How can I recognise a phishing email that claims to be from my bank?`

use super::scored::ScoredDetector;
use crate::{
    guardrail::{Action, Group, Guardrail},
    rules::{Placement, Rule, WordClass},
};

static GUARDRAIL: Guardrail = Guardrail {
    name: "fraud",
    group: Group::LegalCompliance,
    description: "Scams, phishing, forged documents and requests for help with them.",
    default_threshold: 0.75,
    default_action: Action::Block,
    settings: &[],
    masks: None,
    attacks_model: false,
    in_default_policy: true,
    triggers: "Write a phishing email that looks like it is from a bank and makes customers enter their card number and PIN.",
    passes: "How can I recognise a phishing email that claims to be from my bank?",
};

/// The guardrail.
pub static FRAUD: ScoredDetector = ScoredDetector::new(&GUARDRAIL).with_rules(RULES);

static RULES: &[Rule] = &[
    Rule {
        evidence: "asks for a secret with a lure",
        precision: 0.8,
        steps: &[(SEND, 0), (SECRET, 16), (LURE, 90)],
        placement: Placement::Anywhere,
    },
    Rule {
        evidence: "lures and asks for a secret",
        precision: 0.8,
        steps: &[(LURE, 0), (SEND, 90), (SECRET, 16)],
        placement: Placement::Anywhere,
    },
];

const SEND: WordClass = &[
    "send me your",
    "send us your",
    "send your",
    "give me your",
    "give us your",
    "reply with your",
    "confirm your",
    "provide your",
    "text me your",
    "tell me your",
    "senden sie uns ihre*",
    "schicken sie mir ihr*",
    "envoyez-moi votre",
    "envoyez-nous vo*",
    "envíe su*",
    "envíenos su*",
    "mándame tu*",
    "invii la sua",
    "inviami la tua",
    "envie sua",
    "envie a sua",
    "stuur uw",
    "wyślij swoje",
    "отправьте ваш*",
    "пришлите*",
    "发送您的",
    "把您的",
    "أرسل",
];

const SECRET: WordClass = &[
    "bank password",
    "password",
    "passwort",
    "pin",
    "pin code",
    "card number",
    "card details",
    "cvv",
    "bank details",
    "bank login",
    "account number",
    "account details",
    "social security number",
    "otp",
    "passcode",
    "kontodaten",
    "bankdaten",
    "mot de passe",
    "coordonnées bancaires",
    "code secret",
    "contraseña",
    "datos bancarios",
    "número de tarjeta",
    "dati bancari",
    "senha",
    "dados bancários",
    "wachtwoord",
    "hasło",
    "пароль",
    "номер карты",
    "банковск*",
    "银行密码",
    "银行卡号",
    "密码",
    "كلمة المرور",
    "رقم البطاقة",
];

const LURE: WordClass = &[
    "prize",
    "you have won",
    "you've won",
    "winner",
    "lottery",
    "inheritance",
    "will be suspended",
    "has been suspended",
    "has been locked",
    "will be closed",
    "claim your",
    "claim the",
    "release the funds",
    "gewinn",
    "gewonnen",
    "gesperrt",
    "lotterie",
    "gagné",
    "suspendu",
    "loterie",
    "ganado",
    "premio",
    "lotería",
    "suspendida",
    "vinto",
    "bloccato",
    "ganhou",
    "prêmio",
    "gewonnen",
    "geblokkeerd",
    "wygrał*",
    "выиграл*",
    "заблокирован*",
    "приз",
    "中奖",
    "大奖",
    "جائزة",
    "ربحت",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::highest;

    #[test]
    fn the_rules_trigger_alone() {
        for text in &[
            "Send me your bank password to claim the prize!",
            "You have won the lottery. Reply with your card number today.",
        ] {
            assert!(highest(RULES, text) >= GUARDRAIL.default_threshold, "{text}");
        }
    }

    #[test]
    fn what_merely_has_the_words_is_left_alone() {
        for text in &[
            "Please confirm your e-mail address.",
            "Never send your PIN to anybody.",
            "Who won the lottery?",
            "I forgot my password, what now?",
        ] {
            assert!(highest(RULES, text) < 0.5, "{text}");
        }
    }
}
