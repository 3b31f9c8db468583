import Foundation
import LocalizedStrings
import Testing

@Suite struct `A placeholder in a localized string` {
    private let format: LocalizedStringResource = "\(placeholder: .int) of \(placeholder: .object)"

    @Test func `is a part of the key with the format of its kind`() {
        let all: LocalizedStringResource = """
            \(placeholder: .int) \(placeholder: .uint) \(placeholder: .float) \(placeholder: .double) \
            \(placeholder: .object) \(placeholder: .double, specifier: "%.1f")
            """
        #expect(all.key == "%lld %llu %f %lf %@ %.1f")
        #expect(String(localized: all) == all.key)
    }

    @Test func `gets its value from the options`() {
        var options = String.LocalizationOptions()
        #expect(String(localized: format, options: options) == "%lld of %@")
        options.replacements = [3]
        #expect(String(localized: format, options: options) == "3 of %@")
        options.replacements = [3, "Anna" as NSString, 4]
        #expect(String(localized: format, options: options) == "3 of Anna")
        #expect(
            String(
                localized: "\("a"): \(placeholder: .double, specifier: "%.1f") \(7)", options: options,
                locale: Locale(identifier: "en_US")) == "a: 3 7")
        options.replacements = [2.25]
        #expect(
            String(
                localized: "\(placeholder: .double, specifier: "%.1f")", options: options,
                locale: Locale(identifier: "en_US")) == "2.2")
    }

    @Test func `survives encoding`() throws {
        let back = try JSONDecoder().decode(
            LocalizedStringResource.self, from: JSONEncoder().encode(format))
        #expect(back == format)
    }
}
