/// The place of a record for clears: a path of texts, from the outermost to the innermost.
///
/// The first part is the app. An app's indexed items have the parts app, `items`, index, and the parts of the domain;
/// its saved activities have app, `activities`, and the parts of the domain. A record with an empty scope can't be
/// cleared.
package struct Scope: Hashable, Sendable {
    /// The parts, each encoded as CBOR text.
    ///
    /// Each part starts with its length, so a scope lies within another if and only if its bytes begin with the
    /// other's.
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

    /// The empty scope of records that can't be cleared.
    package static let none = Scope()

    /// Returns the scope of an app's index, or of a domain in it; a domain's parts are joined by dots.
    package static func items(app: String, index: String, domain: String? = nil) -> Scope {
        Scope([app, "items", index] + parts(domain))
    }

    /// Returns the scope of everything that belongs to an app.
    package static func app(_ app: String) -> Scope { Scope([app]) }

    /// Returns the scope of the activities that an app saved, or of a domain of them.
    package static func activities(app: String, domain: String? = nil) -> Scope {
        Scope([app, "activities"] + parts(domain))
    }

    private static func parts(_ domain: String?) -> [String] {
        // Split at bytes, not characters: a dot followed by a combining accent separates domains too, in every
        // language. Parts beyond the deepest level that a scope can express stay joined in its last part.
        domain.map { domain in
            domain.utf8.split(
                separator: UInt8(ascii: "."), maxSplits: domainPartsMost - 1, omittingEmptySubsequences: false
            ).map { String(Substring($0)) }
        } ?? []
    }

    /// The most bytes that all parts may have together.
    package static let bytesMost = 1024
    /// The most parts; a clear may name each level.
    package static let partsMost = 64
    /// The most parts of a domain: the rest of `partsMost` after the app, the area and the index.
    private static let domainPartsMost = partsMost - 3

    package var isEmpty: Bool { count == 0 }

    /// Whether a receiver can read this scope.
    var isWithinLimits: Bool { count <= Self.partsMost && encoded.count <= Self.bytesMost }

    /// Whether this scope equals another scope, or lies within it.
    package func isWithin(_ other: Scope) -> Bool {
        count >= other.count && encoded.starts(with: other.encoded)
    }

    /// Returns this scope and the scopes around it that have one of these numbers of parts, outermost first.
    package func outward(_ counts: Set<Int>) -> [Scope] {
        var (scopes, reader): ([Scope], CBORReader) = ([], CBORReader(encoded))
        for number in 0..<count {
            // This type encoded these bytes, or checked them when it read them, so skipping can't fail.
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
