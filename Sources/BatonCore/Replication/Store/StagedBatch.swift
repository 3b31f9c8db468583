/// Names a batch of an app on this device, from its beginning to its end; it means nothing to anyone else.
package struct BatchIdentifier: Hashable, Sendable {
    package let value: UInt64

    package init(value: UInt64) { self.value = value }
}

/// A batch too large for one transaction, which was staged piece by piece and is named now.
///
/// From the transaction on that ends it, it counts as kept: the store claims all of it or nothing. Its writes are
/// merged afterwards, in small steps.
package struct StagedBatch: Equatable, Sendable {
    package let identifier: BatchIdentifier
    /// How many drafts were staged.
    package let count: Int
    /// The dot and the stamp of the first draft; each further one has the next place and the next time.
    package let first: Dot
    package let stamp: Stamp

    package init(_ identifier: BatchIdentifier, count: Int, first: Dot, stamp: Stamp) {
        self.identifier = identifier
        self.count = count
        self.first = first
        self.stamp = stamp
    }

    /// Returns the name of the draft at a place.
    package func name(at place: Int) -> (dot: Dot, stamp: Stamp) {
        let time = min(stamp.time.value + UInt64(place), HybridTime.largest.value)
        return (
            Dot(origin: first.origin, sequence: first.sequence, place: UInt32(place)),
            Stamp(time: HybridTime(value: time), life: stamp.life)
        )
    }
}

/// The condition of a transaction that keeps an app's writes; if it does not hold, only the transaction's name is kept.
package struct IndexCondition: Equatable, Sendable {
    /// The expected shown client state; nil inside means that there must be none.
    package var state: ExpectedState?
    /// How much the app may have in its indexes.
    package var quota: Quota?
    /// The name of the batch, which must not be saved yet; it is kept with the writes.
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

/// How much one app may have in all of its indexes, by what this device writes.
package struct Quota: Equatable, Sendable {
    package var app: String
    package var items: Int
    /// The size of the fields of items, as they are encoded.
    package var bytes: Int
    /// How many scopes of its indexes may have a clear that some device has not heard of yet.
    package var clears: Int

    package init(app: String, items: Int, bytes: Int, clears: Int = Limits.clearsPerApp) {
        self.app = app
        self.items = items
        self.bytes = bytes
        self.clears = clears
    }
}

/// Why nothing of what an app wrote was kept.
package enum IndexRefusal: Equatable, Sendable {
    /// The client state that is shown is another one.
    case otherState([UInt8]?)
    /// The app would have more than it may.
    case quota(items: Int, bytes: Int)
    /// This many scopes would have a clear, which is more than may be.
    case clears(Int)
    /// The batch was saved before, when it came the first time.
    case savedBefore
}
