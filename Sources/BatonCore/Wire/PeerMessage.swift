/// What two nodes of an account say to each other over `baton/1`.
package enum PeerMessage: Equatable, Sendable {
    /// Each side's first message.
    case hello(Hello)
    /// All that a side has, where the first messages showed that the two differ.
    case standing(Standing)
    /// Writes that the other side lacks.
    case batch(Batch)
    /// All batches up to this number are kept.
    case acknowledgement(UInt64)
    /// Asks for the latest state of an activity, which is continued at the asker.
    case continueRequest(ContinueRequest)
    case continueAnswer(ContinueAnswer)
    /// Where other devices of the account may be found; only where to try, since nobody is trusted for an address.
    case addresses([DeviceAddresses])
    /// What devices have for good; belongs to the feature of letting go.
    case reports(Reports)
    /// What the sender claims and holds; belongs to the feature of mending, like the sums.
    case check(StateCheck)
    /// The sums over the parts of a lane, where the two differ.
    case sums(LaneSums)
    /// What is said of continuation streams; belongs to the feature of streams.
    case stream(StreamMessage)
    /// The last message.
    case close(CloseReason)
}

/// Who a node is and what it has, in the first message of each side.
package struct Hello: Equatable, Sendable {
    package var account: AccountIdentifier
    package var device: DeviceIdentifier
    package var name: String
    /// The digest of the sender's `complete`: equal ones need not be exchanged.
    package var completeDigest: [UInt8]
    /// Where the sender takes connections, if it does.
    package var port: UInt16?
    /// The version of the sender's program, for logs.
    package var build: String
    /// What the sender can do beyond version 1.
    package var features: Features
    /// The digest of the reports that the sender knows, if it knows any.
    package var reportsDigest: [UInt8]?
    /// The parts of the sender's `complete`, if that is large.
    package var parts: VectorParts?
    /// At which time the sender judges what has expired, if it compares what it holds.
    package var compared: WallTime?
    /// What the sender holds at that time, if it claims all of that and no more.
    package var state: StateDigest?
    /// What the sender's clock showed as it made this.
    package var clock: WallTime?
    /// What the peer told last time, of each lane in which it told something: those who claim the same may hold
    /// writes that neither claims, and need not tell them again.
    package var resume: [Lane: ResumeToken] = [:]

    package init(
        account: AccountIdentifier, device: DeviceIdentifier, name: String, completeDigest: [UInt8],
        port: UInt16?, build: String, features: Features = Features(), reportsDigest: [UInt8]? = nil,
        parts: VectorParts? = nil, compared: WallTime? = nil, state: StateDigest? = nil
    ) {
        (self.account, self.device, self.name) = (account, device, name)
        (self.completeDigest, self.port, self.build) = (completeDigest, port, build)
        (self.features, self.reportsDigest, self.parts) = (features, reportsDigest, parts)
        (self.compared, self.state) = (compared, state)
    }
}

/// What a node has, and how far it came in taking snapshots of its peer.
package struct Standing: Equatable, Sendable {
    package var complete: VersionVector
    /// How far the receiver's snapshots came, of each lane in which one is under way.
    package var snapshots: [Lane: SnapshotProgress]
    /// What covers all traces that the sender let go.
    package var dropped: VersionVector
    /// Of which parts the vectors speak, if the receiver has all others as the sender has them.
    package var parts: VectorPartSet?

    package init(
        complete: VersionVector, snapshots: [Lane: SnapshotProgress] = [:],
        dropped: VersionVector = VersionVector(), parts: VectorPartSet? = nil
    ) {
        (self.complete, self.snapshots, self.dropped, self.parts) = (complete, snapshots, dropped, parts)
    }
}

/// Writes of one lane, in the order in which they arrived at the sender.
package struct Batch: Equatable, Sendable {
    /// Counts the batches of the session and direction, from 1.
    package var number: UInt64
    package var lane: Lane
    package var writes: [Write]
    /// What the sender has of this lane, if nothing further was to be sent when these writes were read; of
    /// that, what the receiver is not known to have.
    ///
    /// The receiver may claim it too, once it holds them.
    package var complete: VersionVector?
    /// Where the sender is to go on next time, once the receiver holds these writes.
    package var resume: ResumeToken
    /// The part of a snapshot that the writes are, if they are one.
    package var range: BatchRange?
    /// The writes belong to a snapshot, and stand before its next range.
    package var isAhead = false
    /// What stood among the writes and can't be read; it is only received.
    package var asides: [QuarantinedWrite] = []
    /// Whether the writes mend a difference, so that they are merged although they are claimed.
    package var mending: MendingPlace?

    package init(
        number: UInt64, lane: Lane, writes: [Write], complete: VersionVector?, resume: ResumeToken,
        range: BatchRange? = nil, mending: MendingPlace? = nil
    ) {
        (self.number, self.lane, self.writes) = (number, lane, writes)
        (self.complete, self.resume, self.range, self.mending) = (complete, resume, range, mending)
    }
}

/// Where a batch stands among those that mend a lane.
package enum MendingPlace: Equatable, Sendable {
    case more
    /// Nothing of the lane follows.
    case last
}

/// The part of a lane that a batch has in whole: all surviving writes of its records.
package struct BatchRange: Equatable, Sendable {
    /// Behind which record it begins; nothing at the beginning of a snapshot.
    package var after: RecordIdentity?
    /// With which record it ends; nothing at the end of a snapshot.
    package var through: RecordIdentity?
    /// What the sender claimed of the lane when it read the range; nothing if that is as it was told last.
    package var complete: VersionVector?
    /// What covers all that the sender had let go of the lane; nothing if that is as it was told last.
    package var dropped: VersionVector?
    /// The latest stamp of all that the sender had let go of the lane: what is later was never ended by any of it.
    package var horizon: HybridTime
    /// The writes of the record at the end came before this batch.
    package var isEndAhead: Bool

    package init(
        after: RecordIdentity?, through: RecordIdentity?, complete: VersionVector?, dropped: VersionVector?,
        horizon: HybridTime, isEndAhead: Bool = false
    ) {
        (self.after, self.through, self.complete, self.dropped) = (after, through, complete, dropped)
        (self.horizon, self.isEndAhead) = (horizon, isEndAhead)
    }
}

/// Asks the device where an activity is going on for its latest state.
package struct ContinueRequest: Equatable, Sendable {
    /// Chosen by the asker; the answer repeats it.
    package var number: UInt64
    /// The record of the activity.
    package var identity: RecordIdentity
    /// Whether it is to end where it is going on.
    package var takes: Bool

    package init(number: UInt64, identity: RecordIdentity, takes: Bool = false) {
        (self.number, self.identity, self.takes) = (number, identity, takes)
    }
}

/// The answer to one request to continue.
package struct ContinueAnswer: Equatable, Sendable {
    package var number: UInt64
    package var outcome: Outcome

    /// What became of the request.
    package enum Outcome: Equatable, Sendable {
        /// The fields of the activity as they are now, and whether its app was asked for them and answered.
        case fields(Fields, isSaved: Bool)
        /// The activity is not going on any more; where it was taken over, if it was.
        case gone(to: DeviceIdentifier?)
        /// The fields are more than a write can hold; or another reason, which a newer version gives.
        case unavailable
    }

    package init(number: UInt64, outcome: Outcome) { (self.number, self.outcome) = (number, outcome) }
}
