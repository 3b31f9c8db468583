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

    package init(
        account: AccountIdentifier, device: DeviceIdentifier, name: String, completeDigest: [UInt8],
        port: UInt16?, build: String, features: Features = Features()
    ) {
        (self.account, self.device, self.name) = (account, device, name)
        (self.completeDigest, self.port, self.build) = (completeDigest, port, build)
        self.features = features
    }
}

/// What a node has, and where its peer is to go on.
package struct Standing: Equatable, Sendable {
    package var complete: VersionVector
    /// What the peer told last time, of each lane in which it told something.
    package var resume: [Lane: ResumeToken]

    package init(complete: VersionVector, resume: [Lane: ResumeToken] = [:]) {
        (self.complete, self.resume) = (complete, resume)
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

    package init(
        number: UInt64, lane: Lane, writes: [Write], complete: VersionVector?, resume: ResumeToken
    ) {
        (self.number, self.lane, self.writes) = (number, lane, writes)
        (self.complete, self.resume) = (complete, resume)
    }
}

/// Asks the device where an activity is going on for its latest state.
package struct ContinueRequest: Equatable, Sendable {
    /// Chosen by the asker; the answer repeats it.
    package var number: UInt64
    /// The record of the activity.
    package var identity: RecordIdentity

    package init(number: UInt64, identity: RecordIdentity) {
        (self.number, self.identity) = (number, identity)
    }
}

/// The answer to one request to continue.
package struct ContinueAnswer: Equatable, Sendable {
    package var number: UInt64
    package var outcome: Outcome

    /// What became of the request.
    package enum Outcome: Equatable, Sendable {
        /// The fields of the activity as they are now.
        case fields(Fields)
        /// The activity is not going on any more.
        case gone
        /// The fields are more than a write can hold; or another reason, which a newer version gives.
        case unavailable
    }

    package init(number: UInt64, outcome: Outcome) { (self.number, self.outcome) = (number, outcome) }
}
