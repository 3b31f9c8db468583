/// Asks to sweep some of what has expired.
package struct SweepRequest: Equatable, Sendable {
    /// What had expired by then is swept.
    package var time: WallTime
    /// The devices of the account, this one among them.
    package var roster: Set<DeviceIdentifier>
    /// Lives in which more than one machine wrote: who claims a write of one may have another.
    package var shared: Set<Life> = []
    /// Behind which records to go on; nothing at the beginning.
    package var after: Place?
    /// How many records are looked at, at the most.
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
        (self.time, self.roster, after, self.most) = (time, roster, place, most)
    }
}

/// What one step of a sweep did.
package struct SweepStep: Equatable, Sendable {
    package var lane: Lane
    package var commit: StoreCommit
    /// Behind which records the next step begins.
    package var next: SweepRequest.Place?

    package init(lane: Lane, commit: StoreCommit, next: SweepRequest.Place?) {
        (self.lane, self.commit, self.next) = (lane, commit, next)
    }
}
