/// A message between two nodes of an account over `baton/1`.
package enum PeerMessage: Equatable, Sendable {
    /// Each side's first message.
    case hello(Hello)
    /// Everything that a side has, sent if the first messages showed that the two differ.
    case standing(Standing)
    /// Writes that the other side lacks.
    case batch(Batch)
    /// All batches up to this number are stored.
    case acknowledgement(UInt64)
    /// Asks for the latest state of an activity that is being continued at the sender.
    case continueRequest(ContinueRequest)
    case continueAnswer(ContinueAnswer)
    /// The addresses of other devices of the account; only hints where to try, since no address makes a peer trusted.
    case addresses([DeviceAddresses])
    /// The durability reports of devices; part of the tombstone collection feature.
    case reports(Reports)
    /// The sender's claims and state digest; part of the repair feature, like the sums.
    case check(StateCheck)
    /// The sums over the parts of a lane, sent because the two nodes differ.
    case sums(LaneSums)
    /// Asks the peer for a pong with this number; part of the pings feature.
    case ping(UInt64)
    /// The answer to the ping with this number.
    case pong(UInt64)
    /// A message about a continuation stream; part of the streams feature.
    case stream(StreamMessage)
    /// The last message.
    case close(CloseReason)
}

/// The identity and state of a node, in the first message of each side.
package struct Hello: Equatable, Sendable {
    package var account: AccountIdentifier
    package var device: DeviceIdentifier
    package var name: String
    /// The digest of the sender's `complete`: equal vectors need not be exchanged.
    package var completeDigest: [UInt8]
    /// The port on which the sender accepts connections; nil if it accepts none.
    package var port: UInt16?
    /// The version of the sender's program, for logs.
    package var build: String
    /// The features that the sender has beyond version 1.
    package var features: Features
    /// The digest of the reports that the sender knows; nil if it knows none.
    package var reportsDigest: [UInt8]?
    /// The parts of the sender's `complete`; nil unless it is large.
    package var parts: VectorParts?
    /// The time at which the sender judges expiry; nil if it does not compare its state.
    package var compared: WallTime?
    /// The digest of the sender's state at that time; nil unless the sender holds exactly what it claims.
    package var state: StateDigest?
    /// The sender's clock when it made this message.
    package var clock: WallTime?
    /// The peer's last resume token, by lane; only for lanes in which it sent one.
    ///
    /// Devices with equal claims may hold writes that neither claims; the tokens keep them from sending these writes
    /// again.
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

/// The vectors of a node, and its progress in receiving snapshots from its peer.
package struct Standing: Equatable, Sendable {
    package var complete: VersionVector
    /// The progress of the receiver's snapshots, for each lane in which one is under way.
    package var snapshots: [Lane: SnapshotProgress]
    /// A vector that covers all tombstones that the sender garbage-collected.
    package var dropped: VersionVector
    /// The parts that the vectors contain; nil if they contain all.
    ///
    /// In the other parts the receiver's vector equals the sender's.
    package var parts: VectorPartSet?

    package init(
        complete: VersionVector, snapshots: [Lane: SnapshotProgress] = [:],
        dropped: VersionVector = VersionVector(), parts: VectorPartSet? = nil
    ) {
        self.complete = complete
        self.snapshots = snapshots
        self.dropped = dropped
        self.parts = parts
    }
}

/// Writes of one lane, in the order in which they arrived at the sender.
package struct Batch: Equatable, Sendable {
    /// The number of the batch in its session and direction, from 1.
    package var number: UInt64
    package var lane: Lane
    package var writes: [Write]
    /// The sender's `complete` for this lane, without what the receiver is known to have; nil if the sender had more
    /// writes to send when it read these.
    ///
    /// The receiver may claim it too, once it holds the writes.
    package var complete: VersionVector?
    /// The place from which the sender continues next time, once the receiver holds these writes.
    package var resume: ResumeToken
    /// The range of a snapshot that the batch contains in whole; nil if the batch is not such a range.
    package var range: BatchRange?
    /// Whether the writes belong to a snapshot and come before its next range.
    package var isAhead = false
    /// The received writes that can't be read; empty in batches that are sent.
    package var quarantined: [QuarantinedWrite] = []
    /// The place among the batches of a repair; nil if the batch belongs to none.
    ///
    /// The writes of a repair are merged although they are claimed.
    package var repair: RepairPlace?

    package init(
        number: UInt64, lane: Lane, writes: [Write], complete: VersionVector?, resume: ResumeToken,
        range: BatchRange? = nil, repair: RepairPlace? = nil
    ) {
        (self.number, self.lane, self.writes) = (number, lane, writes)
        self.complete = complete
        self.resume = resume
        self.range = range
        self.repair = repair
    }
}

/// The place of a batch among the batches that repair a lane.
package enum RepairPlace: Equatable, Sendable {
    case more
    /// The last batch: nothing of the lane follows.
    case last
}

/// The part of a lane that a batch contains in whole: all surviving writes of its records.
package struct BatchRange: Equatable, Sendable {
    /// The record after which the range begins; nil at the beginning of a snapshot.
    package var after: RecordIdentity?
    /// The record with which the range ends; nil at the end of a snapshot.
    package var through: RecordIdentity?
    /// The sender's claims for the lane when it read the range; nil if unchanged since they were last sent.
    package var complete: VersionVector?
    /// A vector that covers all that the sender garbage-collected in the lane; nil if unchanged since it was last sent.
    package var dropped: VersionVector?
    /// The latest time of all tombstones that the sender garbage-collected in the lane: these ended no later write.
    package var horizon: HybridTime
    /// Whether the writes of the last record were sent before this batch.
    package var isEndAhead: Bool

    package init(
        after: RecordIdentity?, through: RecordIdentity?, complete: VersionVector?, dropped: VersionVector?,
        horizon: HybridTime, isEndAhead: Bool = false
    ) {
        self.after = after
        self.through = through
        self.complete = complete
        self.dropped = dropped
        (self.horizon, self.isEndAhead) = (horizon, isEndAhead)
    }
}

/// Asks the device where an activity is current for its latest state.
package struct ContinueRequest: Equatable, Sendable {
    /// The number of the request, chosen by its sender; the answer repeats it.
    package var number: UInt64
    /// The record of the activity.
    package var identity: RecordIdentity
    /// Whether the activity is to end where it is current.
    package var takes: Bool
    package var step: ContinuationStep
    /// The type that the activity must have; nil for any.
    ///
    /// An app instance can begin an activity of another type under the same record at any time.
    package var type: String?

    package init(
        number: UInt64, identity: RecordIdentity, takes: Bool = false, step: ContinuationStep = .whole,
        type: String? = nil
    ) {
        self.number = number
        self.identity = identity
        self.takes = takes
        self.step = step
        self.type = type
    }
}

/// The part of a continuation that a request asks for.
///
/// A continuation in two steps can fail between them, and then leaves the activity as it was.
package enum ContinuationStep: UInt64, Equatable, Sendable, CaseIterable {
    /// The app brings the activity up to date, and is told in the same step that the activity was continued.
    case whole = 0
    /// The app only brings the activity up to date.
    case fetch = 1
    /// The app is told that the activity was continued, with the state that the fetch returned.
    case confirm = 2
}

/// The answer to one request to continue.
package struct ContinueAnswer: Equatable, Sendable {
    package var number: UInt64
    package var outcome: Outcome

    /// The outcome of the request.
    package enum Outcome: Equatable, Sendable {
        /// The current fields of the activity, and whether its app was asked for them and answered.
        case fields(Fields, isSaved: Bool)
        /// The activity is no longer current; with the device that took it over, if one did.
        case gone(to: DeviceIdentifier?)
        /// The fields are more than a write can hold, or a newer version gives another reason.
        case unavailable
    }

    package init(number: UInt64, outcome: Outcome) { (self.number, self.outcome) = (number, outcome) }
}
