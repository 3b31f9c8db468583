import BatonCore
import Testing

/// Queries with the answers that a person expects, written by hand from the page of the language.
@Suite struct `A query` {
    @Test(arguments: equality) func `compares whole texts without a modifier`(_ example: QueryCase) throws {
        try example.check()
    }

    @Test(arguments: wildcards) func `matches any letters with a wildcard`(_ example: QueryCase) throws {
        try example.check()
    }

    @Test(arguments: folding) func `ignores case and diacritics with the modifiers c and d`(
        _ example: QueryCase
    ) throws {
        try example.check()
    }

    @Test(arguments: words) func `with the modifier w, words must match in the same order`(
        _ example: QueryCase
    ) throws {
        try example.check()
    }

    @Test(arguments: tokens) func `with the modifier t, words may match in any order`(_ example: QueryCase)
        throws
    {
        try example.check()
    }

    @Test(arguments: numbers) func `compares numbers`(_ example: QueryCase) throws { try example.check() }

    @Test(arguments: dates) func `compares dates`(_ example: QueryCase) throws { try example.check() }

    @Test(arguments: types) func `compares each type of value`(_ example: QueryCase) throws {
        try example.check()
    }

    @Test(arguments: absent) func `does not match an item without the attribute`(_ example: QueryCase) throws
    {
        try example.check()
    }

    @Test(arguments: arrays) func `matches if any element of an array matches`(_ example: QueryCase) throws {
        try example.check()
    }

    @Test(arguments: logic) func `applies conditions by their precedence`(_ example: QueryCase) throws {
        try example.check()
    }

    @Test(arguments: anyText) func `searches all searchable text with **`(_ example: QueryCase) throws {
        try example.check()
    }

    @Test(arguments: names) func `accepts attributes by their names`(_ example: QueryCase) throws {
        try example.check()
    }

    // MARK: Texts

    private static let equality: [QueryCase] = [
        QueryCase.all(
            Item(title: "Paris"),
            [
                (#"title == "Paris""#, true), (#"title == 'Paris'"#, true), (#"title == "paris""#, false),
                (#"title == "Pari""#, false), (#"title == "Paris ""#, false), (#"title == """#, false),
                (#"title != "Paris""#, false), (#"title != "paris""#, true), (#"title != """#, true),
                (#"title=="Paris""#, true), ("\n title\t==\r\n'Paris' ", true), (#"title == "Par\is""#, true),
            ]),
        QueryCase.all(
            Item(title: ""), [(#"title == """#, true), (#"title == "*""#, true), (#"title == " ""#, false)]),
        QueryCase.all(
            Item(title: #"5" * 7' \ 2"#),
            [
                (#"title == "5\" \* 7' \\ 2""#, true), (#"title == '5" \* 7\' \\ 2'"#, true),
                (#"title == "5\" * 2""#, true), (#"title == "5\" \* 2""#, false), (#"title == "*\\*""#, true),
                (#"title == "*\**""#, true), (#"title == "*/*""#, false),
            ]),
    ].flatMap(\.self)

    private static let wildcards: [QueryCase] = [
        QueryCase.all(
            Item(title: "comparison"),
            [
                (#"title == "*""#, true), (#"title == "***""#, true), (#"title == "com*""#, true),
                (#"title == "*son""#, true), (#"title == "*par*""#, true), (#"title == "c*p*n""#, true),
                (#"title == "c**p***n""#, true), (#"title == "comparison*""#, true),
                (#"title == "*comparison""#, true), (#"title == "par*""#, false),
                (#"title == "*par""#, false),
                (#"title == "comparison*n""#, false), (#"title == "c*q*n""#, false),
                (#"title == "*n*c*""#, false),
                (#"title == "*o*o*""#, true), (#"title == "*o*o*o*""#, false), (#"title != "com*""#, false),
                (#"title != "par*""#, true), (#"title == "COM*""#, false), (#"title == "COM*"c"#, true),
                (#"title == "com?arison""#, false),
            ]),
        QueryCase.all(
            Item(title: "abab"),
            [(#"title == "ab*ab""#, true), (#"title == "aba*bab""#, false), (#"title == "*bab""#, true)]),
        QueryCase.all(
            Item(title: "Entre\u{301}e"),
            [
                (#"title == "Entrée""#, true), (#"title == "Entre*""#, false), (#"title == "Entre*"d"#, true),
                (#"title == "Entré*""#, true), ("title == \"Entre\u{301}*\"", true),
                (#"title == "*e""#, true),
                (#"title == "*ntr*e""#, true),
            ]),
    ].flatMap(\.self)

    private static let folding: [QueryCase] = [
        QueryCase.all(
            Item(title: "Frédéric"),
            [
                (#"title == "Frederic""#, false), (#"title == "Frederic"d"#, true),
                (#"title == "frederic"d"#, false),
                (#"title == "frederic"cd"#, true), (#"title == "FREDERIC"dc"#, true),
                (#"title == "frédéric"c"#, true),
                (#"title == "frederic"c"#, false), (#"title == "Fréderíc"d"#, true),
                (#"title != "frederic"cd"#, false),
                (#"title == "fred*"cd"#, true), (#"title == "*ERIC"cd"#, true),
            ]),
        QueryCase.all(
            Item(title: "Straße"),
            [
                (#"title == "STRASSE"c"#, true), (#"title == "strasse""#, false),
                (#"title == "stras*"c"#, true), (#"title == "*se"c"#, true),
            ]),
        QueryCase.all(
            Item(title: "ΟΔΟΣ"),
            [(#"title == "οδος"c"#, true), (#"title == "οδοσ"c"#, true), (#"title == "οδος""#, false)]),
        QueryCase.all(
            Item(title: "Łódź"),
            [(#"title == "lodz"cd"#, true), (#"title == "łódź"c"#, true), (#"title == "lodz"c"#, false)]),
        QueryCase.all(
            Item(title: "ガイド"),
            [
                (#"title == "カイド"cd"#, false), (#"title == "ｶﾞｲﾄﾞ"c"#, true), (#"title == "カ*"cd"#, false),
                (#"title == "ガ*""#, true),
            ]),
        QueryCase.all(Item(title: "각"), [(#"title == "가*""#, false), (#"title == "각*""#, true)]),
        QueryCase.all(Item(title: "👩‍👩‍👧 family"), [(#"title == "👩‍👩‍👧*""#, true), (#"title == "*family"w"#, true)]),
    ].flatMap(\.self)

    private static let words: [QueryCase] = [
        QueryCase.titles(
            #"title == "Paris"wc"#,
            [
                ("Paris", true), ("paris", true), ("I love Paris", true), ("paris-france.jpg", true),
                ("Comparison", false),
                ("parisian", false), ("Par is", false), ("MyParisGuide", true), ("PARISGuide", false),
            ]),
        QueryCase.titles(
            #"title == "Window"w"#,
            [
                ("MyWindowClass", true), ("Broken Window", true), ("NSWindow", false), ("Windows", false),
                ("window", false),
                ("Window2", false), ("2Window", false), ("éWindow", true), ("e\u{301}Window", true),
            ]),
        QueryCase.all(
            Item(title: "The quick brown-fox_jumps"),
            [
                (#"title == "quick brown"w"#, true), (#"title == "quick, brown"w"#, true),
                (#"title == "brown quick"w"#, false),
                (#"title == "quick fox"w"#, false), (#"title == "quick * fox"w"#, true),
                (#"title == "The * * jumps"w"#, true),
                (#"title == "* quick"w"#, true), (#"title == "brow* fox"w"#, true),
                (#"title == "brow* jumps"w"#, false),
                (#"title == "*own f*x jumps"w"#, true), (#"title == "q*x"w"#, false),
                (#"title == "*uic*"w"#, true),
                (#"title == "uic"w"#, false), (#"title == "the"w"#, false), (#"title == "the"wc"#, true),
                (#"title != "fox"w"#, false), (#"title != "cat"w"#, true), (#"title == "!"w"#, false),
                (#"title == ""w"#, false),
                (#"title == "*"w"#, true), (#"title != "!"w"#, true), (#"title == "jumps the"w"#, false),
            ]),
        QueryCase.all(
            Item(title: "MyWindowClass"),
            [
                (#"title == "MyWindow"w"#, true), (#"title == "mywindow"wc"#, true),
                (#"title == "WindowClass"w"#, true),
                (#"title == "My Class"w"#, false), (#"title == "My Window"w"#, true),
                (#"title == "My*"w"#, true),
                (#"title == "My*Class"w"#, true), (#"title == "Win*"w"#, true), (#"title == "*dow"w"#, true),
                (#"title == "*dow Class"w"#, true),
                (#"title == "indow"w"#, false),
            ]),
        QueryCase.all(
            Item(title: "東京都庁へiPhoneで行く"),
            [
                (#"title == "京都"w"#, true), (#"title == "京庁"w"#, false), (#"title == "東*庁"w"#, true),
                (#"title == "iPhone"w"#, true),
                (#"title == "へiPhoneで"w"#, true), (#"title == "iPhone 行"w"#, false),
                (#"title == "phone"wc"#, true),
                (#"title == "東*iPh*"w"#, true), (#"title == "庁iPhone"w"#, false),
            ]),
        QueryCase.all(
            Item(title: "Cafe\u{301} créme"),
            [
                (#"title == "Café"w"#, true), (#"title == "Cafe"w"#, false), (#"title == "cafe"wcd"#, true),
                (#"title == "Cafe*"w"#, false),
                (#"title == "crém*"w"#, true), (#"title == "CREM*"wcd"#, true),
            ]),
    ].flatMap(\.self)

    private static let tokens: [QueryCase] = [
        QueryCase.all(
            Item(title: "Happy Birthday, dear MyFriend"),
            [
                (#"title == "birthday happy"tc"#, true), (#"title == "happy birthday"tc"#, true),
                (#"title == "happy"t"#, false),
                (#"title == "Happy dear"t"#, true), (#"title == "happy sad"tc"#, false),
                (#"title == "birth"tc"#, false),
                (#"title == "birth*"tc"#, true), (#"title == "dear* hap*"tc"#, true),
                (#"title == "*day"tc"#, true),
                (#"title == "friend"tc"#, false), (#"title == "friend"twc"#, true),
                (#"title == "friend happy"cwdt"#, true),
                (#"title == "myfriend"tc"#, true), (#"title == "* happy"tc"#, true),
                (#"title == "happy happy"tc"#, true),
                (#"title == "?"t"#, false), (#"title == "*"t"#, true), (#"title != "happy sad"tc"#, true),
            ]),
        QueryCase.all(
            Item(title: "東京 大阪"),
            [
                (#"title == "大阪 東京"t"#, true), (#"title == "京大"t"#, true), (#"title == "阪大"t"#, false),
                (#"title == "阪 東"t"#, true),
            ]),
    ].flatMap(\.self)

    // MARK: Numbers and dates

    private static let numbers: [QueryCase] = [
        QueryCase.all(
            Item([
                .pageCount: .integer(3), .duration: .real(2.5), .userOwned: .boolean(true),
                .allDay: .integer(0),
            ]),
            [
                ("pageCount == 3", true), ("pageCount != 3", false), ("pageCount < 3", false),
                ("pageCount <= 3", true),
                ("pageCount > 3", false), ("pageCount >= 3", true), ("pageCount < 4", true),
                ("pageCount > 2", true),
                ("pageCount == 3.0", true), ("pageCount < 3.5", true), ("pageCount > 2.999", true),
                ("pageCount != 4", true),
                ("pageCount == 30e-1", true), ("pageCount == +3", true), ("pageCount == -3", false),
                ("pageCount > -1e300", true),
                ("duration == 2.5", true), ("duration == 2", false), ("duration < 3", true),
                ("duration > 2", true),
                ("duration != 2.5", false), ("duration <= 2.5", true), ("duration >= 2.6", false),
                ("duration == 25E-1", true),
                ("userOwned == 1", true), ("userOwned == 0", false), ("userOwned != 0", true),
                ("userOwned > 0", true),
                ("allDay == 0", true), ("allDay != 1", true),
                ("InRange(pageCount, 3, 5)", true), ("InRange(pageCount,1,3)", true),
                ("InRange(pageCount, 4, 5)", false),
                ("InRange(pageCount, 5, 1)", false), ("InRange ( duration , 2.5 , 2.5 )", true),
                ("InRange(pageCount, 2.5, 3.5)", true),
                (#"pageCount == "3""#, false), (#"pageCount != "3""#, true), (#"pageCount == "*""#, false),
                ("pageCount == *", true),
            ]),
        QueryCase.all(
            Item([.fileSize: .integer(9_007_199_254_740_993)]),
            [
                ("fileSize == 9007199254740993", true), ("fileSize == 9007199254740992", false),
                ("fileSize > 9007199254740992.0", true),
                ("fileSize == 9007199254740992.0", false), ("fileSize < 9223372036854775808", true),
                ("fileSize > -1e300", true),
                ("fileSize >= 1e300", false),
            ]),
        QueryCase.all(
            Item([.altitude: .real(.nan), .speed: .real(.infinity), .tempo: .real(-0.0)]),
            [
                ("altitude == 0", false), ("altitude != 0", true), ("altitude < 0", false),
                ("altitude >= 0", false),
                ("InRange(altitude, -1, 1)", false), ("speed > 1e308", true), ("tempo == 0", true),
                ("tempo < 0", false),
            ]),
    ].flatMap(\.self)

    private static let dates: [QueryCase] = QueryCase.all(
        Item([
            .dueDate: .date(iso: "2026-11-20T00:00Z"), .startDate: .date(978_307_200.25), .tempo: .real(0.25),
        ]),
        [
            ("dueDate == $time.today", true), ("dueDate < $time.today", false),
            ("dueDate <= $time.today", true),
            ("dueDate > $time.today(-1)", true), ("dueDate != $time.today", false),
            ("dueDate >= $time.now", false),
            ("dueDate == $time.now(-43200)", true), ("dueDate == $time.iso(2026-11-20)", true),
            ("dueDate == $time.iso(2026-11-20T01:00:00+01:00)", true),
            ("dueDate == $time.iso( 2026-11-20T00:00Z)", true),
            ("dueDate == 817603200", false), ("dueDate == 816825600", true), ("dueDate > 816825599.5", true),
            ("startDate == 0.25", true), ("startDate > 0", true), ("startDate < 0.25", false),
            ("startDate == $time.iso(2001-01-01T00:00:00.250Z)", true),
            ("tempo == $time.iso(2001-01-01T00:00:00.250Z)", true), ("tempo < $time.now", true),
            ("InRange(dueDate, $time.today(-10), $time.today)", true),
            ("InRange(dueDate,$time.today(1),$time.today(10))", false),
            ("InRange(dueDate, 0, $time.today(+1))", true), (#"dueDate == "2026-11-20""#, false),
            ("dueDate == *", true),
        ])

    private static let types: [QueryCase] = [
        QueryCase.all(
            Item(
                domain: "notes.work",
                [
                    .title: .dictionary([.string("en"): .string("Hello"), .string("de"): .string("Hallo")]),
                    .contentURL: .url("https://example.org/a"), .thumbnailData: .data([1, 2]),
                    .authors: .array([
                        .person("Ann Lee", handles: ["ann@example.org"]),
                        .person(nil, handles: ["bob@example.org"]),
                    ]),
                    .emailHeaders: .dictionary([
                        .string("From"): .strings(["ann"]), .string("X"): .array([.integer(5)]),
                    ]),
                    .relatedAppEntityIdentifier: .strings(["Note", "17"]),
                    .sharedItemContentType: .string("public.jpeg"),
                    .contentType: .string("public.image"),
                ]),
            [
                (#"title == "Hello""#, true), (#"title == "hallo"c"#, true), (#"title == "Salut""#, false),
                (#"title != "Hello""#, false), (#"title != "Salut""#, true),
                (#"title == "en""#, false), (#"contentURL == "https://example.org/*""#, true),
                (#"contentURL == "example"w"#, true),
                ("thumbnailData == *", true), (#"thumbnailData == "*""#, false),
                ("thumbnailData != 3", true), (#"thumbnailData != "x""#, true),
                (#"authors == "Ann Lee""#, true), (#"authors == "bob@*""#, true),
                (#"authors == "emailAddresses""#, false),
                (#"emailHeaders == "ann""#, true), ("emailHeaders == 5", true),
                (#"emailHeaders == "From""#, false),
                (#"relatedAppEntityIdentifier == "17""#, true),
                (#"sharedItemContentType == "public.*""#, true),
                (#"contentType == "public.image""#, true), (#"domainIdentifier == "notes.work""#, true),
                (#"domainIdentifier == "notes*""#, true), (#"domainIdentifier == "notes""#, false),
                ("domainIdentifier == *", true),
            ]),
        QueryCase.all(
            Item([.domainIdentifier: .string("mail"), .title: .integer(5), .pageCount: .string("many")]),
            [
                (#"domainIdentifier == "mail""#, true), ("title == 5", true), (#"title == "5""#, false),
                (#"pageCount == "many""#, true),
                ("pageCount > 0", false),
            ]),
        QueryCase.all(
            Item(domain: "new", [.domainIdentifier: .string("old")]),
            [(#"domainIdentifier == "new""#, true), (#"domainIdentifier == "old""#, false)]),
    ].flatMap(\.self)

    // MARK: Values and conditions

    private static let absent: [QueryCase] = [
        QueryCase.all(
            Item([.subject: .null], custom: ["com_x_nothing": .null]),
            [
                (#"title == "a""#, false), (#"title != "a""#, true), (#"title == "*""#, false),
                (#"title != "T*""#, true), (#"!(title == "T*")"#, true), (#"!(title != "T*")"#, false),
                ("title == *", false), ("title != *", true),
                ("pageCount < 1", false), ("pageCount > 1", false), ("pageCount <= 1", false),
                ("pageCount >= 1", false), ("pageCount != 1", true),
                ("InRange(pageCount, -1e300, 1e300)", false), ("dueDate < $time.now", false),
                ("dueDate != $time.now", true),
                (#"!(title == "a")"#, true), (#"!(title != "a")"#, false), ("!title == *", true),
                (#"** == "*""#, false), ("** == *", false),
                (#"subject != "a""#, true), ("subject == *", false), ("com_x_nothing == *", false),
                ("com_x_nothing != 1", true),
                ("com_x_other != 1", true), (#"domainIdentifier != "a""#, true),
            ]),
        QueryCase.all(
            {
                var item = Item()
                item.attributes[.title] = .sealed(
                    SealedValue(key: SealKeyIdentifier(high: 1, low: 2), box: [1]))
                return item
            }(), [("title == *", false), (#"title != "a""#, true), (#"** == "*""#, false)]),
    ].flatMap(\.self)

    private static let arrays: [QueryCase] = QueryCase.all(
        Item(
            [
                .keywords: .strings(["red", "Green", "deep blue"]),
                .importantDates: .array([.date(iso: "2026-11-19"), .date(iso: "2026-12-01")]),
                .authorNames: .strings([]), .alternateNames: .array([.string("a"), .integer(4)]),
            ],
            custom: [
                "com_x_scores": .array([.integer(3), .real(7.5), .null]),
                "com_x_mixed": .array([.string("x"), .integer(1)]),
            ]),
        [
            (#"keywords == "red""#, true), (#"keywords == "green"c"#, true), (#"keywords == "blue""#, false),
            (#"keywords == "blue"w"#, true),
            (#"keywords == "red Green"t"#, false), (#"keywords != "red""#, false),
            (#"!(keywords == "red")"#, false), (#"keywords == "r*n""#, false),
            ("importantDates < $time.today", true), ("importantDates > $time.today", true),
            ("InRange(importantDates, $time.today, $time.today(5))", false),
            ("importantDates == $time.today(11)", true), ("com_x_scores == 3", true),
            ("com_x_scores > 7", true), ("InRange(com_x_scores, 4, 7)", false),
            ("com_x_scores > 4 && com_x_scores < 4", true), ("com_x_scores > 8", false),
            (#"com_x_mixed == "x""#, true), ("com_x_mixed == 1", true),
            (#"com_x_mixed != "x""#, false), ("com_x_mixed != 1", false), (#"authorNames != "a""#, true),
            ("authorNames == *", false),
            ("alternateNames == 4", true), ("keywords == *", true),
        ])

    private static let logic: [QueryCase] = QueryCase.all(
        Item([.title: .string("a"), .pageCount: .integer(1)]),
        [
            ("*", true), ("!*", false), (#"title == "a" && pageCount == 1"#, true),
            (#"title == "a" && pageCount == 2"#, false),
            (#"title == "b" || pageCount == 1"#, true), (#"title == "b" || pageCount == 2"#, false),
            // (a) || (b && c)
            (#"title == "a" || title == "b" && pageCount == 2"#, true),
            (#"pageCount == 2 && title == "b" || title == "a""#, true),
            (#"(title == "a" || title == "b") && pageCount == 2"#, false),
            (#"title == "b" && pageCount == 2 || pageCount == 3 && *"#, false),
            ("!pageCount == 2", true), (#"!pageCount == 1 || title == "a""#, true),
            (#"!(pageCount == 1 || title == "a")"#, false),
            ("!!pageCount == 1", true), ("! ! ! (pageCount == 1)", false), ("((((pageCount==1))))", true),
            ("pageCount==1&&pageCount<2&&pageCount>0", true),
            ("pageCount==2||pageCount==3||pageCount==1", true), (#"title=="a"c&&pageCount==1"#, true),
            ("!pageCount == 2 && !pageCount == 3", true),
        ])

    private static let anyText: [QueryCase] = QueryCase.all(
        Item(
            [
                .title: .string("Invoice 17"), .textContent: .string("Payment for the new garden house"),
                .keywords: .strings(["tax", "2026"]),
                .path: .string("/home/secret.pdf"), .pageCount: .integer(17),
                .authors: .array([.person("Ann", handles: ["ann@example.org"])]),
                .contentDescription: .integer(99), .theme: .dictionary([.string("x"): .strings(["hidden"])]),
            ], custom: ["com_x_note": .string("private")]),
        [
            (#"** == "garden"w"#, true), (#"** == "*garden*""#, true), (#"**=="tax""#, true),
            (#"** == "GARDEN*"cwd"#, true),
            (#"** == "secret*""#, false), (#"** == "*secret*""#, false), (#"** == "17"w"#, true),
            (#"** == "Ann""#, true),
            (#"** == "ann@*""#, true), (#"** == "private""#, false), (#"** == "hidden""#, false),
            (#"** == "invoice garden"tc"#, false),
            (#"** != "tax""#, false), (#"!(** == "tax")"#, false), ("** == *", true), ("** != *", false),
        ])

    private static let names: [QueryCase] = QueryCase.all(
        Item(
            [.url: .url("https://a.b"), .isoSpeed: .integer(400), .title: .string("t")],
            custom: [
                "com_x_level": .integer(9), "title": .string("own"), "7up": .integer(7),
                "InRange": .integer(1), "c": .integer(3),
            ]),
        [
            (#"url == "https*""#, true), (#"URL == "https*""#, true), ("isoSpeed == 400", true),
            ("ISOSpeed == 400", true), ("com_x_level == 9", true),
            ("com_x_level > 9", false), (#"title == "own""#, false), (#"title == "t""#, true),
            ("7up == 7", true), ("InRange == 1", true),
            ("InRange(InRange, 1, 1)", true), ("c == 3", true), (#"Title == "t""#, false),
        ])
}
