/// Asks to sweep some expired records.
package struct SweepRequest: Equatable, Sendable {
    /// The time by which records must have expired to be swept.
    package var time: WallTime
    /// The devices of the account, including this device.
    package var roster: Set<DeviceIdentifier>
    /// Lives in which more than one machine wrote: two devices that claim the same dot of such a life may have
    /// different writes.
    package var shared: Set<Life> = []
    /// The place after which to continue; nil at the beginning.
    package var after: Place?
    /// The most records to examine.
    package var most: Int

    /// A place in the order in which records expire, one lane after the other.
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

    /// The commit, to be handled like any other; nil if it changed nothing.
    ///
    /// Each commit leads to a comparison with other devices, and each comparison to a sweep; an empty commit must not
    /// continue that cycle.
    package var news: StoreCommit? { commit.changed.isEmpty ? nil : commit }
}
