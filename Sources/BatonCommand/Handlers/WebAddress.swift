import BatonCore

/// The rules for an address from another machine, before a program of this one opens it.
enum WebAddress {
    /// Returns why an address can't be opened, whatever its scheme, or nil if it can.
    static func problem(with address: String) -> String? {
        if let problem = ActivityValues.problem(with: address) { return problem }
        // RFC 3987 allows no invisible characters; a person could not see where such an address leads.
        if let hidden = address.unicodeScalars.first(where: \.isHidden) {
            return "contains the invisible character U+\(String(hidden.value, radix: 16, uppercase: true))"
        }
        if address.unicodeScalars.contains(where: \.properties.isWhitespace) { return "contains a space" }
        return nil
    }

    /// Returns why a browser may not open or pass on an address as a web page; nil if it may.
    static func pageProblem(with address: String) -> String? {
        if address.utf8.count > pageBytes { return "is longer than \(pageBytes >> 10) KiB" }
        if let problem = problem(with: address) { return problem }
        let scheme = address.prefix { $0 != ":" }.lowercased()
        guard ["http", "https"].contains(scheme), address.dropFirst(scheme.count).hasPrefix("://") else {
            return "begins with neither http:// nor https://"
        }
        let place = address.dropFirst(scheme.count + 3).prefix { !"/?#".contains($0) }
        // Browsers read `\` as `/` here, and other programs do not: they would see another host.
        if place.isEmpty || place.contains("\\") { return "names no host" }
        return place.contains("@") ? "has a user name or a password in it" : nil
    }

    /// The longest address of a page that is sent to the browsers of other machines.
    private static let pageBytes = 8 << 10

    /// Returns why a `mailto:` address can't be opened, or nil if it only starts a message.
    ///
    /// Some mail programs would attach a file of this machine to a message that somebody else addressed. Programs
    /// differ in whether they split fields before or after decoding, so only known fields may appear either way.
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
        // A line break would begin another header; only the body may have several lines.
        let breaks: Set<Unicode.Scalar> = name == "body" ? ["\n", "\r", "\t"] : []
        if value.unicodeScalars.contains(where: { $0.isControl && !breaks.contains($0) }) {
            return "has a control character in the field “\(name)” of a message"
        }
        // A program that decodes first would take this for another field.
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

/// Text in which `%41` stands for `A`.
enum PercentDecoding {
    /// Decodes a text; returns nil if it is malformed or not UTF-8.
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
    /// Whether it is one of the control characters of ASCII or Latin-1.
    fileprivate var isControl: Bool { value < 0x20 || 0x7f..<0xa0 ~= value }
}
