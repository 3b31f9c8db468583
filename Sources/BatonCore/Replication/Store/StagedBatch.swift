/// Names a batch of an app on this device until the batch ends.
///
/// The identifier is never sent to other devices.
package struct BatchIdentifier: Hashable, Sendable {
    package let value: UInt64

    package init(value: UInt64) { self.value = value }
}

/// A batch that was too large for one transaction and was staged piece by piece.
///
/// It has ended, and has its dot and its stamp.
///
/// The batch counts as stored when the transaction that ends it is stored: the store claims either all of the batch or
/// nothing. Its writes are merged later, in small steps.
package struct StagedBatch: Equatable, Sendable {
    package let identifier: BatchIdentifier
    /// The number of staged drafts.
    package let count: Int
    /// The dot and the stamp of the first draft.
    ///
    /// Each further draft has the next place and the next time.
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

/// The condition under which an app's writes are stored.
///
/// If it does not hold, only the transaction's number is stored.
package struct IndexCondition: Equatable, Sendable {
    /// The expected shown client state; if its `state` is nil, no client state may be shown.
    ///
    /// If the property itself is nil, any state is accepted.
    package var state: ExpectedState?
    /// The limit of what the app may have in its indexes.
    package var quota: Quota?
    /// The name of the batch.
    ///
    /// A batch with this name must not have been saved before. The name is stored together with the writes.
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

/// The limits of what one app may have in all of its indexes.
///
/// They limit only the writes of this device.
package struct Quota: Equatable, Sendable {
    package var app: String
    package var items: Int
    /// The maximum size of the encoded fields of all items, in bytes.
    package var bytes: Int
    /// The maximum number of scopes of its indexes with a clear that is not garbage-collected yet.
    package var clears: Int

    package init(app: String, items: Int, bytes: Int, clears: Int = Limits.clearsPerApp) {
        self.app = app
        self.items = items
        self.bytes = bytes
        self.clears = clears
    }
}

/// The reason why an app's writes were not stored.
package enum IndexRefusal: Equatable, Sendable {
    /// The shown client state is this one, and not the expected one.
    case otherState([UInt8]?)
    /// The app would exceed its quota.
    ///
    /// It would have these numbers of items and bytes.
    case quota(items: Int, bytes: Int)
    /// The app would exceed its quota of clears.
    ///
    /// This number of scopes would have a clear.
    case clears(Int)
    /// The batch was saved when it was sent the first time.
    case savedBefore
}
