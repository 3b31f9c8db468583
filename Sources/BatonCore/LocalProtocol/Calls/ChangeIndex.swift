/// Changes an index of an app.
///
/// The node answers when the changes are saved or added to a batch.
///
/// A request may be larger than one portion (`Limits.indexPortionBytes`). Such a request stays encoded, because many
/// small changes would need twenty times the memory when decoded.
package struct ChangeIndex: ConnectionCall {
    package typealias Reply = IndexReply
    package static let number = LocalCallNumber.changeIndex
    package static var tooLarge: LocalFailure {
        LocalFailure(
            .tooLarge,
            "The request is larger than \(Limits.frameBytes >> 20) MiB. Split it into several, in a batch if they belong together."
        )
    }

    /// The name of the index and of its app.
    package var index: ClientStateName
    /// The batch to which the changes belong, and their place in the batch; nil if they belong to no batch.
    ///
    /// Without a batch, either all changes are saved immediately, or none of them.
    package var place: BatchPlace?
    /// The number of changes.
    package let count: Int
    /// The encoded changes, one after the other.
    private let encoded: ArraySlice<UInt8>
    /// All changes, if they fit in one portion and were decoded; otherwise empty.
    private let decoded: [IndexChange]

    package init(_ index: ClientStateName, at place: BatchPlace? = nil, _ changes: [IndexChange]) {
        (self.index, self.place, count) = (index, place, changes.count)
        decoded = []
        var writer = CBORWriter()
        for change in changes { change.encode(to: &writer) }
        encoded = writer.bytes[...]
    }

    private init(_ index: ClientStateName, count: Int, encoded: ArraySlice<UInt8>) {
        self.index = index
        self.count = count
        self.encoded = encoded
        decoded = []
    }

    /// The approximate size in bytes of each part into which a large set of changes is split.
    ///
    /// A node has room for several such parts.
    package static let partBytes = 256 << 10

    /// Splits changes into requests of about `partBytes` each; a request exceeds this size by at most one change.
    package static func parts(_ index: ClientStateName, _ changes: [IndexChange]) -> [ChangeIndex] {
        var (writer, ends, counts): (CBORWriter, [Int], [Int]) = (CBORWriter(), [0], [0])
        for (place, change) in changes.enumerated() {
            change.encode(to: &writer)
            guard writer.bytes.count - ends[ends.count - 1] >= partBytes || place == changes.count - 1 else {
                continue
            }
            ends.append(writer.bytes.count)
            counts.append(place + 1)
        }
        return zip(zip(ends, ends.dropFirst()), zip(counts, counts.dropFirst())).map { bounds, numbers in
            ChangeIndex(index, count: numbers.1 - numbers.0, encoded: writer.bytes[bounds.0..<bounds.1])
        }
    }

    /// The size of the encoded changes in bytes.
    package var byteCount: Int { encoded.count }

    /// All changes of the request, decoded at once.
    package var changes: [IndexChange] {
        var (reader, changes) = (ChangeReader(self), [IndexChange]())
        while !reader.isAtEnd { changes += reader.next() }
        return changes
    }

    package static func == (left: Self, right: Self) -> Bool {
        (left.index, left.place, left.encoded) == (right.index, right.place, right.encoded)
    }

    /// Decodes the changes of a request, one portion at a time.
    package struct ChangeReader {
        private var decoded: [IndexChange]
        private var reader: CBORReader
        private var left: Int

        package init(_ request: ChangeIndex) {
            (decoded, left) = (request.decoded, request.count)
            reader = CBORReader(request.encoded)
        }

        /// Whether the reader has returned all changes.
        package var isAtEnd: Bool { left == 0 }

        /// Returns the next changes; stops when their encoded size has reached `Limits.indexPortionBytes`.
        package mutating func next() -> [IndexChange] {
            var changes: [IndexChange] = []
            swap(&changes, &decoded)
            if changes.isEmpty {
                do throws(CBORError) {
                    changes = try reader.changes(upTo: left)
                } catch {
                    preconditionFailure("the changes of a request were checked when it was made: \(error)")
                }
            }
            left -= changes.count
            return changes
        }
    }
}

/// One change of an index.
package enum IndexChange: Equatable, Sendable {
    /// Adds an item, or replaces the item with the same identifier.
    case item(String, Item)
    /// An item that has a field in a wrong form; only the node's decoder makes this case.
    case unreadable(String, CBORError)
    /// Changes some fields of an existing item; a field that is null is removed.
    ///
    /// If a domain is given, the item moves to that domain.
    case update(String, domain: String?, Fields)
    case deletion(String)
    /// Deletes the items of a domain and of all domains below it.
    ///
    /// If `domain` is nil, everything in the index is deleted, including the client state.
    case clear(domain: String?)
}

/// Ends a batch; either all its changes are saved and become visible together, or none of them.
///
/// Only the connection that began the batch can end it. The node answers when the batch would survive a loss of power.
package struct EndBatch: ConnectionCall {
    package typealias Reply = IndexReply
    package static let number = LocalCallNumber.endBatch

    package var index: ClientStateName
    /// The number of the batch.
    package var batch: UInt64
    /// The number of changes in the batch; the batch is saved only if the node has received exactly this number.
    package var count: Int
    /// The client state that the app stores with the batch; it tells the app later where to continue.
    package var state: [UInt8]?
    /// Whether the batch is saved only if the current client state equals `expected`.
    package var isConditional: Bool
    /// The expected client state; nil means that there must be none.
    package var expected: [UInt8]?
    /// The name of the batch, for an app that may send the same batch twice.
    ///
    /// The node saves only one batch with this name.
    package var mark: BatchMark?

    package init(
        _ index: ClientStateName, batch: UInt64, count: Int, state: [UInt8]?, isConditional: Bool = false,
        expected: [UInt8]? = nil, mark: BatchMark? = nil
    ) {
        self.index = index
        self.batch = batch
        self.count = count
        self.state = state
        (self.isConditional, self.expected, self.mark) = (isConditional, expected, mark)
    }
}

// MARK: Codec

extension ChangeIndex {
    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.key(index)
        writer.value(place)
        writer.array(count: count)
        writer.encoded(encoded)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 3)
        index = try reader.key()
        place = try reader.value()
        count = try reader.arrayCount(upTo: Limits.frameBytes)
        let start = reader.offset
        let changes = try reader.changes(upTo: count)
        decoded = changes.count == count ? changes : []
        // The changes after the first portion are decoded here only to validate them. They are decoded again when they
        // are applied.
        for _ in changes.count..<count { _ = try IndexChange(from: &reader) }
        encoded = reader.bytes(since: start)
    }
}

extension CBORReader {
    /// Reads at most `most` changes; stops when their encoded size has reached `Limits.indexPortionBytes`.
    fileprivate mutating func changes(upTo most: Int) throws(CBORError) -> [IndexChange] {
        var changes: [IndexChange] = []
        let start = offset
        while changes.count < most, offset - start < Limits.indexPortionBytes {
            changes.append(try IndexChange(from: &self))
        }
        return changes
    }
}

extension IndexChange {
    private enum Number {
        static let item: UInt64 = 0
        static let update: UInt64 = 1
        static let deletion: UInt64 = 2
        static let clear: UInt64 = 3
    }

    func encode(to writer: inout CBORWriter) {
        switch self {
        case .item(let identifier, let item):
            Self.encode(Number.item, identifier, item.domain, item.fields, to: &writer)
        case .unreadable: preconditionFailure("a node passes no items on")
        case .update(let identifier, let domain, let fields):
            Self.encode(Number.update, identifier, domain, fields, to: &writer)
        case .deletion(let identifier):
            writer.array(count: 2)
            writer.unsigned(Number.deletion)
            writer.text(identifier)
        case .clear(let domain):
            writer.array(count: 2)
            writer.unsigned(Number.clear)
            writer.optional(domain)
        }
    }

    private static func encode(
        _ number: UInt64, _ identifier: String, _ domain: String?, _ fields: Fields,
        to writer: inout CBORWriter
    ) {
        writer.array(count: 4)
        writer.unsigned(number)
        writer.text(identifier)
        writer.optional(domain)
        fields.encode(to: &writer)
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        let count = try reader.arrayCount(upTo: 4)
        switch (try reader.unsigned(), count) {
        case (Number.item, 4): self = try Self.item(from: &reader)
        case (Number.update, 4):
            self = .update(
                try reader.text(), domain: try reader.optionalText(), try Fields(from: &reader))
        case (Number.deletion, 2): self = .deletion(try reader.text())
        case (Number.clear, 2): self = .clear(domain: try reader.optionalText())
        default: throw CBORError(.outOfRange, at: start)
        }
    }

    /// Reads an item and checks it in the same pass.
    ///
    /// An item that has a field in a wrong form gives `.unreadable`, which the node reports to the app. Malformed bytes
    /// throw an error.
    private static func item(from reader: inout CBORReader) throws(CBORError) -> IndexChange {
        let (identifier, domain) = (try reader.text(), try reader.optionalText())
        let start = reader
        do throws(CBORError) {
            return .item(identifier, try Item(domain: domain, from: &reader))
        } catch {
            reader = start
            _ = try Fields(from: &reader)
            return .unreadable(identifier, error)
        }
    }
}

extension EndBatch {
    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.key(index) }
            fields.field(2) { $0.unsigned(batch) }
            fields.field(3, state) { $0.data($1) }
            fields.field(4) { $0.boolean(isConditional) }
            fields.field(5, expected) { $0.data($1) }
            fields.field(6, mark) { writer, mark in
                writer.array(count: 2)
                writer.data(mark.writer)
                writer.unsigned(mark.number)
            }
            fields.field(7) { $0.unsigned(UInt64(count)) }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var index: ClientStateName?, batch: UInt64?, state: [UInt8]?
        var (isConditional, expected): (Bool, [UInt8]?) = (false, nil)
        var (mark, count): (BatchMark?, Int?) = (nil, nil)
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: index = try reader.key() as ClientStateName
            case 2: batch = try reader.unsigned()
            case 3: state = try reader.data()
            case 4: isConditional = try reader.boolean()
            case 5: expected = try reader.data()
            case 6: mark = try BatchMark(from: &reader)
            case 7: count = Int(try reader.unsigned(upTo: UInt64(Limits.batchDrafts)))
            default: break
            }
        }
        self.init(
            try index.required(1, in: reader), batch: try batch.required(2, in: reader),
            count: try count.required(7, in: reader), state: state, isConditional: isConditional,
            expected: expected, mark: mark)
    }
}

extension BatchPlace: LocalValue {
    func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.unsigned(batch)
        writer.unsigned(UInt64(offset))
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(
            try reader.unsigned(), offset: Int(try reader.unsigned(upTo: UInt64(Limits.batchDrafts))))
    }
}

extension BatchMark {
    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        try reader.array(count: 2)
        let writer = try reader.data()
        guard writer.count == Self.writerBytes else { throw CBORError(.outOfRange, at: start) }
        self.init(writer: writer, number: try reader.unsigned())
    }
}
