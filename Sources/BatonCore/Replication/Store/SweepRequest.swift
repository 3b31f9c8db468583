/// Asks to sweep some of what has expired.
package struct SweepRequest: Equatable, Sendable {
    /// The time by which records must have expired to be swept.
    package var time: WallTime
    /// The devices of the account, this one among them.
    package var roster: Set<DeviceIdentifier>
    /// Lives in which more than one machine wrote: two devices that claim the same write of one may hold different
    /// writes.
    package var shared: Set<Life> = []
    /// The place behind which to continue; nil at the beginning.
    package var after: Place?
    /// How many records are examined at most.
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
    /// The place behind which the next step begins.
    package var next: SweepRequest.Place?

    package init(lane: Lane, commit: StoreCommit, next: SweepRequest.Place?) {
        (self.lane, self.commit, self.next) = (lane, commit, next)
    }

    /// The commit if it changed something, which is then handled as any other; otherwise nil.
    ///
    /// A commit is a reason to compare with other devices, and having compared is a reason to sweep.
    package var news: StoreCommit? { commit.changed.isEmpty ? nil : commit }
}
