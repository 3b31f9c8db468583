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
    /// The opening messages were exchanged; from now on batches go both ways.
    case opened
    /// The peer continues an activity of this device: answer with `answerContinue(_:_:)`.
    case continueRequested(ContinueRequest)
    /// The peer sent the addresses of other devices of the account.
    case addressesTold([DeviceAddresses])
    /// The peer answered a request to continue.
    case continueAnswered(ContinueAnswer)
    /// Another machine writes under this device's life: begin a new life, and tell the person.
    case lifeTaken(Life)
    /// An unfinished snapshot from the peer can't be completed: abandon it, and reconnect to all devices.
    case snapshotLost
    /// All that the peer claimed when the session opened is claimed here; sent once, even if the two compare nothing.
    case toldAll
    /// The peer sent the time at which it compares: the beginning of the day before its present one.
    case timeTold(WallTime)
    /// This side claims everything that the peer claimed at that time of comparing, and no more.
    case met(at: WallTime)
    /// The peer claims the same and has another state.
    case differed(Difference)
    /// The peer claims the same and has the same state: the first comparison of this session, or one after a
    /// difference.
    case agreed
    /// The peer closed the session; nothing more is sent.
    case closedByPeer(CloseReason)
    /// This side closed the session: send the frames that `nextFrame()` still returns, then close the connection.
    case closedHere(CloseReason)
}

/// A request of a session to the store.
///
/// A request is about one lane, or about the whole account. Answers about a lane are returned in the order of the
/// requests about it. The answer to a request about the whole account comes after the answers to all earlier requests,
/// and before the answers to all later ones. Answers about different lanes may overtake each other. Once a request has
/// failed, the store must execute no later request of the session about the same lane or the account, whether or not
/// the session knows of the failure: a later batch may claim what the failed batch brought.
package enum StoreRequest: Equatable, Sendable {
    case summary(for: DeviceIdentifier)
    case changes(ChangesRequest)
    case range(RangeRequest)
    indirect case apply(StoreTransaction)
    case keepReports(Reports)
    /// A check at the time that the peer sent, or else at the present time of comparing (`check(toldAt:now:)`).
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
    /// The reports were stored; these are all reports that are known now.
    case keptReports(Reports)
    case check(StateCheck?)
    case sums(LaneSums)
    case part(Lane, RecordPart)
    case failed(StoreFailure)
}
