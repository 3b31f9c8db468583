import BatonCore
import Foundation
package import UniformTypeIdentifiers

/// Reads the value of a parameter from a text of a shell.
///
/// Most kinds read texts themselves. This type adds what only a shell has: paths, the standard input, words for days,
/// and numbers that stand right before their unit.
package struct ValueText {
    /// The kind of a single value.
    package let form: _IntentValueForm
    /// The currencies that the parameter allows; empty if all are.
    package var currencies: [String]
    /// The types of files that the parameter allows; empty if all are.
    package var contentTypes: [UTType] = []
    /// The time by which words such as `tomorrow` are understood.
    package var now = Date()
    /// Reads the standard input, for a file named `-`.
    package var readInput: @Sendable () throws -> Data = {
        try FileHandle.standardInput.readToEnd() ?? Data()
    }

    package init(form: _IntentValueForm, currencies: [String] = []) {
        (self.form, self.currencies) = (form, currencies)
    }

    /// Returns the value for the texts of a parameter.
    package func content(of texts: [String], isList: Bool) throws -> _IntentValueContent {
        guard isList else { return try content(of: texts.first ?? "") }
        // One empty text is the way to write an empty list.
        return .list(try texts == [""] ? [] : texts.map { try content(of: $0) })
    }

    /// Returns the value for one text.
    package func content(of text: String) throws -> _IntentValueContent {
        switch form {
        case .file: return try file(text)
        case .date, .components: return date(text) ?? .text(text)
        case .measurement: return .text(spaced(text) ?? text)
        case .money: return .text(money(text))
        case .url: return url(text)
        default: return .text(text)
        }
    }

    // MARK: Files and addresses

    private func file(_ text: String) throws -> _IntentValueContent {
        if text == "-" {
            // Only a name tells the type of a file. The person knows which one the intent takes.
            let type = contentTypes.first?.identifier
            return .file(name: "input", type: type, url: nil, data: try readInput())
        }
        let place = URL(fileURLWithPath: path(text))
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder) else {
            throw LocalFailure(
                .notFound, "There is no file \(text). Give the path of one, or - for the standard input.")
        }
        guard !isFolder.boolValue else {
            throw LocalFailure(.usage, "\(text) is a folder. Give the path of a file.")
        }
        // `IntentFile.data` can't fail, so an intent would go on with an empty file.
        guard FileManager.default.isReadableFile(atPath: place.path) else {
            throw LocalFailure(
                .notAllowed, "\(text) can't be read. Give the path of a file that you may read.")
        }
        let type = UTType(filenameExtension: place.pathExtension)?.identifier
        return .file(name: place.lastPathComponent, type: type, url: place, data: nil)
    }

    /// Returns the address in a text, or that of a file which exists.
    private func url(_ text: String) -> _IntentValueContent {
        if text.contains("://") || text.hasPrefix("mailto:") || text.hasPrefix("tel:") { return .text(text) }
        let path = path(text)
        return FileManager.default.fileExists(atPath: path) ? .url(URL(fileURLWithPath: path)) : .text(text)
    }

    /// Returns a path with the person's home folder in place of `~`, which shells leave after `=`.
    private func path(_ text: String) -> String {
        text == "~" || text.hasPrefix("~/") ? NSHomeDirectory() + text.dropFirst() : text
    }

    // MARK: Times

    /// Returns the date for words such as `now`, `tomorrow` and `tomorrow 14:30`; nil for other texts.
    private func date(_ text: String) -> _IntentValueContent? {
        let words = text.lowercased().split(separator: " ")
        if words == ["now"] { return .date(now) }
        let days: [Substring: Int] = ["yesterday": -1, "today": 0, "tomorrow": 1]
        guard let first = words.first, let days = days[first], words.count <= 2,
            let day = Calendar.current.date(
                byAdding: .day, value: days, to: Calendar.current.startOfDay(for: now))
        else { return nil }
        guard words.count == 2 else { return .date(day) }
        guard let time = DateText.time(String(words[1])) else { return nil }
        return Calendar.current.date(
            bySettingHour: time.hour ?? 0, minute: time.minute ?? 0, second: time.second ?? 0, of: day
        ).map { .date($0) }
    }

    // MARK: Numbers with units

    /// Returns a text with a space between the number and what follows it; nil if it does not begin with a number.
    private func spaced(_ text: String) -> String? {
        let text = text.trimmingCharacters(in: .whitespaces)
        let number = text.prefix { $0.isNumber || "+-.eE".contains($0) }
        // In `5 eV`, the unit begins with a letter of numbers.
        var end = number.endIndex
        while end > text.startIndex, Double(text[..<end]) == nil { end = text.index(before: end) }
        guard end > text.startIndex else { return nil }
        let unit = text[end...].trimmingCharacters(in: .whitespaces)
        return unit.isEmpty ? String(text[..<end]) : "\(text[..<end]) \(unit)"
    }

    /// Returns an amount as `12.50 EUR`, also from `12.50EUR` and `EUR 12.50`, and without a currency if only one is
    /// allowed.
    private func money(_ text: String) -> String {
        let text = text.trimmingCharacters(in: .whitespaces)
        let code = text.prefix(3)
        if code.count == 3, code.allSatisfy(\.isLetter) {
            return "\(text.dropFirst(3).trimmingCharacters(in: .whitespaces)) \(code)"
        }
        guard let spaced = spaced(text) else { return text }
        guard !spaced.contains(" "), currencies.count == 1 else { return spaced }
        return "\(spaced) \(currencies[0])"
    }
}
