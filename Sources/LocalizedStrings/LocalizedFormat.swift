import Foundation

/// Inserts values into a translation.
///
/// A translation comes from a file, and its format specifiers may differ from those of the key. So each specifier is
/// checked. A number is passed to the C library only if the specifier is for that kind of number. A specifier without a
/// value is never passed, because the C library would then read wrong memory.
struct LocalizedFormat {
    let arguments: [LocalizedArgument]
    let locale: Locale
    /// Changes the text of each value before it is inserted.
    var transform: (String) -> String = { $0 }

    /// Returns the translation with the values inserted; a specifier without a value is left unchanged.
    func text(of format: String) -> String {
        var (result, next) = ("", 0)
        var rest = Substring(format)
        while let start = rest.firstIndex(of: "%") {
            result += rest[..<start]
            rest = rest[start...].dropFirst()
            if rest.first == "%" {
                result += "%"
                rest = rest.dropFirst()
                continue
            }
            guard let specifier = Self.specifier(of: rest) else {
                result += "%"
                continue
            }
            let place = specifier.place ?? next
            if specifier.place == nil { next += 1 }
            if arguments.indices.contains(place), arguments[place] != .placeholder {
                result += transform(text(of: arguments[place], specifier))
            } else {
                result += "%" + rest[..<specifier.end]
            }
            rest = rest[specifier.end...]
        }
        return result + rest
    }

    /// A format specifier after its `%`: the position of its value (`2$`), flags, width and precision, and the kind of
    /// value.
    private struct Specifier {
        /// The index of the value; nil if the specifier does not give a position.
        let place: Int?
        let options: Substring
        let kind: Character
        let end: String.Index
    }

    private static func specifier(of text: Substring) -> Specifier? {
        var rest = text
        var place: Int?
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        if rest.dropFirst(digits.count).first == "$", let number = Int(digits), number > 0 {
            place = number - 1
            rest = rest.dropFirst(digits.count + 1)
        }
        let options = rest.prefix { "0123456789.+-# '".contains($0) }
        // Long options are refused, because a width of a million characters can only be a mistake.
        guard options.count <= 8 else { return nil }
        rest = rest.dropFirst(options.count)
        let length = rest.prefix { "hlqLzjt".contains($0) }
        rest = rest.dropFirst(length.count)
        guard let kind = rest.first, "@diuxXofFeEgGaAcs".contains(kind) else { return nil }
        return Specifier(place: place, options: options, kind: kind, end: rest.dropFirst().startIndex)
    }

    private func text(of argument: LocalizedArgument, _ specifier: Specifier) -> String {
        let isReal = "fFeEgGaA".contains(specifier.kind)
        let isInteger = "diuxXo".contains(specifier.kind)
        switch argument {
        case .text(let text): return text
        case .resource(let resource): return String(localized: resource)
        case .integer(let number) where isInteger:
            return String(format: "%\(specifier.options)ll\(specifier.kind)", locale: locale, number)
        case .unsigned(let number) where isInteger:
            let kind = "di".contains(specifier.kind) ? "u" : specifier.kind
            // No locale is passed, because with a locale, Foundation on Linux writes the largest unsigned numbers as
            // negative numbers.
            return String(format: "%\(specifier.options)ll\(kind)", number)
        case .real(let number) where isReal:
            return String(format: "%\(specifier.options)\(specifier.kind)", locale: locale, number)
        case .integer(let number): return String(number)
        case .unsigned(let number): return String(number)
        case .real(let number): return String(number)
        case .placeholder: return ""
        }
    }
}
