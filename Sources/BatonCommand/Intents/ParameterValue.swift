import BatonClient
import BatonCore

/// Reads the value of an intent's parameter from texts that a person typed.
///
/// The value is the JSON that a program gets: numbers and truth values as such, and everything else as a text.
struct ParameterValue {
    private let parameter: DeclaredParameter
    private let app: IntentManifest

    /// Reads values of a parameter that the app has declared.
    init(_ parameter: DeclaredParameter, in app: IntentManifest) {
        (self.parameter, self.app) = (parameter, app)
    }

    /// Returns the value for texts, of which there may be several only for a list; without a text there is no value.
    func read(_ texts: [String], at present: PresentTime) throws(LocalFailure) -> JSON {
        guard parameter.type.isList else {
            guard texts.count <= 1 else {
                throw LocalFailure(.usage, "--\(parameter.name) takes one value.")
            }
            return try texts.first.map { (text) throws(LocalFailure) in try single(text, at: present) }
                ?? .null
        }
        // One empty text is the way to write an empty list.
        guard texts != [""] else { return .array([]) }
        return .array(try texts.map { (text) throws(LocalFailure) in try single(text, at: present) })
    }

    private func single(_ text: String, at present: PresentTime) throws(LocalFailure) -> JSON {
        switch parameter.type.kind {
        case .integer:
            guard let number = Int64(text), isInRange(Double(number)) else {
                throw wrong(text, "a whole number")
            }
            return .integer(number)
        case .real:
            guard let number = Double(text), number.isFinite, isInRange(number) else {
                throw wrong(text, "a number")
            }
            return .real(number)
        case .date:
            guard let time = WallTime(iso: Self.dated(text, at: present), offset: present.offset) else {
                throw wrong(text, "a date, such as 2026-11-20, 2026-11-20 14:30 or tomorrow")
            }
            return .string(CivilTime(time).text)
        case .flag:
            return .boolean(try IntentArguments.checked(text, of: parameter, in: app) == "true")
        default:
            return .string(try IntentArguments.checked(text, of: parameter, in: app))
        }
    }

    /// Returns a text in which a date stands in place of the words `now`, `yesterday`, `today` and `tomorrow`.
    private static func dated(_ text: String, at present: PresentTime) -> String {
        let words = text.lowercased().split(separator: " ", maxSplits: 1)
        if words == ["now"] { return CivilTime(present.now).text }
        let days: [Substring: Int64] = ["yesterday": -1, "today": 0, "tomorrow": 1]
        guard let first = words.first, let shift = days[first] else { return text }
        var noon = present.civil
        noon.hour = 12
        let date = CivilTime(noon.wallTime().advanced(by: .seconds(shift * 86_400))).date
        return words.count > 1 ? "\(date) \(words[1])" : date
    }

    private func isInRange(_ number: Double) -> Bool {
        guard let range = parameter.range, let least = Double(range.least),
            let greatest = Double(range.greatest)
        else { return true }
        return least <= number && number <= greatest
    }

    private func wrong(_ text: String, _ what: String) -> LocalFailure {
        let range = parameter.range.map { " from \($0.least) to \($0.greatest)" } ?? ""
        return LocalFailure(
            .usage, "--\(parameter.name) can't be “\(VisibleText(text).text)”. Use \(what)\(range).")
    }
}
