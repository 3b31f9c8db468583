package import BatonCore

/// A permanent link to an item or an activity, which works on all of the person's machines: `baton://…`.
///
/// A link may come from anywhere. So the parser accepts only what this program would write: letters, digits and signs
/// that need no escape, and escapes of all other bytes. No part of a link becomes part of a command.
package enum ContentLink: Equatable, Sendable {
    /// `baton://item/APP/INDEX/ID`.
    case item(ItemName)
    /// `baton://activity/APP/TYPE/MARK/VALUE`.
    case activity(app: String, type: String, property: LinkedProperty)

    private static let scheme = "baton://"
    /// The maximum length of a link in bytes.
    package static let mostBytes = 16 << 10

    /// Parses a link.
    ///
    /// The failure that it throws says what is wrong with the link.
    package init(_ text: String) throws(LocalFailure) {
        guard text.utf8.count <= Self.mostBytes else {
            throw Self.failure("it is longer than \(Self.mostBytes >> 10) KiB")
        }
        guard text.prefix(Self.scheme.count).lowercased() == Self.scheme else {
            throw Self.failure("it does not begin with \(Self.scheme)")
        }
        var parts: [String] = []
        for part in text.utf8.dropFirst(Self.scheme.utf8.count).split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            parts.append(try Self.decoded(part))
        }
        switch (parts.first?.lowercased(), parts.count) {
        case ("item", 4):
            self = .item(ItemName(app: parts[1], index: parts[2], identifier: parts[3]))
        case ("activity", 5):
            guard let kind = LinkedProperty.Kind(rawValue: parts[3]) else {
                throw Self.failure("only a newer version knows how it names an activity")
            }
            self = .activity(app: parts[1], type: parts[2], property: LinkedProperty(kind, parts[4]))
        default: throw Self.failure("it names neither an item nor an activity")
        }
    }

    /// The link as text.
    ///
    /// It consists of letters, digits and signs that are not special for any shell or program. Throws if a part of the
    /// link may not be sent on, or if the link would be too long.
    package func text() throws(LocalFailure) -> String {
        let parts: [String] =
            switch self {
            case .item(let name): ["item", name.app, name.index, name.identifier]
            case .activity(let app, let type, let property):
                ["activity", app, type, property.kind.rawValue, property.value]
            }
        for part in parts { try Self.check(part) }
        let text = Self.scheme + parts.map(Self.encoded).joined(separator: "/")
        guard text.utf8.count <= Self.mostBytes else {
            throw LocalFailure(
                .failed, "The link would be longer than \(Self.mostBytes >> 10) KiB, so there is none.")
        }
        return text
    }

    // MARK: Parts

    private static func decoded(_ part: Substring.UTF8View) throws(LocalFailure) -> String {
        var (bytes, rest): ([UInt8], Substring.UTF8View) = ([], part)
        while let byte = rest.popFirst() {
            if isPlain(byte) {
                bytes.append(byte)
                continue
            }
            guard byte == UInt8(ascii: "%"), let high = rest.popFirst().flatMap(hexDigit),
                let low = rest.popFirst().flatMap(hexDigit)
            else { throw failure("it has a character that must be written as %XX") }
            bytes.append(high << 4 | low)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw failure("its escapes are not text")
        }
        try check(text)
        return text
    }

    private static func check(_ part: String) throws(LocalFailure) {
        guard !part.isEmpty else { throw failure("a part of it is empty") }
        if let problem = ActivityValues.problem(with: part) { throw failure("a part of it \(problem)") }
    }

    private static func encoded(_ part: String) -> String {
        var bytes: [UInt8] = []
        for byte in part.utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Whether a byte needs no escape in any part of an address.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Creates the failure for a link that can't be used.
    ///
    /// The failure does not contain the link, because the link may be long, and anyone may have written it.
    private static func failure(_ reason: String) -> LocalFailure {
        LocalFailure(
            .usage,
            "This is not a link of Baton: \(reason).\n`baton link` prints links; copy the whole line.")
    }
}

/// The property by which a link finds an activity.
///
/// The property stays the same when the activity ends and is started again.
package struct LinkedProperty: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// The identifier that the app gave the activity to find it after it was saved.
        case persistent
        /// The identifier that the app gave the content of the activity.
        case target
        /// The address of a web page with the same content.
        case page
    }

    package let kind: Kind
    package let value: String

    package init(_ kind: Kind, _ value: String) { (self.kind, self.value) = (kind, value) }

    /// Chooses the best property that an activity has; nil if it has none of them.
    package init?(_ activity: Activity) {
        for kind in Kind.allCases {
            guard let value = kind.value(of: activity), !value.isEmpty else { continue }
            self.init(kind, value)
            return
        }
        return nil
    }

    /// Whether an activity has exactly this value as the property.
    package func isOn(_ activity: Activity) -> Bool {
        kind.value(of: activity).map { $0.utf8.elementsEqual(value.utf8) } ?? false
    }
}

extension LinkedProperty.Kind {
    fileprivate func value(of activity: Activity) -> String? {
        switch self {
        case .persistent: activity.persistentIdentifier
        case .target: activity.targetContentIdentifier
        case .page: activity.webpage
        }
    }
}
