/// The identity of this side of a session.
package struct SessionIdentity: Equatable, Sendable {
    package let account: AccountIdentifier
    package let device: DeviceIdentifier
    package let name: String
    /// The port on which this side accepts connections, if it does.
    package let port: UInt16?
    /// The features of this side beyond version 1.
    package let features: Features
    /// The time of the clock here, if it is sent.
    package var clock: WallTime?

    package init(
        account: AccountIdentifier, device: DeviceIdentifier, name: String, port: UInt16?,
        features: Features = .offered
    ) {
        self.account = account
        self.device = device
        self.name = name
        self.port = port
        self.features = features
    }
}

/// A message of a session to its driver.
package enum SessionEvent: Equatable, Sendable {
    /// The peer's first message came.
    case greeted(Hello)
    /// From now on batches go both ways.
    case opened
    /// The peer continues an activity of this device: answer with `answerContinue(_:_:)`.
    case continueRequested(ContinueRequest)
    /// The peer sent the addresses of other devices of the account.
    case addressesTold([DeviceAddresses])
    /// The peer answered.
    case continueAnswered(ContinueAnswer)
    /// Someone else makes writes in the name of this device's life: begin another, and tell the person.
    case lifeTaken(Life)
    /// A snapshot of the peer that was under way can't come to its end: abandon it, and connect to everyone anew.
    case snapshotLost
    /// All that the peer claimed when the session opened is claimed here; sent once, even if the two compare nothing.
    case toldAll
    /// The peer sent the time at which it compares: the beginning of the day before its present one.
    case timeTold(WallTime)
    /// This side claims everything that the peer claimed at that time of comparing, and no more.
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

/// A request of a session to the store.
///
/// A request is about one lane, or about the whole account. Answers about a lane are returned in the order of the
/// requests about it. The answer about the whole account comes after those to all requests before it and before those
/// to all requests after it; answers about different lanes may overtake each other. Once the store has failed a
/// request, it must do none that the session made after it about the same lane or the account, whether or not the
/// session knows of the failure: a later batch may claim what the failed one brought.
package enum StoreRequest: Equatable, Sendable {
    case summary(for: DeviceIdentifier)
    case changes(ChangesRequest)
    case range(RangeRequest)
    indirect case apply(StoreTransaction)
    case keepReports(Reports)
    /// A check at the time that the peer sent, or at the one that follows from the present time (`check(toldAt:now:)`).
    case check(at: WallTime?)
    case sums(Lane, at: WallTime)
    case part(PartRequest)
}

/// An answer of the store to a session.
package enum StoreAnswer: Equatable, Sendable {
    case summary(StoreSummary)
    case changes(Lane, ChangesAnswer)
    case range(Lane, RangeAnswer)
    case applied(Lane, StoreCommit)
    /// The reports were kept; these are all that are known by now.
    case keptReports(Reports)
    case check(StateCheck?)
    case sums(LaneSums)
    case part(Lane, RecordPart)
    case failed(StoreFailure)
}
