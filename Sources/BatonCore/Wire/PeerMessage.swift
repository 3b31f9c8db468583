/// A message of the protocol `baton/1`, between two nodes of an account.
package enum PeerMessage: Equatable, Sendable {
    /// The first message of each side.
    case hello(Hello)
    /// The claims of a side.
    ///
    /// It is sent if the first messages show that the claims of both sides differ.
    case standing(Standing)
    /// Writes that the other side lacks.
    case batch(Batch)
    /// The sender has stored all batches up to this number.
    case acknowledgement(UInt64)
    /// A request for the latest state of an activity that is being continued on the sender.
    case continueRequest(ContinueRequest)
    case continueAnswer(ContinueAnswer)
    /// The addresses of other devices of the account.
    ///
    /// They are only hints. An address does not make a peer trusted.
    case addresses([DeviceAddresses])
    /// The durability reports of devices.
    ///
    /// The message belongs to the feature `Features.collection`.
    case reports(Reports)
    /// The digests of the sender's claims and of its state.
    ///
    /// The message belongs to the feature `Features.repair`.
    case check(StateCheck)
    /// The sums over the parts of a lane.
    ///
    /// They are sent if the states of both nodes differ. The message belongs to the feature `Features.repair`.
    case sums(LaneSums)
    /// A request for a pong with the same number.
    ///
    /// The message belongs to the feature `Features.pings`.
    case ping(UInt64)
    /// The answer to the ping with the same number.
    case pong(UInt64)
    /// A message about a continuation stream.
    ///
    /// The message belongs to the feature `Features.streams`.
    case stream(StreamMessage)
    /// The last message, with the reason why the connection ends.
    case close(CloseReason)
}

/// The identity and state of a node, in the first message of each side.
package struct Hello: Equatable, Sendable {
    package var account: AccountIdentifier
    package var device: DeviceIdentifier
    package var name: String
    /// The digest of the sender's claims.
    ///
    /// If the digests of both sides are equal, the claims need not be sent.
    package var completeDigest: [UInt8]
    /// The port on which the sender accepts connections; nil if it accepts none.
    package var port: UInt16?
    /// The version of the sender's program, which is only logged.
    package var build: String
    /// The features beyond version 1 that the sender offers.
    package var features: Features
    /// The digest of the reports that the sender knows; nil if it knows none.
    package var reportsDigest: [UInt8]?
    /// The digests of the parts of the sender's claims; nil if the claims have few origins.
    package var parts: VectorParts?
    /// The time by which records count as expired in `state`; nil if the sender does not compare its state.
    package var compared: WallTime?
    /// The digest of the sender's state at that time; nil unless the sender has exactly the writes that it claims.
    package var state: StateDigest?
    /// The time of the sender's clock when it made this message; nil if it is not sent.
    package var clock: WallTime?
    /// For each lane, the last resume token that the receiver of this message has sent, if it has sent one.
    ///
    /// Two devices with the same claims may have writes that neither of them claims. With the tokens, they do not send
    /// these writes again.
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

/// The claims of a node, and its progress in receiving snapshots from its peer.
package struct Standing: Equatable, Sendable {
    package var complete: VersionVector
    /// The sender's progress in receiving snapshots, for each lane in which a snapshot is unfinished.
    package var snapshots: [Lane: SnapshotProgress]
    /// A vector that covers all tombstones that the sender garbage-collected.
    package var dropped: VersionVector
    /// The parts that the vectors contain; nil if they contain all parts.
    ///
    /// In the other parts, the claims of both sides are the same.
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
    /// The number of the batch among those that this side sends in the session, counted from 1.
    package var number: UInt64
    package var lane: Lane
    package var writes: [Write]
    /// The sender's claims in this lane, without those that the receiver is known to have.
    ///
    /// They are nil if the sender had more writes to send when it read these writes.
    ///
    /// When the receiver has the writes, it may make the same claims.
    package var complete: VersionVector?
    /// The place at which the sender continues next time, if the receiver has stored these writes.
    package var resume: ResumeToken
    /// The range of a snapshot that the batch contains completely; nil if the batch is not such a range.
    package var range: BatchRange?
    /// Whether the writes belong to a snapshot and are sent before its next range.
    package var isAhead = false
    /// The received writes that can't be read.
    ///
    /// It is empty in a batch that is sent.
    package var quarantined: [QuarantinedWrite] = []
    /// Says whether this is the last batch of a repair; nil if the batch does not belong to a repair.
    ///
    /// The writes of a repair are merged although they are claimed already.
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

/// Says whether a batch is the last one that repairs a lane.
package enum RepairPlace: Equatable, Sendable {
    case more
    /// This is the last batch of the lane.
    case last
}

/// The range of a lane's records that a batch contains completely, with all their surviving writes.
package struct BatchRange: Equatable, Sendable {
    /// The record after which the range begins; nil for the first range of a snapshot.
    package var after: RecordIdentity?
    /// The record with which the range ends; nil for the last range of a snapshot.
    package var through: RecordIdentity?
    /// The sender's claims in the lane when it read the range; nil if they are the same as in the last range.
    package var complete: VersionVector?
    /// A vector that covers everything that the sender garbage-collected in the lane; nil if it is the same as in the
    /// last range.
    package var dropped: VersionVector?
    /// The latest time of all tombstones that the sender garbage-collected in the lane.
    ///
    /// These tombstones did not end any later write.
    package var horizon: HybridTime
    /// Whether the writes of the range's last record were sent before this batch.
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

/// A request for the latest state of an activity, sent to the device on which the activity is current.
package struct ContinueRequest: Equatable, Sendable {
    /// The number of the request, which the sender chooses.
    ///
    /// The answer has the same number.
    package var number: UInt64
    /// The record of the activity.
    package var identity: RecordIdentity
    /// Whether the activity must end on the device where it is current.
    package var takes: Bool
    package var step: ContinuationStep
    /// The type that the activity must have; nil for any type.
    ///
    /// At any time, an app instance can begin an activity of another type under the same record.
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
/// A continuation has one step or two.
///
/// A continuation in two steps can fail between the steps. Then the activity stays as it was.
package enum ContinuationStep: UInt64, Equatable, Sendable, CaseIterable {
    /// The app updates the activity, and is told in the same step that the activity was continued.
    case whole = 0
    /// The app only updates the activity.
    case fetch = 1
    /// The app is told that the activity was continued.
    ///
    /// It is given the state that the fetch returned.
    case confirm = 2
}

/// The answer to a request to continue.
package struct ContinueAnswer: Equatable, Sendable {
    package var number: UInt64
    package var outcome: Outcome

    /// The outcome of the request.
    package enum Outcome: Equatable, Sendable {
        /// The latest fields of the activity.
        ///
        /// `isSaved` says whether the app was asked for them and answered.
        case fields(Fields, isSaved: Bool)
        /// The activity is no longer current.
        ///
        /// The value is the device that took it over, if there is one.
        case gone(to: DeviceIdentifier?)
        /// The fields are too large for a write, or a newer version gives another reason.
        case unavailable
    }

    package init(number: UInt64, outcome: Outcome) { (self.number, self.outcome) = (number, outcome) }
}
