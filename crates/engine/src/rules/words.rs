//! Words of the grammars' classes, by language: English, then German, French, Spanish, Italian, Portuguese, Dutch, Polish, Turkish,
//! Russian, Arabic, Hindi, Chinese, Japanese, Korean.

use super::WordClass;

/// To set instructions aside.
pub const OVERRIDE: WordClass = &[
    "ignore",
    "disregard",
    "forget",
    "override",
    "bypass",
    "overrule",
    "discard",
    "drop all",
    "neglect",
    "set aside",
    "erase", //
    "ignoriere",
    "ignorieren sie",
    "vergiss",
    "vergessen sie",
    "missachte",
    "umgehe", //
    "ignore",
    "ignorez",
    "oublie",
    "oubliez",
    "ne tiens pas compte",
    "ne tenez pas compte",
    "contourne", //
    "ignora",
    "ignore",
    "ignorad",
    "olvida",
    "olvide",
    "omite",
    "haz caso omiso",
    "descarta", //
    "dimentica",
    "dimenticate",
    "trascura",
    "ignorate",
    "non considerare", //
    "esqueça",
    "esquece",
    "desconsidere",
    "desconsidera", //
    "negeer",
    "vergeet", //
    "zignoruj",
    "ignoruj",
    "zapomnij",
    "pomiń", //
    "игнорируй*",
    "проигнорируй*",
    "забудь*", //
    "تجاهل",
    "تجاهلي",
    "انس",
    "انسَ", //
    "忽略",
    "无视",
    "忘记",
    "忘掉",
    "不要理会",
    "忽視",
    "無視",
    "忘記",
];

/// The same in languages whose verb comes last.
pub const OVERRIDE_LAST: WordClass = &[
    "yok say*",
    "unut",
    "unutun",
    "görmezden gel*",
    "dikkate alma*", //
    "अनदेखा",
    "नज़रअंदाज़",
    "भूल जाओ",
    "भूल जाएं", //
    "無視",
    "忘れ*", //
    "무시",
    "잊어*",
    "잊고",
];

/// Given before this text.
pub const EARLIER: WordClass = &[
    "previous",
    "prior",
    "above",
    "earlier",
    "preceding",
    "foregoing",
    "former",
    "initial",
    "original",
    "system",
    "previously given",
    "existing", //
    "vorherige*",
    "bisherige*",
    "vorangegangene*",
    "obige*",
    "früheren",
    "ursprünglichen", //
    "précédent*",
    "antérieur*",
    "ci-dessus",
    "initiales", //
    "anterior*",
    "previa*",
    "previo*",
    "iniciales", //
    "precedent*",
    "iniziali", //
    "vorige",
    "eerdere",
    "voorgaande",
    "bovenstaande", //
    "poprzedni*",
    "wcześniejsz*",
    "powyższ*", //
    "önceki",
    "yukarıdaki", //
    "предыдущ*",
    "прежни*",
    "вышеуказанн*", //
    "السابقة",
    "السابق",
    "أعلاه", //
    "पिछले",
    "पिछली",
    "ऊपर",
    "पूर्व", //
    "之前",
    "以前",
    "上面",
    "先前",
    "以上",
    "前面",
    "上述", //
    "これまで",
    "上記",
    "前の", //
    "이전",
    "위의",
    "지금까지",
];

/// What a model is told to obey.
pub const INSTRUCTIONS: WordClass = &[
    "instruction",
    "instructions",
    "rules",
    "prompt",
    "prompts",
    "guidelines",
    "directives",
    "directions",
    "constraints",
    "commands",
    "orders", //
    "anweisung*",
    "instruktionen",
    "regeln",
    "vorgaben",
    "befehle", //
    "consignes",
    "règles",
    "directives", //
    "instruccion*",
    "reglas",
    "indicaciones",
    "órdenes", //
    "istruzion*",
    "regole",
    "indicazioni",
    "direttive", //
    "instruções",
    "instrução",
    "regras",
    "orientações", //
    "instructies",
    "regels",
    "aanwijzingen", //
    "instrukcje",
    "instrukcji",
    "polecenia",
    "zasady", //
    "talimat*",
    "kural*",
    "yönerge*",
    "komut*", //
    "инструкци*",
    "указани*",
    "правил*", //
    "التعليمات",
    "تعليمات",
    "الأوامر",
    "القواعد", //
    "निर्देश*",
    "नियम*",
    "आदेश*", //
    "指令",
    "指示",
    "规则",
    "提示词",
    "命令",
    "說明",
    "規則",
    "说明", //
    "ルール",
    "プロンプト", //
    "지시*",
    "명령*",
    "규칙*",
    "프롬프트*",
];

/// Yours, said to the model.
pub const YOUR: WordClass = &[
    "your",
    "deine",
    "deinen",
    "ihre",
    "ihren",
    "votre",
    "le tue",
    "il tuo",
    "suas",
    "seu",
    "seus",
    "jouw",
    "swoje",
    "swój",
    "twoje",
    "свой",
    "свои",
    "твои",
    "ваши",
    "твой",
    "你的",
    "您的",
    "あなたの",
    "당신의",
];

/// To bring something to light.
pub const REVEAL: WordClass = &[
    "reveal",
    "print",
    "repeat",
    "show",
    "show me",
    "output",
    "display",
    "dump",
    "leak",
    "give me",
    "tell me",
    "share",
    "expose",
    "recite",
    "disclose", //
    "zeige",
    "zeig mir",
    "verrate",
    "nenne",
    "wiederhole", //
    "montre",
    "montrez",
    "révèle",
    "affiche",
    "répète", //
    "muestra",
    "muéstrame",
    "revela",
    "imprime",
    "repite",
    "dime", //
    "mostra",
    "mostrami",
    "rivela",
    "stampa",
    "ripeti",
    "dimmi", //
    "mostre",
    "revele",
    "imprima",
    "repita", //
    "toon",
    "onthul",
    "herhaal",
    //
    "pokaż",
    "ujawnij",
    "wyświetl",
    "powtórz", //
    "покажи*",
    "раскрой*",
    "выведи*",
    "повтори*", //
    "اعرض",
    "اكشف",
    "أظهر",
    "اطبع", //
    "显示",
    "输出",
    "告诉我",
    "打印",
    "透露",
    "重复",
];

/// What the model was given in confidence.
pub const SECRET: WordClass = &[
    "system prompt",
    "initial prompt",
    "original prompt",
    "hidden prompt",
    "secret prompt",
    "initial instructions",
    "original instructions",
    "hidden instructions",
    "secret instructions",
    "system instructions",
    "system message",
    "developer message",
    "hidden rules",
    "internal instructions", //
    "systemprompt",
    "system-prompt",
    "systemanweisung*",
    "systemnachricht",
    "prompt système",
    "instructions système",
    "prompt del sistema",
    "prompt de sistema",
    "instrucciones del sistema",
    "prompt di sistema",
    "istruzioni di sistema",
    "prompt do sistema",
    "instruções do sistema",
    "systeemprompt",
    "prompt systemow*",
    "системный промпт",
    "системную подсказку",
    "системные инструкции",
    "системный запрос",
    "موجه النظام",
    "تعليمات النظام",
    "系统提示",
    "系统提示词",
    "系統提示",
    "系统指令",
    "システムプロンプト",
    "시스템 프롬프트*",
    "sistem istemi*",
    "sistem prompt*",
    "सिस्टम प्रॉम्प्ट",
];
