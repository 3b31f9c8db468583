/// A request to sweep some expired records.
package struct SweepRequest: Equatable, Sendable {
    /// The time before which a record must have expired to be swept.
    package var time: WallTime
    /// The devices of the account, including this device.
    package var roster: Set<DeviceIdentifier>
    /// Lives in which more than one machine wrote.
    ///
    /// Two devices that claim the same dot of such a life may have different writes.
    package var shared: Set<Life> = []
    /// The place after which the sweep continues; nil for the first request.
    package var after: Place?
    /// The largest number of records to examine.
    package var most: Int

    /// A place in the order of expiration.
    ///
    /// All records of one lane come before those of the other lane.
    package struct Place: Equatable, Sendable {
        package let lane: Lane
        package let expiration: WallTime
        package let identity: RecordIdentity

        package init(lane: Lane, expiration: WallTime, identity: RecordIdentity) {
            (self.lane, self.expiration, self.identity) = (lane, expiration, identity)
        }
    }

    package init(
        time: WallTime, roster: Set<DeviceIdentifier>, after place: Place? = nil, most: Int = 100
    ) {
        self.time = time
        self.roster = roster
        after = place
        self.most = most
    }
}

/// The result of one step of a sweep.
package struct SweepStep: Equatable, Sendable {
    package var lane: Lane
    package var commit: StoreCommit
    /// The place after which the next step begins.
    package var next: SweepRequest.Place?

    package init(lane: Lane, commit: StoreCommit, next: SweepRequest.Place?) {
        (self.lane, self.commit, self.next) = (lane, commit, next)
    }

    /// The commit, which must be handled like any other one; nil if it changed nothing.
    ///
    /// Each commit causes a comparison with other devices, and each comparison causes a sweep. An empty commit must not
    /// keep this cycle going.
    package var news: StoreCommit? { commit.changed.isEmpty ? nil : commit }
}
