/// Where a record belongs, for clears: a path of texts, from the outermost to the innermost.
///
/// The app comes first. What it indexes stands in the app, `items`, the index, and the parts of the domain; what
/// it saved for later in the app, `activities`, and the parts of the domain. A record with an empty scope can't
/// be cleared.
package struct Scope: Hashable, Sendable {
    /// The parts, each encoded as CBOR text.
    ///
    /// As each says how long it is, a scope lies within another exactly if its bytes begin with the other's.
    package let encoded: [UInt8]
    /// How many parts there are.
    package let count: Int

    package init(_ parts: [String] = []) {
        var writer = CBORWriter()
        for part in parts { writer.text(part) }
        (encoded, count) = (writer.bytes, parts.count)
    }

    private init(encoded: [UInt8], count: Int) { (self.encoded, self.count) = (encoded, count) }

    /// The scope whose parts are encoded so.
    package init(encoded: [UInt8]) throws(CBORError) {
        var (reader, count) = (CBORReader(encoded), 0)
        while reader.nextType == .text {
            try reader.skip()
            count += 1
        }
        try reader.end()
        self.init(encoded: encoded, count: count)
    }

    /// Nowhere: what can't be cleared.
    package static let none = Scope()

    /// The index of an app, or a domain in it; a domain's parts are joined by dots.
    package static func items(app: String, index: String, domain: String? = nil) -> Scope {
        Scope([app, "items", index] + parts(domain))
    }

    /// All that is an app's.
    package static func app(_ app: String) -> Scope { Scope([app]) }

    /// What an app saved for later, or a domain of it.
    package static func activities(app: String, domain: String? = nil) -> Scope {
        Scope([app, "activities"] + parts(domain))
    }

    private static func parts(_ domain: String?) -> [String] {
        // Bytes, not characters: a dot that an accent follows parts domains as well, in every language. What is
        // nested deeper than a scope can say stays in its last part.
        domain.map { domain in
            domain.utf8.split(
                separator: UInt8(ascii: "."), maxSplits: domainPartsMost - 1, omittingEmptySubsequences: false
            ).map { String(Substring($0)) }
        } ?? []
    }

    /// The most bytes that the parts may have.
    package static let bytesMost = 1024
    /// The most parts, each of which a clear may name.
    package static let partsMost = 64
    /// The most parts of a domain: what the app, the area and the index leave.
    private static let domainPartsMost = partsMost - 3

    package var isEmpty: Bool { count == 0 }

    /// Whether this scope is the other, or lies within it.
    package func isWithin(_ other: Scope) -> Bool {
        count >= other.count && encoded.starts(with: other.encoded)
    }

    /// Of this scope and all that it lies within, those with so many parts, the outermost first.
    package func outward(_ counts: Set<Int>) -> [Scope] {
        var (scopes, reader): ([Scope], CBORReader) = ([], CBORReader(encoded))
        for number in 0..<count {
            // What this type encoded, or checked when it read it, can be passed over.
            do throws(CBORError) { try reader.skip() } catch {
                preconditionFailure("a scope holds texts: \(error)")
            }
            guard counts.contains(number + 1) else { continue }
            scopes.append(Scope(encoded: Array(encoded[..<reader.offset]), count: number + 1))
        }
        return scopes
    }

    /// The texts.
    package var parts: [String] {
        var (parts, reader): ([String], CBORReader) = ([], CBORReader(encoded))
        for _ in 0..<count {
            do throws(CBORError) { parts.append(try reader.text()) } catch {
                preconditionFailure("a scope holds texts: \(error)")
            }
        }
        return parts
    }

    /// How many bytes the encoding has.
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
    /// The key of the clear that deletes all of a lane that belongs here.
    package func clearKey(in lane: Lane) -> RecordKey {
        var writer = CBORWriter()
        encode(to: &writer)
        return RecordKey(kind: .clear(in: lane), name: writer.bytes)
    }

    /// The scope that a clear is about.
    package init(clear key: RecordKey) throws(CBORError) {
        self = try CBORReader.whole(key.name[...]) { (reader) throws(CBORError) in try Scope(from: &reader) }
    }
}
