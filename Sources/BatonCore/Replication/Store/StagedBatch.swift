/// Names a batch of an app on this device, from its beginning to its end; it is never sent to other devices.
package struct BatchIdentifier: Hashable, Sendable {
    package let value: UInt64

    package init(value: UInt64) { self.value = value }
}

/// A batch that was too large for one transaction, was staged piece by piece, and now has its dot and stamp.
///
/// It counts as stored from the transaction on that ends it: the store claims all of it or nothing. Its writes are
/// merged afterwards, in small steps.
package struct StagedBatch: Equatable, Sendable {
    package let identifier: BatchIdentifier
    /// How many drafts were staged.
    package let count: Int
    /// The dot and the stamp of the first draft; each further draft has the next place and the next time.
    package let first: Dot
    package let stamp: Stamp

    package init(_ identifier: BatchIdentifier, count: Int, first: Dot, stamp: Stamp) {
        self.identifier = identifier
        self.count = count
        self.first = first
        self.stamp = stamp
    }

    /// Returns the dot and the stamp of the draft at a place.
    package func name(at place: Int) -> (dot: Dot, stamp: Stamp) {
        let time = min(stamp.time.value + UInt64(place), HybridTime.largest.value)
        return (
            Dot(origin: first.origin, sequence: first.sequence, place: UInt32(place)),
            Stamp(time: HybridTime(value: time), life: stamp.life)
        )
    }
}

/// The condition of a transaction with an app's writes; if it does not hold, only the transaction's number is stored.
package struct IndexCondition: Equatable, Sendable {
    /// The expected shown client state; if its `state` is nil, there must be none.
    package var state: ExpectedState?
    /// How much the app may have in its indexes.
    package var quota: Quota?
    /// The name of the batch, which must not have been saved before; it is stored with the writes.
    package var mark: BatchMark?

    package struct ExpectedState: Equatable, Sendable {
        package let name: ClientStateName
        package let state: [UInt8]?

        package init(_ name: ClientStateName, is state: [UInt8]?) { (self.name, self.state) = (name, state) }
    }

    package init(state: ExpectedState? = nil, quota: Quota? = nil, mark: BatchMark? = nil) {
        (self.state, self.quota, self.mark) = (state, quota, mark)
    }
}

/// How much one app may have in all of its indexes; it limits the writes of this device only.
package struct Quota: Equatable, Sendable {
    package var app: String
    package var items: Int
    /// The size of the encoded fields of all items.
    package var bytes: Int
    /// How many scopes of its indexes may have a clear that is not garbage-collected yet.
    package var clears: Int

    package init(app: String, items: Int, bytes: Int, clears: Int = Limits.clearsPerApp) {
        self.app = app
        self.items = items
        self.bytes = bytes
        self.clears = clears
    }
}

/// The reason why nothing that an app wrote was stored.
package enum IndexRefusal: Equatable, Sendable {
    /// This is the shown client state, not the expected one.
    case otherState([UInt8]?)
    /// The app would exceed its quota: it would have these numbers of items and bytes.
    case quota(items: Int, bytes: Int)
    /// The number of scopes that would have a clear exceeds the quota.
    case clears(Int)
    /// The batch was saved when it was sent the first time.
    case savedBefore
}
