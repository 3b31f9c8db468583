// The calls of an app about its indexes, except `ChangeIndex` and `EndBatch`, which write to the indexes.

/// Discards a batch; a batch is also discarded when its connection ends.
package struct DiscardBatch: ConnectionCall {
    package typealias Reply = IndexReply
    package static let number = LocalCallNumber.discardBatch

    package var index: ClientStateName
    package var batch: UInt64

    package init(_ index: ClientStateName, _ batch: UInt64) { (self.index, self.batch) = (index, batch) }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.key(index)
        writer.unsigned(batch)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(try reader.key(), try reader.unsigned())
    }
}

/// The reply to a change of an index, after the change was saved.
package struct IndexReply: SimpleReply {
    package static let kind = LocalReplyKind.index

    /// The number of updates that had no effect, because their items do not exist.
    package var passedOver: Int

    package init(passedOver: Int) { self.passedOver = passedOver }

    package func encode(to writer: inout CBORWriter) { writer.unsigned(UInt64(passedOver)) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        passedOver = Int(try reader.unsigned(upTo: UInt64(Int32.max)))
    }
}

/// Gets the latest client state of an indexing job.
///
/// The reply has a state only if this device has everything that the state covers. While the app is asked to index
/// everything again, there is no state.
package struct GetClientState: ConnectionCall, ReadingCall {
    package typealias Reply = ClientStateReply
    package static let number = LocalCallNumber.getClientState

    package var index: ClientStateName

    package init(_ index: ClientStateName) { self.index = index }

    package func encode(to writer: inout CBORWriter) { writer.key(index) }

    package init(from reader: inout CBORReader) throws(CBORError) { index = try reader.key() }
}

/// A client state; nil if there is none.
package struct ClientStateReply: SimpleReply {
    package static let kind = LocalReplyKind.clientState

    package var state: [UInt8]?

    package init(_ state: [UInt8]?) { self.state = state }

    package func encode(to writer: inout CBORWriter) {
        if let state { writer.data(state) } else { writer.null() }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        state = try reader.optional { (reader) throws(CBORError) in try reader.data() }
    }
}

/// Records that a person opened an item, because searches rank opened items higher.
package struct CountOpening: AccountCall {
    package typealias Reply = IndexReply
    package static let number = LocalCallNumber.countOpening

    package var item: ItemName

    package init(_ item: ItemName) { self.item = item }

    package func encode(to writer: inout CBORWriter) { writer.key(item) }

    package init(from reader: inout CBORReader) throws(CBORError) { item = try reader.key() }
}

/// Records that a person opened an ended activity, because searches rank opened activities higher.
package struct CountActivityOpening: AccountCall {
    package typealias Reply = IndexReply
    package static let number = LocalCallNumber.countActivityOpening

    /// The identifier of the activity, or its beginning.
    package var activity: String

    package init(_ activity: String) { self.activity = activity }

    package func encode(to writer: inout CBORWriter) { writer.value(activity) }

    package init(from reader: inout CBORReader) throws(CBORError) { activity = try reader.value() }
}

/// Waits until the app should index a part of one of these indexes again.
///
/// The node may answer immediately.
///
/// One call waits for all indexes of an app. If an earlier call still waits on the same connection, the new call
/// replaces it.
package struct AwaitReindexing: ConnectionCall {
    package typealias Reply = ReindexingReply
    package static let number = LocalCallNumber.awaitReindexing

    package var indexes: [ClientStateName]

    package init(_ indexes: [ClientStateName]) { self.indexes = indexes }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: indexes.count)
        for index in indexes { writer.key(index) }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        indexes = try reader.array(upTo: Limits.watchedIndexes) { (reader) throws(CBORError) in
            try reader.key()
        }
    }
}

/// An index, and the part of it that the app should index again; nil if a later call of the connection waits instead.
package struct ReindexingReply: SimpleReply {
    package static let kind = LocalReplyKind.reindexing

    package var request: Request?

    /// A part of an index that the app should index again.
    package struct Request: Equatable, Sendable {
        package var index: ClientStateName
        package var extent: ReindexRequest.Extent
    }

    package init(_ index: ClientStateName, _ extent: ReindexRequest.Extent) {
        request = Request(index: index, extent: extent)
    }

    private init(_ request: Request?) { self.request = request }

    /// The reply to a call that a later call has replaced.
    package static let replaced = ReindexingReply(nil)

    package func encode(to writer: inout CBORWriter) {
        guard let request else { return writer.null() }
        writer.array(count: 2)
        writer.key(request.index)
        request.extent.encodeForApps(to: &writer)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        request = try reader.optional { (reader) throws(CBORError) in
            try reader.array(count: 2)
            return Request(
                index: try reader.key(), extent: try ReindexRequest.Extent(fromApps: &reader))
        }
    }
}

/// Reports that the app has indexed a part of an index again.
package struct AcknowledgeReindexing: ConnectionCall {
    package typealias Reply = IndexReply
    package static let number = LocalCallNumber.acknowledgeReindexing

    package var index: ClientStateName
    package var extent: ReindexRequest.Extent

    package init(_ index: ClientStateName, _ extent: ReindexRequest.Extent) {
        (self.index, self.extent) = (index, extent)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.key(index)
        extent.encodeForApps(to: &writer)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(try reader.key(), try ReindexRequest.Extent(fromApps: &reader))
    }
}

/// Asks an app, on behalf of a person, to index a part of an index again.
package struct RequestReindexing: AccountCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.requestReindexing

    package var index: ClientStateName
    package var extent: ReindexRequest.Extent

    package init(_ index: ClientStateName, _ extent: ReindexRequest.Extent) {
        (self.index, self.extent) = (index, extent)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.key(index)
        extent.encodeForApps(to: &writer)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(try reader.key(), try ReindexRequest.Extent(fromApps: &reader))
    }
}
