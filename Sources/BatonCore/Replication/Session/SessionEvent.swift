/// Where a session stands.
enum SessionState: Sendable {
    /// The store was asked what it has; the peer may have sent its first message already.
    case starting(hello: Hello?)
    /// The own first message is on its way.
    case greeting(StoreSummary)
    /// The digests differ; the own standing is on its way, and one with this digest is awaited.
    case comparing(StoreSummary, digest: [UInt8], [Lane: Cursor])
    /// Batches go both ways.
    case exchanging
    case closed
}

/// Who this side of a session is.
package struct SessionIdentity: Equatable, Sendable {
    package let account: AccountIdentifier
    package let device: DeviceIdentifier
    package let name: String
    /// Where this side takes connections, if it does.
    package let port: UInt16?
    /// What this side can do beyond version 1.
    package let features: Features
    /// What the clock here shows, where that is told.
    package var clock: WallTime?

    package init(
        account: AccountIdentifier, device: DeviceIdentifier, name: String, port: UInt16?,
        features: Features = .offered
    ) {
        (self.account, self.device, self.name, self.port) = (account, device, name, port)
        self.features = features
    }
}

/// What a session tells its driver.
package enum SessionEvent: Equatable, Sendable {
    /// The peer's first message came.
    case greeted(Hello)
    /// From now on batches go both ways.
    case opened
    /// The peer goes on with an activity of this device: answer with `answerContinue(_:_:)`.
    case continueRequested(ContinueRequest)
    /// The peer told where other devices of the account may be found.
    case addressesTold([DeviceAddresses])
    /// The peer answered.
    case continueAnswered(ContinueAnswer)
    /// Someone else makes writes in the name of this device's life: begin another, and tell the person.
    case lifeTaken(Life)
    /// A snapshot of the peer that was under way can't come to its end: abandon it, and meet everyone anew.
    case snapshotLost
    /// All that the peer claimed when the session opened is claimed here; it comes once, also where the two compare nothing.
    case toldAll
    /// The peer told at which time it compares: the beginning of the day before its present one.
    case timeTold(WallTime)
    /// This side claims all that the peer claimed at that time of comparing, and no more.
    case met(at: WallTime)
    /// The peer claims the same and holds something else.
    case differed(Difference)
    /// The peer claims the same and holds the same, for the first time in this session or again.
    case agreed
    /// The peer broke off; nothing more is sent.
    case closedByPeer(CloseReason)
    /// This side broke off; send what `nextFrame()` still has, then hang up.
    case closedHere(CloseReason)
}

/// What a session wants of the store.
///
/// A request is about one lane, or about the whole account. Answers about a lane are handed back in the order of the
/// requests about it, and one about the whole account after those to all requests before it and before those to all
/// after it; answers about different lanes may overtake each other. Once the store has failed a request, it must do none
/// that the session made after it about the same lane or the account, told of the failure or not: a later batch may
/// claim what the failed one brought.
package enum StoreRequest: Equatable, Sendable {
    case summary(for: DeviceIdentifier)
    case changes(ChangesRequest)
    case range(RangeRequest)
    case apply(StoreTransaction)
    case keepReports(Reports)
    /// At the time that the peer told, or at the one that the present time asks for (`check(toldAt:now:)`).
    case check(at: WallTime?)
    case sums(Lane, at: WallTime)
    case part(PartRequest)
}

/// What the store says to a session.
package enum StoreAnswer: Equatable, Sendable {
    case summary(StoreSummary)
    case changes(Lane, ChangesAnswer)
    case range(Lane, RangeAnswer)
    case applied(Lane, StoreCommit)
    /// With all reports that are known by now.
    case keptReports(Reports)
    case check(StateCheck?)
    case sums(LaneSums)
    case part(Lane, RecordPart)
    case failed(StoreFailure)
}
