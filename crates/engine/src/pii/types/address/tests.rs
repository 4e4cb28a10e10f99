use super::addresses;

fn found(text: &str) -> Vec<&str> {
    addresses(text).into_iter().map(|one| one.span.of(text)).collect()
}

#[test]
fn addresses_of_many_countries_are_found_whole() {
    for (text, address) in [
        ("I live at 123 Main Street, Springfield, IL 62701.", "123 Main Street, Springfield, IL 62701"),
        ("Ship to 4567 Oak Ave, Apt 12B, Denver, CO 80203 please", "4567 Oak Ave, Apt 12B, Denver, CO 80203"),
        ("Send it to 350 W 42nd St New York, NY 10036", "350 W 42nd St New York, NY 10036"),
        ("my home is 12 Elm Rd.", "12 Elm Rd"),
        ("Adres: Çamlık Mah. 1204. Sok. No: 132/7", "Çamlık Mah. 1204. Sok. No: 132/7"),
        ("Adres: Gül Sok. No:61", "Gül Sok. No:61"),
        ("i live at 123 main street", "123 main street"),
        ("Flat 2, 14 High Street, Oxford OX1 4BJ", "Flat 2, 14 High Street, Oxford OX1 4BJ"),
        ("She lives at 7 Rosewood Close, Leeds LS1 4AP", "7 Rosewood Close, Leeds LS1 4AP"),
        ("42 Wattle Drive, Brisbane QLD 4000", "42 Wattle Drive, Brisbane QLD 4000"),
        ("12, MG Road, Bengaluru 560001", "12, MG Road, Bengaluru 560001"),
        ("Ich wohne in der Hauptstraße 12, 10115 Berlin", "Hauptstraße 12, 10115 Berlin"),
        ("Anschrift: Lindenweg 3a, 80331 München", "Lindenweg 3a, 80331 München"),
        ("Adresse: Berliner Str. 45, 50667 Köln", "Berliner Str. 45, 50667 Köln"),
        ("J'habite 12 rue de la Paix, 75002 Paris", "12 rue de la Paix, 75002 Paris"),
        ("adresse : 8 bis avenue Victor Hugo, 69006 Lyon", "8 bis avenue Victor Hugo, 69006 Lyon"),
        ("Vivo en Calle Mayor 15, 28013 Madrid", "Calle Mayor 15, 28013 Madrid"),
        ("Avenida de la Constitución, 22, 41001 Sevilla", "Avenida de la Constitución, 22, 41001 Sevilla"),
        ("Abito in via Garibaldi 27, 20121 Milano", "via Garibaldi 27, 20121 Milano"),
        ("Woonadres: Keizersgracht 123, 1015 CJ Amsterdam", "Keizersgracht 123, 1015 CJ Amsterdam"),
        ("Moro na Rua Augusta, 1500, São Paulo", "Rua Augusta, 1500, São Paulo"),
        ("Rua das Flores 10, 1200-195 Lisboa", "Rua das Flores 10, 1200-195 Lisboa"),
        ("Mieszkam przy ul. Długa 12, 00-238 Warszawa", "ul. Długa 12, 00-238 Warszawa"),
        ("Adresi: Bağdat Caddesi No: 45, 34728 Kadıköy", "Bağdat Caddesi No: 45, 34728 Kadıköy"),
        ("Живу: ул. Ленина, д. 12, кв. 5", "ул. Ленина, д. 12, кв. 5"),
        ("живу на улице Ленина, дом 5, кв. 12", "улице Ленина, дом 5, кв. 12"),
        ("she lives at 550 5th ave", "550 5th ave"),
        ("Address: 212 West 42nd street", "212 West 42nd street"),
        ("14, rue des Lilas, 31000 Toulouse", "14, rue des Lilas, 31000 Toulouse"),
        ("3 allée des Tilleuls, 59000 Lille", "3 allée des Tilleuls, 59000 Lille"),
        (
            "<td>Address</td><td>77 Copperfield Avenue, York YO1 7HH</td>",
            "77 Copperfield Avenue, York YO1 7HH",
        ),
        ("Indirizzo: Contrada Diana 25, 00175 Roma (RM)", "Contrada Diana 25, 00175 Roma (RM)"),
        ("vivo en Cuesta Ramón Pardo 71, 28013 Madrid", "Cuesta Ramón Pardo 71, 28013 Madrid"),
        (
            "deliver it to 708 Laura Courtyard, Gregoryville ACT 2963",
            "708 Laura Courtyard, Gregoryville ACT 2963",
        ),
        ("Mijn adres is Elifhof 9, 9390 SI Maashees", "Elifhof 9, 9390 SI Maashees"),
        ("Laan van Merelbeke 88, 2517 AP Den Haag", "Laan van Merelbeke 88, 2517 AP Den Haag"),
        ("Vivo en la Calle de los Olmos n.o 14, 46001 Valencia", "Calle de los Olmos n.o 14, 46001 Valencia"),
        ("C/ Jacinto 120, 3o B, 28009 Madrid", "C/ Jacinto 120, 3o B, 28009 Madrid"),
        ("Abito in Viale Tigli 12/B, 00185 Roma", "Viale Tigli 12/B, 00185 Roma"),
        ("地址是北京市朝阳区建国路88号", "北京市朝阳区建国路88号"),
        ("住所は東京都渋谷区神南1-2-3です", "東京都渋谷区神南1-2-3"),
        ("주소는 서울특별시 강남구 테헤란로 123", "서울특별시 강남구 테헤란로 123"),
        ("רחוב ביאליק 22, חיפה", "רחוב ביאליק 22, חיפה"),
        ("العنوان: شارع التحرير 14، القاهرة", "شارع التحرير 14"),
        ("10 Downing Street, London SW1A 2AA", "10 Downing Street, London SW1A 2AA"),
        ("Write to P.O. Box 1234, Austin, TX 78701", "P.O. Box 1234, Austin, TX 78701"),
    ] {
        let all = found(text);
        assert!(
            all.len() == 1 && all[0].ends_with(address.trim_start_matches(char::is_numeric)),
            "{text}: {all:?}"
        );
        assert!(all[0].contains(address) || address == all[0], "{text}: {all:?}");
    }
}

#[test]
fn streets_and_numbers_of_other_kinds_are_no_addresses() {
    for text in [
        "Wall Street crashed in 1929.",
        "In 1929 Wall Street crashed.",
        "Explain the 5 way handshake.",
        "The road to 2030 is long.",
        "Highway 61 Revisited is an album.",
        "Sesame Street first aired in 1969.",
        "10 Downing Street is famous.",
        "Top 10 Road Trips in Europe",
        "There are 3 ways to place an order.",
        "I have 2 hard drives and 4 close friends.",
        "He finished in 1st place with 20 points.",
        "Chapter 5 Court procedures",
        "We drove 300 miles along the coast road.",
        "Version 2 of the API is on the way.",
        "The 1990s were a great place to start.",
        "The Supreme Court decided 5 to 4.",
        "Take 2 steps and square the result.",
        "via Python 3 you can install it",
        "The ring 3 privilege level of a CPU",
        "Route 66 is a historic highway.",
        "Das ist der Weg 2 der Wanderung.",
        "Give me 5 reasons to close the deal by 2025.",
        "Press 1 on the Keypad 2 times.",
        "I live a 5 minute drive from work.",
        "our office is 10 minutes drive away",
        "The office has 2 hard drive bays.",
        "We deliver in a 30 mile drive.",
        "My home has a 2 car drive.",
        "send me 3 dark alley photos",
        "The office hosts 50 person court sessions.",
        "The rocket stood on Launchpad 39.",
        "Camino 3 is the best chapter of the book.",
        "We walked 30 miles through Yosemite Valley.",
        "第3号文件已经发布",
    ] {
        assert_eq!(found(text), [""; 0], "{text}");
    }
}
