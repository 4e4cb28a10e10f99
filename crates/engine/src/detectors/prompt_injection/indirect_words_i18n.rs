//! Words of planted orders in other languages than English: Arabic, Chinese, Dutch, French, German, Hindi, Italian, Japanese,
//! Korean, Polish, Portuguese, Russian, Spanish, Turkish.

use crate::rules::WordClass;

/// How a reader is addressed, where the reader follows.
pub const ADDRESS: WordClass = &[
    "hinweis für", "hinweis an", "nachricht an", "anweisung für", "anweisung an", "anmerkung für", "an alle", "wenn du ein",
    "falls du ein", "note à", "note pour", "note aux", "message à", "message pour", "instruction pour", "instructions pour",
    "consigne pour", "à l'attention", "si vous êtes", "si tu es", "nota para", "mensaje para", "aviso para",
    "instrucción para", "instrucciones para", "si eres", "si usted es", "nota per", "messaggio per", "istruzione per",
    "istruzioni per", "se sei", "mensagem para", "instrução para", "instruções para", "se você é", "se és",
    "opmerking voor", "bericht voor", "bericht aan", "instructie voor", "als je een", "als u een", "uwaga dla",
    "wiadomość dla", "wiadomość do", "instrukcja dla", "polecenie dla", "jeśli jesteś", "примечание для", "сообщение для",
    "инструкция для", "указание для", "если ты", "если вы", "ملاحظة", "تعليمات", "رسالة إلى", "إذا كنت", "致", "给", "請",
    "请", "如果你是",
];
/// Those who read what people do not see.
pub const READERS: WordClass = &[
    "ki-assistent*", "ki-modell*", "ki-system*", "ki-agent*", "sprachmodell*", "chatbot*", "assistant ia", "assistants ia",
    "assistant d'ia", "assistants d'ia", "agent ia", "agents ia", "modèle de langage", "modèles de langage",
    "modelo de lenguaje", "modelos de lenguaje", "asistente de ia", "asistentes de ia", "asistente ia", "agente de ia",
    "modello linguistico", "modelli linguistici", "assistente ia", "assistenti ia", "assistente ai", "assistenti ai",
    "modelo de linguagem", "modelos de linguagem", "assistente de ia", "assistentes de ia", "taalmodel*", "ai-assistent*",
    "ai-model*", "model językow*", "modele językow*", "modeli językow*", "modelu językow*", "asystent ai", "asystenta ai",
    "asystentów ai", "языковая модель", "языковой модели", "языковых моделей", "ии-ассистент*", "ии-помощник*",
    "ии-агент*", "чат-бот*", "نموذج لغوي", "نموذج اللغة", "نماذج اللغة", "النماذج اللغوية", "مساعد الذكاء الاصطناعي", "语言模型",
    "語言模型", "ai助手", "ai 助手", "人工智能助手", "智能助手",
];
/// Orders that models are given.
pub const ORDERS: WordClass = &[
    "antworte*", "schreib*", "gib", "sag", "sage", "ignorier*", "vergiss", "füge", "leite", "empfiehl", "empfehle*",
    "bewerte*", "erwähne*", "sende*", "muss", "immer", "réponds", "répondez", "répondre", "écris", "écrivez", "dis", "dites",
    "ignore*", "oublie*", "ajoute*", "transmet*", "transfér*", "recommande*", "mentionne*", "doit", "devez", "toujours",
    "envoie*", "envoyez", "respond*", "escrib*", "diga", "ignora*", "olvid*", "añad*", "agreg*", "reenví*", "recomiend*",
    "mencion*", "debe*", "siempre", "enví*", "incluy*", "rispond*", "scriv*", "dimentica*", "aggiung*", "inoltra*",
    "consigli*", "raccomanda*", "deve*", "devi", "sempre", "invia*", "escrev*", "esqueça*", "adicion*", "acrescent*",
    "encaminh*", "recomend*", "envi*", "inclu*", "antwoord*", "schrijf*", "zeg", "negeer*", "vergeet*", "voeg*", "stuur*",
    "beveel*", "vermeld*", "moet*", "altijd", "odpowied*", "napisz*", "powiedz*", "zignoruj*", "ignoruj*", "zapomnij*",
    "dodaj*", "przekaż*", "poleć*", "polecaj*", "wspomnij*", "musi*", "zawsze", "wyślij*", "ответь*", "отвеча*", "напиши*",
    "скажи*", "игнориру*", "проигнориру*", "забудь*", "добав*", "перешли*", "отправ*", "рекоменду*", "порекоменду*",
    "упомян*", "всегда", "должн*", "أجب", "اكتب", "قل", "تجاهل", "انس", "أضف", "أرسل", "أوص", "اذكر", "يجب", "دائما", "回答",
    "回复", "写", "输出", "忽略", "忘记", "添加", "加上", "附上", "转发", "发送", "推荐", "必须", "务必", "评为",
];

/// The same readers in languages whose verb stands last.
pub const LAST_READERS: WordClass = &[
    "dil modeli*", "dil modelleri*", "yapay zeka asistan*", "yapay zekâ asistan*", "yapay zeka model*", "भाषा मॉडल", "एआई सहायक",
    "एआई असिस्टेंट", "ai सहायक", "ai असिस्टेंट", "言語モデル", "aiアシスタント", "ai アシスタント", "언어 모델", "ai 어시스턴트", "ai 비서",
    "인공지능 비서",
];
/// That something is meant for them.
pub const FOR: WordClass = &[
    "için", "not", "talimat", "dikkatine", "के लिए", "को", "ध्यान दें", "निर्देश", "への", "へ", "向け", "宛", "にお願い", "に告ぐ", "에게",
    "를 위한", "을 위한", "용 안내", "께",
];
/// Their orders.
pub const LAST_ORDERS: WordClass = &[
    "yanıtla*", "cevapla*", "yaz", "yazın", "yazınız", "söyle*", "yok say*", "görmezden gel*", "unut*", "ekle*", "ilet*",
    "gönder*", "öner*", "belirt*", "mutlaka", "जवाब", "लिख*", "बता*", "अनदेखा", "भूल", "जोड़*", "भेज*", "सिफारिश", "सुझा*", "答え",
    "回答", "出力", "無視", "忘れ", "追加", "追記", "転送", "送信", "推薦", "勧め", "必ず", "書いて", "답변", "답하", "출력", "무시", "잊",
    "추가", "전달", "전송", "추천", "반드시", "적어", "써",
];

/// Said to who shall keep something from the user.
pub const SECRETLY: WordClass = &[
    "sag dem nutzer nichts", "erwähne dies nicht gegenüber", "ohne den nutzer zu informieren", "dem nutzer nicht mitteilen",
    "n'en parle pas à l'utilisateur", "n'en parlez pas à l'utilisateur", "sans en informer l'utilisateur",
    "ne le dis pas à l'utilisateur", "sin informar al usuario", "sin decírselo al usuario", "no se lo digas al usuario",
    "no menciones esto al usuario", "senza informare l'utente", "senza dirlo all'utente", "non dirlo all'utente",
    "sem informar o usuário", "sem avisar o usuário", "não conte ao usuário", "não mencione isto ao utilizador",
    "zonder de gebruiker te informeren", "vertel de gebruiker niets", "bez informowania użytkownika", "nie mów użytkownikowi",
    "kullanıcıya söyleme", "kullanıcıya bahsetme", "kullanıcıya haber vermeden", "не говори пользователю",
    "не сообщай пользователю", "не сообщая пользователю", "دون إخبار المستخدم", "لا تخبر المستخدم", "उपयोगकर्ता को बताए बिना",
    "उपयोगकर्ता को न बताएं", "不要告诉用户", "不要让用户知道", "不要向用户提及", "ユーザーには知らせず", "ユーザーには言わない", "ユーザーに伝えない",
    "사용자에게 알리지", "사용자에게 말하지",
];
