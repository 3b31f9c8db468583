// What an app asks about its indexes; `ChangeIndex` and `EndBatch` write to them.

/// Forgets a batch, as the end of the connection does.
package struct DiscardBatch: ConnectionCall {
    package typealias Reply = IndexReply
    package static let number = LocalCallNumber.discardBatch

    package var index: ClientStateName
    package var batch: UInt64

    package init(_ index: ClientStateName, _ batch: UInt64) { (self.index, self.batch) = (index, batch) }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        index.encodeKey(to: &writer)
        writer.unsigned(batch)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(try ClientStateName(asKey: &reader), try reader.unsigned())
    }
}

/// What was asked of an index is kept.
package struct IndexReply: SimpleReply {
    package static let kind: UInt64 = 10

    /// How many updates were of items that are not there, and changed nothing.
    package var passedOver: Int

    package init(passedOver: Int) { self.passedOver = passedOver }

    package func encode(to writer: inout CBORWriter) { writer.unsigned(UInt64(passedOver)) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        passedOver = Int(try reader.unsigned(upTo: UInt64(Int32.max)))
    }
}

/// Gets the client state that an indexing job stored last, as far as all that it covers is here.
package struct GetClientState: AccountCall {
    package typealias Reply = ClientStateReply
    package static let number = LocalCallNumber.getClientState

    package var index: ClientStateName

    package init(_ index: ClientStateName) { self.index = index }

    package func encode(to writer: inout CBORWriter) { index.encodeKey(to: &writer) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        index = try ClientStateName(asKey: &reader)
    }
}

/// A client state, or that there is none.
package struct ClientStateReply: SimpleReply {
    package static let kind: UInt64 = 11

    package var state: [UInt8]?

    package init(_ state: [UInt8]?) { self.state = state }

    package func encode(to writer: inout CBORWriter) {
        if let state { writer.data(state) } else { writer.null() }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        state = try reader.optional { (reader) throws(CBORError) in try reader.data() }
    }
}

/// Counts that a person opened an item.
package struct CountOpening: AccountCall {
    package typealias Reply = IndexReply
    package static let number = LocalCallNumber.countOpening

    package var item: ItemName

    package init(_ item: ItemName) { self.item = item }

    package func encode(to writer: inout CBORWriter) { item.encodeKey(to: &writer) }

    package init(from reader: inout CBORReader) throws(CBORError) { item = try ItemName(asKey: &reader) }
}

/// Is answered once an app is to index something anew, which may be at once.
package struct AwaitReindexing: ConnectionCall {
    package typealias Reply = ReindexingReply
    package static let number = LocalCallNumber.awaitReindexing

    package var index: ClientStateName

    package init(_ index: ClientStateName) { self.index = index }

    package func encode(to writer: inout CBORWriter) { index.encodeKey(to: &writer) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        index = try ClientStateName(asKey: &reader)
    }
}

/// What an app is to index anew.
package struct ReindexingReply: SimpleReply {
    package static let kind: UInt64 = 12

    package var extent: ReindexRequest.Extent

    package init(_ extent: ReindexRequest.Extent) { self.extent = extent }

    package func encode(to writer: inout CBORWriter) { extent.encodeForApps(to: &writer) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        extent = try ReindexRequest.Extent(fromApps: &reader)
    }
}

/// Says that the app has indexed something anew.
package struct AcknowledgeReindexing: AccountCall {
    package typealias Reply = IndexReply
    package static let number = LocalCallNumber.acknowledgeReindexing

    package var index: ClientStateName
    package var extent: ReindexRequest.Extent

    package init(_ index: ClientStateName, _ extent: ReindexRequest.Extent) {
        (self.index, self.extent) = (index, extent)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        index.encodeKey(to: &writer)
        extent.encodeForApps(to: &writer)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(try ClientStateName(asKey: &reader), try ReindexRequest.Extent(fromApps: &reader))
    }
}
