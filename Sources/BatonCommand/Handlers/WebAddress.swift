import BatonCore

/// Checks an address from another machine before a program of this machine opens it.
enum WebAddress {
    /// Returns the reason why an address with any scheme can't be opened, or nil if it can be.
    static func problem(with address: String) -> String? {
        if let problem = ActivityValues.problem(with: address) { return problem }
        // RFC 3987 allows no invisible characters. They could hide from a person where the address leads.
        if let hidden = address.unicodeScalars.first(where: \.isHidden) {
            return "contains the invisible character U+\(String(hidden.value, radix: 16, uppercase: true))"
        }
        if address.unicodeScalars.contains(where: \.properties.isWhitespace) { return "contains a space" }
        return nil
    }

    /// Returns the reason why an address may not be opened or sent as a web page, or nil if it may be.
    static func pageProblem(with address: String) -> String? {
        if address.utf8.count > pageBytes { return "is longer than \(pageBytes >> 10) KiB" }
        if let problem = problem(with: address) { return problem }
        let scheme = address.prefix { $0 != ":" }.lowercased()
        guard ["http", "https"].contains(scheme), address.dropFirst(scheme.count).hasPrefix("://") else {
            return "begins with neither http:// nor https://"
        }
        let place = address.dropFirst(scheme.count + 3).prefix { !"/?#".contains($0) }
        // Browsers read `\` as `/` at this place, and other programs don't. So they would disagree about the host.
        if place.isEmpty || place.contains("\\") { return "names no host" }
        return place.contains("@") ? "has a user name or a password in it" : nil
    }

    /// The maximum length in bytes of the address of a web page.
    private static let pageBytes = 8 << 10

    /// Returns the reason why a `mailto:` address can't be opened, or nil if it can only begin a message.
    ///
    /// An address could make some mail programs attach a file of this machine to a message that is sent to a stranger.
    /// Some programs split the address into fields before they decode the escapes, and others do so afterwards. So both
    /// readings may contain only known fields.
    static func messageProblem(with address: String) -> String? {
        let rest = address.drop { $0 != ":" }.dropFirst()
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let recipients = PercentDecoding.text(parts[0]) else { return undecodable }
        if recipients.unicodeScalars.contains(where: { $0 == "?" || $0 == "&" || $0.isControl }) {
            return "has message fields among its recipients"
        }
        guard parts.count > 1 else { return nil }
        for field in parts[1].split(separator: "&") {
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentDecoding.text(pair[0]),
                let value = PercentDecoding.text(pair.count > 1 ? pair[1] : "")
            else { return undecodable }
            if let problem = problem(withField: name.lowercased(), value) { return problem }
        }
        return nil
    }

    /// The message fields that an address may fill in.
    private static let fields: Set<String> = ["to", "cc", "bcc", "subject", "body"]

    private static let undecodable = "is not encoded correctly"

    private static func problem(withField name: String, _ value: String) -> String? {
        guard fields.contains(name) else {
            return "fills in the field “\(ActivityValues.shown(name))” of a message, which is not allowed"
        }
        // A line break in a field would begin another header. Only the body may have several lines.
        let breaks: Set<Unicode.Scalar> = name == "body" ? ["\n", "\r", "\t"] : []
        if value.unicodeScalars.contains(where: { $0.isControl && !breaks.contains($0) }) {
            return "has a control character in the field “\(name)” of a message"
        }
        // A program that decodes the escapes before it splits the address would read this as another field.
        for piece in value.split(whereSeparator: { $0 == "&" || $0 == "?" }).dropFirst() {
            guard let sign = piece.firstIndex(of: "=") else { continue }
            let hidden = piece[..<sign].lowercased()
            guard fields.contains(hidden) else {
                return
                    "fills in the field “\(ActivityValues.shown(hidden))” of a message, which is not allowed"
            }
        }
        return nil
    }
}

/// Decodes text with escapes such as `%41`, which means `A`.
enum PercentDecoding {
    /// Decodes a text; returns nil if an escape is malformed or the result is not UTF-8.
    static func text(_ encoded: Substring) -> String? {
        var (bytes, rest): ([UInt8], Substring.UTF8View) = ([], encoded.utf8)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control character of ASCII or Latin-1.
    fileprivate var isControl: Bool { value < 0x20 || 0x7f..<0xa0 ~= value }
}
