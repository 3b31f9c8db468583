/// The place of a record, by which a clear finds it: a path of texts, outermost text first.
///
/// The first part is the app. The parts of an indexed item are the app, `items`, the index, and the parts of the
/// domain. The parts of a saved activity are the app, `activities`, and the parts of the domain. The parts of the
/// description of a type of entities are the app and `entities`. No clear ends a record that has an empty scope.
package struct Scope: Hashable, Sendable {
    /// The parts, each encoded as CBOR text.
    ///
    /// Each part begins with its length. So a scope lies within another scope if and only if its bytes begin with the
    /// bytes of the other scope.
    package let encoded: [UInt8]
    /// The number of parts.
    package let count: Int

    package init(_ parts: [String] = []) {
        var writer = CBORWriter()
        for part in parts { writer.text(part) }
        (encoded, count) = (writer.bytes, parts.count)
    }

    private init(encoded: [UInt8], count: Int) { (self.encoded, self.count) = (encoded, count) }

    /// Reads a scope from its encoded parts.
    package init(encoded: [UInt8]) throws(CBORError) {
        var (reader, count) = (CBORReader(encoded), 0)
        while reader.nextType == .text {
            try reader.skip()
            count += 1
        }
        try reader.end()
        self.init(encoded: encoded, count: count)
    }

    /// The empty scope; no clear ends a record that has this scope.
    package static let none = Scope()

    /// Returns the scope of an index of an app, or of a domain in that index.
    ///
    /// The parts of a domain are separated by dots.
    package static func items(app: String, index: String, domain: String? = nil) -> Scope {
        Scope([app, "items", index] + parts(domain))
    }

    /// Returns the scope of the descriptions of an app's types of entities.
    package static func entityTypes(app: String) -> Scope { Scope([app, "entities"]) }

    /// Returns the scope of everything that belongs to an app.
    package static func app(_ app: String) -> Scope { Scope([app]) }

    /// Returns the scope of the saved activities of an app, or of a domain of these activities.
    package static func activities(app: String, domain: String? = nil) -> Scope {
        Scope([app, "activities"] + parts(domain))
    }

    /// Returns the parts that a domain has in a scope.
    package static func parts(_ domain: String?) -> [String] {
        // The domain is split at bytes and not at characters. So a dot separates parts even if a combining accent
        // follows it. If there are more parts than a scope can have, the last part of the scope has all remaining ones.
        domain.map { domain in
            domain.utf8.split(
                separator: UInt8(ascii: "."), maxSplits: domainPartsMost - 1, omittingEmptySubsequences: false
            ).map { String(Substring($0)) }
        } ?? []
    }

    /// The largest number of bytes that all encoded parts may have together.
    package static let bytesMost = 1024
    /// The largest number of parts; a clear may have the scope of each level.
    package static let partsMost = 64
    /// The largest number of parts that a domain may have.
    ///
    /// The app, the area and the index take three of `partsMost`.
    private static let domainPartsMost = partsMost - 3

    package var isEmpty: Bool { count == 0 }

    /// Whether this scope is within the limits, so that a receiver can read it.
    var isWithinLimits: Bool { count <= Self.partsMost && encoded.count <= Self.bytesMost }

    /// Whether this scope equals another scope, or lies within it.
    package func isWithin(_ other: Scope) -> Bool {
        count >= other.count && encoded.starts(with: other.encoded)
    }

    /// Returns those scopes around this scope, and this scope itself, that have one of these numbers of parts;
    /// outermost first.
    package func outward(_ counts: Set<Int>) -> [Scope] {
        var (scopes, reader): ([Scope], CBORReader) = ([], CBORReader(encoded))
        for number in 0..<count {
            // This type has encoded the bytes itself, or it has checked them when it read them. So skipping can't fail.
            do throws(CBORError) { try reader.skip() } catch {
                preconditionFailure("a scope holds texts: \(error)")
            }
            guard counts.contains(number + 1) else { continue }
            scopes.append(Scope(encoded: Array(encoded[..<reader.offset]), count: number + 1))
        }
        return scopes
    }

    /// The decoded texts of the parts.
    package var parts: [String] {
        var (parts, reader): ([String], CBORReader) = ([], CBORReader(encoded))
        for _ in 0..<count {
            do throws(CBORError) { parts.append(try reader.text()) } catch {
                preconditionFailure("a scope holds texts: \(error)")
            }
        }
        return parts
    }

    /// The length of the encoding in bytes.
    package var encodedCount: Int { CBORWriter.headCount(UInt64(count)) + encoded.count }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: count)
        writer.encoded(encoded)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        count = try reader.arrayCount(upTo: Self.partsMost)
        var encoded: [UInt8] = []
        for _ in 0..<count {
            guard reader.nextType == .text else { throw CBORError(.unexpectedType, at: reader.offset) }
            encoded.append(contentsOf: try reader.encoded())
        }
        guard encoded.count <= Self.bytesMost else { throw CBORError(.outOfRange, at: start) }
        self.encoded = encoded
    }
}

extension Scope {
    /// Returns the key of the clear that deletes everything in this scope of a lane.
    package func clearKey(in lane: Lane) -> RecordKey {
        var writer = CBORWriter()
        encode(to: &writer)
        return RecordKey(kind: .clear(in: lane), name: writer.bytes)
    }

    /// Reads the scope of a clear from the clear's key.
    package init(clear key: RecordKey) throws(CBORError) {
        self = try CBORReader.whole(key.name[...]) { (reader) throws(CBORError) in try Scope(from: &reader) }
    }
}
