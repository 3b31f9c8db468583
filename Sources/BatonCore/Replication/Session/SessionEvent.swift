/// The identity of this side of a session.
package struct SessionIdentity: Equatable, Sendable {
    package let account: AccountIdentifier
    package let device: DeviceIdentifier
    package let name: String
    /// The port on which this side accepts connections; nil if it accepts none.
    package let port: UInt16?
    /// The features beyond version 1 that this side supports.
    package let features: Features
    /// The time of this device's clock; nil if it is not sent to the peer.
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

/// An event that a session reports to its driver.
package enum SessionEvent: Equatable, Sendable {
    /// The peer's first message arrived.
    case greeted(Hello)
    /// The opening messages were exchanged.
    ///
    /// From now on, both sides send batches.
    case opened
    /// The peer asks to continue an activity of this device.
    ///
    /// The driver answers with `answerContinue(_:_:)`.
    case continueRequested(ContinueRequest)
    /// The peer sent the addresses of other devices of the account.
    case addressesTold([DeviceAddresses])
    /// The peer answered a request to continue.
    case continueAnswered(ContinueAnswer)
    /// Another machine writes under this device's life.
    ///
    /// The driver must begin a new life and tell the person.
    case lifeTaken(Life)
    /// An unfinished snapshot from the peer can't be completed.
    ///
    /// The driver must abandon the snapshot and reconnect to all devices.
    case snapshotLost
    /// This device claims everything that the peer claimed when the session opened.
    ///
    /// The event is sent once, even if the two sides do not compare their states.
    case toldAll
    /// The peer sent its time of comparing, which is the beginning of the day before its current day.
    case timeTold(WallTime)
    /// This side and the peer claimed the same at this time of comparing.
    case met(at: WallTime)
    /// The peer has the same claims and another state.
    case differed(Difference)
    /// The peer has the same claims and the same state.
    ///
    /// The event is sent after the first comparison of the session, and after a comparison that follows a difference.
    case agreed
    /// The peer closed the session.
    ///
    /// Nothing more is sent.
    case closedByPeer(CloseReason)
    /// This side closed the session.
    ///
    /// The driver sends the frames that `nextFrame()` still returns, and then closes the connection.
    case closedHere(CloseReason)
}

/// A request of a session to the store.
///
/// A request is about one lane or about the whole account. Answers about a lane are returned in the order of the
/// requests about it. The answer to a request about the whole account comes after the answers to all earlier requests,
/// and before the answers to all later ones. Answers about different lanes may come in any order. If a request fails,
/// the store must not execute any later request of the session about the same lane or the account. This holds even if
/// the session does not know of the failure yet, because a later batch may claim writes of the failed batch.
package enum StoreRequest: Equatable, Sendable {
    case summary(for: DeviceIdentifier)
    case changes(ChangesRequest)
    case range(RangeRequest)
    indirect case apply(StoreTransaction)
    case keepReports(Reports)
    /// A check of the state at the time that the peer sent.
    ///
    /// If the time is nil, it is the current time of comparing (`check(toldAt:now:)`).
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
    /// The reports were stored.
    ///
    /// The value contains all reports that are known now.
    case keptReports(Reports)
    case check(StateCheck?)
    case sums(LaneSums)
    case part(Lane, RecordPart)
    case failed(StoreFailure)
}
