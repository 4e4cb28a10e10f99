//! Short everyday sentences in 42 languages, which the identifier was not trained on.

use super::language;

/// A code, and sentences of about five words.
const SENTENCES: &[(&str, [&str; 5])] = &[
    (
        "en",
        [
            "Where can I renew my library card?",
            "The meeting was moved to next Thursday afternoon.",
            "Please send me the invoice again today.",
            "My brother repaired the old bicycle himself.",
            "How long does the train to Leeds take?",
        ],
    ),
    (
        "de",
        [
            "Wo kann ich meinen Ausweis verlängern?",
            "Die Sitzung wurde auf Donnerstag verschoben.",
            "Bitte schick mir die Rechnung noch einmal.",
            "Mein Bruder hat das alte Fahrrad repariert.",
            "Wie lange dauert die Fahrt nach Köln?",
        ],
    ),
    (
        "fr",
        [
            "Où puis-je renouveler ma carte ?",
            "La réunion est reportée à jeudi prochain.",
            "Merci de me renvoyer la facture aujourd'hui.",
            "Mon frère a réparé son vieux vélo.",
            "Combien de temps dure le trajet ?",
        ],
    ),
    (
        "es",
        [
            "¿Dónde puedo renovar mi carné?",
            "La reunión se ha aplazado hasta el jueves.",
            "Envíame otra vez la factura, por favor.",
            "Mi hermano arregló la bicicleta vieja.",
            "¿Cuánto tarda el tren a Sevilla?",
        ],
    ),
    (
        "pt",
        [
            "Onde posso renovar o meu cartão?",
            "A reunião foi adiada para quinta-feira.",
            "Envie-me a fatura novamente, por favor.",
            "Meu irmão consertou a bicicleta velha.",
            "Quanto tempo demora o comboio?",
        ],
    ),
    (
        "it",
        [
            "Dove posso rinnovare la mia tessera?",
            "La riunione è stata spostata a giovedì.",
            "Mandami di nuovo la fattura, per favore.",
            "Mio fratello ha riparato la vecchia bici.",
            "Quanto ci mette il treno per Torino?",
        ],
    ),
    (
        "nl",
        [
            "Waar kan ik mijn pas verlengen?",
            "De vergadering is naar donderdag verplaatst.",
            "Stuur me de rekening nog een keer.",
            "Mijn broer heeft de oude fiets gemaakt.",
            "Hoe lang duurt de reis naar Utrecht?",
        ],
    ),
    (
        "pl",
        [
            "Gdzie mogę przedłużyć moją kartę?",
            "Spotkanie przełożono na przyszły czwartek.",
            "Proszę, wyślij mi fakturę jeszcze raz.",
            "Mój brat naprawił stary rower.",
            "Jak długo jedzie pociąg do Gdańska?",
        ],
    ),
    (
        "cs",
        [
            "Kde si mohu prodloužit průkaz?",
            "Schůzka byla přesunuta na čtvrtek odpoledne.",
            "Pošlete mi prosím fakturu ještě jednou.",
            "Můj bratr opravil staré kolo sám.",
            "Jak dlouho jede vlak do Brna?",
        ],
    ),
    (
        "sk",
        [
            "Kde si môžem predĺžiť preukaz?",
            "Stretnutie bolo presunuté na štvrtok poobede.",
            "Pošlite mi prosím faktúru ešte raz.",
            "Môj brat opravil starý bicykel sám.",
            "Ako dlho ide vlak do Košíc?",
        ],
    ),
    (
        "sv",
        [
            "Var kan jag förnya mitt kort?",
            "Mötet har flyttats till på torsdag.",
            "Skicka fakturan till mig igen, tack.",
            "Min bror lagade den gamla cykeln.",
            "Hur lång tid tar tåget dit?",
        ],
    ),
    (
        "no",
        [
            "Hvor kan jeg fornye kortet mitt?",
            "Møtet er flyttet til torsdag ettermiddag.",
            "Kan du sende meg regningen igjen?",
            "Broren min reparerte den gamle sykkelen.",
            "Hvor lang tid tar toget dit?",
        ],
    ),
    (
        "da",
        [
            "Hvor kan jeg forny mit kort?",
            "Mødet er blevet flyttet til torsdag.",
            "Send mig venligst regningen en gang til.",
            "Min bror reparerede den gamle cykel.",
            "Hvor lang tid tager toget dertil?",
        ],
    ),
    (
        "fi",
        [
            "Missä voin uusia kirjastokorttini?",
            "Kokous siirrettiin ensi torstaille iltapäivään.",
            "Lähetä minulle lasku vielä kerran, kiitos.",
            "Veljeni korjasi vanhan pyörän itse.",
            "Kauanko junamatka Turkuun oikein kestää?",
        ],
    ),
    (
        "hu",
        [
            "Hol tudom meghosszabbítani a kártyámat?",
            "Az értekezletet jövő csütörtökre tették át.",
            "Kérem, küldje el újra a számlát.",
            "A bátyám megjavította a régi biciklit.",
            "Mennyi ideig tart az út Szegedre?",
        ],
    ),
    (
        "ro",
        [
            "Unde îmi pot prelungi permisul?",
            "Ședința a fost mutată pe joi.",
            "Trimite-mi factura încă o dată, te rog.",
            "Fratele meu a reparat bicicleta veche.",
            "Cât durează drumul până la Cluj?",
        ],
    ),
    (
        "tr",
        [
            "Kütüphane kartımı nerede yenileyebilirim?",
            "Toplantı gelecek perşembe gününe ertelendi.",
            "Lütfen faturayı bana tekrar gönderin.",
            "Kardeşim eski bisikleti kendisi tamir etti.",
            "İzmir'e tren ne kadar sürüyor?",
        ],
    ),
    (
        "id",
        [
            "Di mana saya bisa memperpanjang kartu?",
            "Rapat dipindahkan ke hari Kamis depan.",
            "Tolong kirimkan tagihan itu sekali lagi.",
            "Kakak saya memperbaiki sepeda tua itu.",
            "Berapa lama naik kereta ke Bandung?",
        ],
    ),
    (
        "vi",
        [
            "Tôi có thể gia hạn thẻ ở đâu?",
            "Cuộc họp được dời sang thứ năm.",
            "Vui lòng gửi lại hóa đơn cho tôi.",
            "Anh trai tôi đã sửa xe đạp cũ.",
            "Đi tàu đến Huế mất bao lâu?",
        ],
    ),
    (
        "hr",
        [
            "Gdje mogu produžiti svoju iskaznicu?",
            "Sastanak je pomaknut na idući četvrtak.",
            "Molim vas, pošaljite mi račun ponovno.",
            "Moj brat je popravio stari bicikl.",
            "Koliko traje vožnja vlakom do Splita?",
        ],
    ),
    (
        "ca",
        [
            "On puc renovar el meu carnet?",
            "La reunió s'ha ajornat fins dijous.",
            "Envia'm la factura una altra vegada.",
            "El meu germà va arreglar la bici.",
            "Quant triga el tren a Girona?",
        ],
    ),
    (
        "et",
        [
            "Kus ma saan oma kaarti pikendada?",
            "Koosolek lükati järgmisele neljapäevale edasi.",
            "Palun saatke mulle arve uuesti.",
            "Mu vend parandas vana ratta ära.",
            "Kui kaua rong Tartusse sõidab?",
        ],
    ),
    (
        "lt",
        [
            "Kur galiu pratęsti savo kortelę?",
            "Susitikimas perkeltas į kitą ketvirtadienį.",
            "Prašau atsiųsti man sąskaitą dar kartą.",
            "Mano brolis pataisė seną dviratį.",
            "Kiek laiko važiuoja traukinys į Kauną?",
        ],
    ),
    (
        "lv",
        [
            "Kur es varu pagarināt savu karti?",
            "Sanāksme ir pārcelta uz nākamo ceturtdienu.",
            "Lūdzu, atsūtiet man rēķinu vēlreiz.",
            "Mans brālis salaboja veco velosipēdu.",
            "Cik ilgi brauc vilciens uz Liepāju?",
        ],
    ),
    (
        "sl",
        [
            "Kje lahko podaljšam svojo izkaznico?",
            "Sestanek so prestavili na naslednji četrtek.",
            "Prosim, pošljite mi račun še enkrat.",
            "Moj brat je popravil staro kolo.",
            "Kako dolgo vozi vlak do Maribora?",
        ],
    ),
    (
        "ru",
        [
            "Где я могу продлить читательский билет?",
            "Собрание перенесли на следующий четверг.",
            "Пришлите мне счёт ещё раз, пожалуйста.",
            "Мой брат сам починил старый велосипед.",
            "Сколько ехать на поезде до Казани?",
        ],
    ),
    (
        "uk",
        [
            "Де я можу продовжити свій квиток?",
            "Зустріч перенесли на наступний четвер.",
            "Надішліть мені рахунок ще раз, будь ласка.",
            "Мій брат сам полагодив старий велосипед.",
            "Скільки їхати потягом до Львова?",
        ],
    ),
    (
        "bg",
        [
            "Къде мога да подновя картата си?",
            "Срещата беше преместена за следващия четвъртък.",
            "Моля, изпратете ми фактурата отново.",
            "Брат ми поправи стария велосипед сам.",
            "Колко време пътува влакът до Варна?",
        ],
    ),
    (
        "sr",
        [
            "Где могу да продужим своју карту?",
            "Састанак је померен за следећи четвртак.",
            "Молим вас, пошаљите ми рачун поново.",
            "Мој брат је сам поправио стари бицикл.",
            "Колико дуго иде воз до Ниша?",
        ],
    ),
    (
        "el",
        [
            "Πού μπορώ να ανανεώσω την κάρτα μου;",
            "Η συνάντηση μεταφέρθηκε για την Πέμπτη.",
            "Στείλτε μου ξανά το τιμολόγιο, παρακαλώ.",
            "Ο αδελφός μου επισκεύασε το ποδήλατο.",
            "Πόση ώρα κάνει το τρένο ως εκεί;",
        ],
    ),
    (
        "ar",
        [
            "أين يمكنني تجديد بطاقة المكتبة الخاصة بي؟",
            "تم تأجيل الاجتماع إلى يوم الخميس القادم.",
            "من فضلك أرسل لي الفاتورة مرة أخرى.",
            "أصلح أخي الدراجة القديمة بنفسه أمس.",
            "كم تستغرق الرحلة بالقطار إلى هناك؟",
        ],
    ),
    (
        "he",
        [
            "איפה אני יכול לחדש את הכרטיס שלי?",
            "הפגישה נדחתה ליום חמישי הבא בצהריים.",
            "בבקשה שלח לי שוב את החשבונית.",
            "אחי תיקן את האופניים הישנים בעצמו.",
            "כמה זמן נוסעת הרכבת לחיפה?",
        ],
    ),
    (
        "fa",
        [
            "کجا می‌توانم کارت خود را تمدید کنم؟",
            "جلسه به پنجشنبه هفته آینده موکول شد.",
            "لطفا صورتحساب را دوباره برای من بفرستید.",
            "برادرم دوچرخه قدیمی را خودش تعمیر کرد.",
            "قطار تا شیراز چقدر طول می‌کشد؟",
        ],
    ),
    (
        "ur",
        [
            "میں اپنا کارڈ کہاں سے بنوا سکتا ہوں؟",
            "اجلاس اگلی جمعرات تک ملتوی کر دیا گیا ہے۔",
            "براہ کرم مجھے بل دوبارہ بھیج دیں۔",
            "میرے بھائی نے پرانی سائیکل خود ٹھیک کی۔",
            "لاہور تک ٹرین میں کتنا وقت لگتا ہے؟",
        ],
    ),
    (
        "hi",
        [
            "मैं अपना कार्ड कहाँ नवीनीकृत करा सकता हूँ?",
            "बैठक अगले गुरुवार तक टाल दी गई है।",
            "कृपया मुझे बिल एक बार फिर भेज दें।",
            "मेरे भाई ने पुरानी साइकिल खुद ठीक की।",
            "ट्रेन को वहाँ पहुँचने में कितना समय लगता है?",
        ],
    ),
    (
        "bn",
        [
            "আমি কোথায় আমার কার্ড নবায়ন করতে পারি?",
            "সভাটি আগামী বৃহস্পতিবার পর্যন্ত স্থগিত হয়েছে।",
            "দয়া করে বিলটি আমাকে আবার পাঠান।",
            "আমার ভাই পুরোনো সাইকেলটি নিজেই সারিয়েছে।",
            "ট্রেনে সেখানে যেতে কত সময় লাগে?",
        ],
    ),
    (
        "ta",
        [
            "என் அட்டையை எங்கே புதுப்பிக்க முடியும்?",
            "கூட்டம் அடுத்த வியாழக்கிழமைக்கு மாற்றப்பட்டது, தெரியுமா?",
            "தயவுசெய்து பில்லை மீண்டும் எனக்கு அனுப்பவும்.",
            "என் அண்ணன் பழைய மிதிவண்டியை சரிசெய்தார்.",
            "அங்கே ரயிலில் செல்ல எவ்வளவு நேரம்?",
        ],
    ),
    (
        "th",
        [
            "ฉันจะต่ออายุบัตรห้องสมุดได้ที่ไหน",
            "การประชุมเลื่อนไปเป็นวันพฤหัสบดีหน้า",
            "กรุณาส่งใบแจ้งหนี้มาให้ฉันอีกครั้ง",
            "พี่ชายของฉันซ่อมจักรยานเก่าเอง",
            "รถไฟไปเชียงใหม่ใช้เวลานานเท่าไร",
        ],
    ),
    (
        "ja",
        [
            "図書館のカードはどこで更新できますか。",
            "会議は来週の木曜日に延期されました。",
            "請求書をもう一度送ってください。",
            "兄は古い自転車を自分で直しました。",
            "電車でそこまでどのくらいかかりますか。",
        ],
    ),
    (
        "ko",
        [
            "도서관 카드는 어디에서 갱신할 수 있나요?",
            "회의가 다음 주 목요일로 연기되었습니다.",
            "청구서를 다시 한 번 보내 주세요.",
            "형이 낡은 자전거를 직접 고쳤어요.",
            "기차로 거기까지 얼마나 걸려요?",
        ],
    ),
    (
        "zh",
        [
            "我在哪里可以续办我的图书证？",
            "会议推迟到下星期四下午举行。",
            "请把发票再给我发一次。",
            "我哥哥自己修好了那辆旧自行车。",
            "坐火车到那里要多长时间？",
        ],
    ),
];

#[test]
fn the_language_of_a_short_sentence_is_right_or_left_open() {
    let pairs: Vec<_> =
        SENTENCES.iter().flat_map(|(code, some)| some.iter().map(move |text| (*code, *text))).collect();
    let wrong: Vec<_> =
        pairs.iter().filter(|(code, text)| language(text).is_some_and(|found| found != *code)).collect();
    let right = pairs.iter().filter(|(code, text)| language(text) == Some(code)).count();
    assert!(right * 100 >= pairs.len() * 95, "{right} of {} right; wrong: {wrong:?}", pairs.len());
    assert!(wrong.len() * 100 <= pairs.len() * 2, "{wrong:?}");
}

#[test]
fn what_is_no_language_has_none() {
    for text in ["", "12345 67890", "👍👍", "a1f9", "??!"] {
        assert_eq!(language(text), None, "{text}");
    }
}

#[test]
fn kana_mean_japanese() {
    assert_eq!(language("図書館はいつ閉まりますか"), Some("ja"));
    assert_eq!(language("图书馆闭馆时间"), Some("zh"));
}
