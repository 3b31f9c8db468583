package import BatonCore

/// A write of an app to one of its indexes: a group of changes of which a node saves either all or none.
package struct IndexWrite: Equatable, Sendable {
    package let index: ClientStateName
    /// The changes, divided into parts that are small enough for a node to accept.
    package let parts: [ChangeIndex]
    /// The client state to store with the changes; nil to leave the client state unchanged.
    let state: [UInt8]?
    /// The client state that the index must have; nil if any client state will do.
    let condition: Condition?

    /// An expected client state.
    package struct Condition: Equatable, Sendable {
        /// The expected client state; nil if the index must have none.
        let state: [UInt8]?

        package init(_ state: [UInt8]?) { self.state = state }
    }

    /// Creates a write of changes.
    package init(
        _ index: ClientStateName, _ parts: [ChangeIndex], state: [UInt8]? = nil, condition: Condition? = nil
    ) {
        self.index = index
        self.parts = parts
        self.state = state
        self.condition = condition
    }

    /// The size of the changes, in bytes.
    package var byteCount: Int { parts.reduce(64) { $0 + $1.byteCount } }

    /// The number of changes.
    var count: Int { parts.reduce(0) { $0 + $1.count } }

    /// The items that the app has to index again if the changes are lost.
    ///
    /// If the write also stores a client state, the app has to index everything. A later client state would imply that
    /// these changes were made.
    var extent: ReindexRequest.Extent {
        guard state == nil else { return .all }
        var items: Set<String> = []
        for part in parts {
            for change in part.changes {
                switch change {
                case .item(let identifier, _), .unreadable(let identifier, _), .update(let identifier, _, _),
                    .deletion(let identifier):
                    items.insert(identifier)
                case .clear: return .all
                }
            }
        }
        return ReindexRequest(.items(items), of: index).extent
    }

    /// The calls that make the changes in a batch, without the call that ends the batch.
    ///
    /// The first of these calls begins the batch.
    func calls(_ batch: UInt64) -> [ChangeIndex] {
        var offset = 0
        return (parts.isEmpty ? [ChangeIndex(index, [])] : parts).map { part in
            var part = part
            part.place = BatchPlace(batch, offset: offset)
            offset += part.count
            return part
        }
    }

    /// The call that ends the batch.
    func end(_ batch: UInt64, _ mark: BatchMark) -> EndBatch {
        EndBatch(
            index, batch: batch, count: count, state: state, isConditional: condition != nil,
            expected: condition?.state, mark: mark)
    }
}

/// A write and its unique name, by which a node recognizes a write that is sent twice.
package struct MarkedWrite: Equatable, Sendable {
    package let mark: BatchMark
    package let write: IndexWrite

    package init(mark: BatchMark, write: IndexWrite) { (self.mark, self.write) = (mark, write) }
}

// MARK: Codec

extension MarkedWrite {
    /// The encoded form of the write, as it is stored in a spool.
    var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(count: 2)
        write.end(0, mark).encode(to: &writer)
        writer.array(count: write.parts.count)
        for part in write.parts { part.encode(to: &writer) }
        return writer.bytes
    }

    init(encoded: [UInt8]) throws(CBORError) {
        self = try CBORReader.whole(encoded[...]) { (reader) throws(CBORError) in
            try reader.array(count: 2)
            let (start, end) = (reader.offset, try EndBatch(from: &reader))
            let count = try reader.arrayCount(upTo: Limits.batchDrafts)
            var parts: [ChangeIndex] = []
            for _ in 0..<count { parts.append(try ChangeIndex(from: &reader)) }
            guard let mark = end.mark else { throw CBORError(.missingField(6), at: start) }
            return MarkedWrite(
                mark: mark,
                write: IndexWrite(
                    end.index, parts, state: end.state,
                    condition: end.isConditional ? IndexWrite.Condition(end.expected) : nil))
        }
    }
}
