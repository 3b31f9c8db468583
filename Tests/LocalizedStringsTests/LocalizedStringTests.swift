import Foundation
import LocalizedStrings
import Support
import Testing

/// A folder with translations into English and French.
private struct Translations {
    let folder: TemporaryFolder
    let bundle: Bundle

    init(_ french: String) throws {
        folder = try TemporaryFolder()
        for (language, text) in [("en", "\"title\" = \"Notes\";"), ("fr", french)] {
            let path = "\(folder.path)/\(language).lproj"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/Localizable.strings"))
            try Data("\"title\" = \"other \(language)\";".utf8)
                .write(to: URL(fileURLWithPath: "\(path)/Other.strings"))
        }
        bundle = try #require(Bundle(path: folder.path))
    }

    func french(
        _ value: String.LocalizationValue, table: String? = nil, locale: String = "fr"
    ) -> String {
        let resource = LocalizedStringResource(
            value, table: table, locale: Locale(identifier: locale), bundle: .atURL(bundle.bundleURL))
        return String(localized: resource)
    }
}

@Suite struct `A localized string` {
    private let english = Locale(identifier: "en_US")

    @Test func `without a translation is its own text with the values inserted`() {
        let (count, name, share) = (3, "Anna", 0.5)
        #expect(String(localized: "Hello") == "Hello" && String(localized: "100 % sure") == "100 % sure")
        #expect(String(localized: "\(count) of \(name)", locale: english) == "3 of Anna")
        #expect(String(localized: "\(share, specifier: "%.1f") %", locale: english) == "0.5 %")
        #expect(String(localized: "\(UInt8(7)) \(Int32(-7)) \(UInt.max)") == "7 -7 18446744073709551615")
        #expect(String(localized: "\(name) has %@ and 5%\(count)") == "Anna has %@ and 5%3")
        #expect(String(localized: "key", defaultValue: "Hello \(name)") == "Hello Anna")
        #expect(String(localized: "key", table: "Other", comment: "a note") == "key")
    }

    @Test func `is looked up by the same key as on Apple's systems`() throws {
        let translations = try Translations(
            """
            "%lld of %@ (%lf)" = "%2$@: %1$lld";
            "100%% of %llu" = "tout: %llu";
            "%.2f" = "%.1f";
            "%d %u %f" = "%d,%u,%.0f";
            """)
        #expect(translations.french("\(3) of \("Anna") (\(1.5))") == "Anna: 3")
        #expect(translations.french("100% of \(UInt(9))") == "tout: 9")
        #expect(translations.french("\(0.25, specifier: "%.2f")") == "0,2")
        #expect(translations.french("\(Int8(-1)) \(UInt16(2)) \(Float(3))") == "-1,2,3")
    }

    @Test func `is looked up in the given table and language`() throws {
        let translations = try Translations("\"title\" = \"Carnet\"; \"%@ left\" = \"reste %@\";")
        #expect(
            translations.french("title") == "Carnet"
                && translations.french("title", locale: "fr_CA") == "Carnet")
        #expect(translations.french("title", table: "Other") == "other fr")
        #expect(translations.french("title", locale: "en") == "Notes")
        #expect(translations.french("unknown") == "unknown")
        #expect(translations.french("\(LocalizedStringResource("1 of \(2)")) left") == "reste 1 of 2")
    }

    @Test(arguments: [
        ("%s", "3"), ("%@", "3"), ("%f", "3"), ("%lld %lld", "3 %lld"), ("%2$@", "%2$@"), ("%", "%"),
        ("%n", "%n"),
        ("%*d", "%*d"), ("%999999999d", "%999999999d"), ("%#@count@", "3"), ("%5lld|", "    3|"),
        ("%0$@", "%0$@"),
    ]) func `with a translation whose formats differ from the key's is formatted without a crash`(
        format: String, text: String
    )
        throws
    {
        let translations = try Translations("\"%lld\" = \"\(format)\";")
        #expect(translations.french("\(3)") == text)
    }
}

@Suite struct `A localized resource` {
    @Test func `survives encoding`() throws {
        var resource = LocalizedStringResource(
            "greeting",
            defaultValue: "Hello \("Anna"), \(3), \(UInt(4)), \(1.5), \(LocalizedStringResource("x"))",
            table: "Table", locale: Locale(identifier: "fr"), bundle: .atURL(URL(fileURLWithPath: "/tmp")))
        let back = try JSONDecoder().decode(
            LocalizedStringResource.self, from: JSONEncoder().encode(resource))
        #expect(back == resource && back.key == "greeting" && back.table == "Table")
        resource.locale = Locale(identifier: "de")
        #expect(back != resource && String(localized: resource).hasPrefix("Hello Anna, 3, 4, 1,5"))
        let literal: LocalizedStringResource = "Hello"
        let main = try JSONDecoder().decode(LocalizedStringResource.self, from: JSONEncoder().encode(literal))
        #expect(main == literal && main.bundle == .main && main.localizedStringResource == literal)
    }

    @Test func `can be made from a literal or an interpolation`() {
        let (literal, interpolated): (LocalizedStringResource, LocalizedStringResource) = (
            "Hello", "\(2) of \("a")"
        )
        #expect(literal.key == "Hello" && interpolated.key == "%lld of %@")
        #expect(String(localized: interpolated) == "2 of a")
        #expect(LocalizedStringResource("k", defaultValue: "v", bundle: .forClass(NSString.self)).key == "k")
    }
}
