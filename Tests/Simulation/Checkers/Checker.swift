import BatonCore

/// Watches a world for one promise.
///
/// It is told of events as they happen, and is asked for its judgement once all is at rest.
protocol Checker: AnyObject {
    /// A write was stored where it was made.
    func noteWritten(_ entry: Ledger.Entry, at node: SimulatedNode, _ world: World)
    /// A node merged what a peer sent, in a group that may still fail.
    func noteMerged(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World)
    /// A node stored what a peer sent.
    func noteKept(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World)
    /// A node stored or garbage-collected something.
    func noteCommit(at node: SimulatedNode, _ world: World)
    /// A store gave its summary, for a session that is to begin.
    func noteSummary(_ summary: StoreSummary, for endpoint: Endpoint, _ world: World)
    /// A session asks the store for changes.
    func noteAsked(_ request: ChangesRequest, by endpoint: Endpoint, _ world: World)
    /// A store reported a commit.
    func noteCommitted(_ commit: StoreCommit, at node: SimulatedNode, _ world: World)
    /// A node lost stored data.
    func noteLoss(at node: SimulatedNode, _ world: World)
    /// A node began a new order of arrival, so that no peer can resume.
    func noteBeginning(at node: SimulatedNode, _ world: World)
    /// Bytes wait for a peer to take them.
    func noteWaiting(_ endpoint: Endpoint, _ world: World)
    /// A node received statements.
    ///
    /// They count as new if it has just begun and knows nothing else.
    func noteStatements(
        _ statements: [RosterStatement], at node: SimulatedNode, isAnew: Bool, _ world: World)
    /// A node has these revocations in both files beside its store.
    func noteKept(_ revocations: [RosterStatement], at node: SimulatedNode, _ world: World)
    /// The connection took all frames that a session had.
    func noteFramesTaken(_ endpoint: Endpoint, _ world: World)
    /// A frame is sent.
    func noteSent(_ frame: Frame, from endpoint: Endpoint, _ world: World)
    /// A frame is sent, here as the message that it holds.
    func noteSent(_ message: PeerMessage, from endpoint: Endpoint, _ world: World)
    /// An acknowledgement arrived, and is about to be handled.
    func noteArrived(_ message: PeerMessage, at endpoint: Endpoint, _ world: World)
    /// A session broke off.
    func noteClosed(_ reason: CloseReason, _ endpoint: Endpoint, _ world: World)
    /// A session asks the store for a range of a snapshot.
    func noteRange(_ request: RangeRequest, by endpoint: Endpoint, _ world: World)
    /// A store said what it knows of the reports of all devices.
    func noteReports(_ reports: Reports, at node: SimulatedNode, _ world: World)
    /// A peer sent the addresses of devices.
    func noteAddresses(_ routes: [DeviceAddresses], at endpoint: Endpoint, _ world: World)
    /// A session found that everything that the peer claims is claimed here.
    func noteMeeting(at endpoint: Endpoint, _ world: World)
    /// An app was shown a client state.
    func noteShown(_ state: ShownState, at node: SimulatedNode, _ world: World)
    /// Something is wrong with what a node holds: judges whether it breaks this promise.
    func judge(_ node: SimulatedNode, _ world: World, _ truth: Truth)
    /// All is quiet, and everything that can be exchanged was.
    func judgeAtRest(_ world: World, _ truth: Truth)
}

extension Checker {
    func noteWritten(_ entry: Ledger.Entry, at node: SimulatedNode, _ world: World) {}
    func noteMerged(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World
    ) {}
    func noteKept(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World
    ) {}
    func noteCommit(at node: SimulatedNode, _ world: World) {}
    func noteSummary(_ summary: StoreSummary, for endpoint: Endpoint, _ world: World) {}
    func noteAsked(_ request: ChangesRequest, by endpoint: Endpoint, _ world: World) {}
    func noteCommitted(_ commit: StoreCommit, at node: SimulatedNode, _ world: World) {}
    func noteLoss(at node: SimulatedNode, _ world: World) {}
    func noteBeginning(at node: SimulatedNode, _ world: World) {}
    func noteWaiting(_ endpoint: Endpoint, _ world: World) {}
    func noteStatements(
        _ statements: [RosterStatement], at node: SimulatedNode, isAnew: Bool, _ world: World
    ) {}
    func noteKept(_ revocations: [RosterStatement], at node: SimulatedNode, _ world: World) {}
    func noteFramesTaken(_ endpoint: Endpoint, _ world: World) {}
    func noteSent(_ frame: Frame, from endpoint: Endpoint, _ world: World) {}
    func noteSent(_ message: PeerMessage, from endpoint: Endpoint, _ world: World) {}
    func noteArrived(_ message: PeerMessage, at endpoint: Endpoint, _ world: World) {}
    func noteClosed(_ reason: CloseReason, _ endpoint: Endpoint, _ world: World) {}
    func noteRange(_ request: RangeRequest, by endpoint: Endpoint, _ world: World) {}
    func noteReports(_ reports: Reports, at node: SimulatedNode, _ world: World) {}
    func noteAddresses(_ routes: [DeviceAddresses], at endpoint: Endpoint, _ world: World) {}
    func noteMeeting(at endpoint: Endpoint, _ world: World) {}
    func noteShown(_ state: ShownState, at node: SimulatedNode, _ world: World) {}
    func judge(_ node: SimulatedNode, _ world: World, _ truth: Truth) {}
    func judgeAtRest(_ world: World, _ truth: Truth) {}
}

extension World {
    /// Returns one checker for each promise or part of a promise; the checkers that explain most come first.
    static func allCheckers(of world: World) -> [any Checker] {
        // Two machines that write in one life break what the other checkers demand of writes and of claims.
        if world.hasTwins {
            return [
                TwinsAgree(), OrdersAreOwn(), SharedLivesAreKnown(), ClosedIsSilent(), AcknowledgementsHold(),
                SilenceIsTrue(),
                ChangesAreTold(),
                ActivitiesAreListed(),
            ]
                + checkersOfFiles(in: world) + [UnknownIsKept(), Resumption(), Bounds()]
        }
        let profile = world.profile
        var checkers: [any Checker] = []
        if profile.hasRoster { checkers.append(StrangersStayOut()) }
        if profile.hasApps { checkers.append(FreshestPayload()) }
        if world.isBesideAnother { checkers.append(AccountsStayApart()) }
        if profile[.hold] > 0 || profile.hasApps { checkers.append(HeldStays()) }
        if profile[.tell] > 0 { checkers.append(AddressesArrive()) }
        if profile[.save] > 0 { checkers.append(ProgramsAreHeard()) }
        checkers += checkersOfFiles(in: world)
        checkers += [
            DotsAreUnique(), NoResurrection(), LastWordWins(), TombstonesHaveClears(), NothingIsLeft(),
            SweptHadExpired(),
            MeetingsAreTrue(), AcknowledgedIsKept(),
        ]
        checkers += [
            UnknownIsKept(), ClosedIsSilent(), AcknowledgementsHold(), Convergence(),
            DifferencesAreRepaired(), GivenUpStartsOver(),
            BacklogIsTrue(), DevicesAreKnown(),
        ]
        checkers += [
            NothingComesBack(), ChangesAreTold(), ActivitiesAreListed(), LivesFollow(),
            CheckpointsFollowData(), Resumption(), OrdersAreOwn(),
        ]
        checkers.append(ReasonsAreHeeded())
        // Positions of devices that are no longer members are forgotten.
        if !profile.hasRoster { checkers.append(PlacesAreKept()) }
        checkers += [SilenceIsTrue(), SnapshotsEnd(), PromisesGrow()]
        checkers += [QuarantineHolds(), RefusedIsDone()]
        checkers.append(Bounds())
        return checkers
    }

    /// Returns checkers that ask the product's store what no other store answers.
    private static func checkersOfFiles(in world: World) -> [any Checker] {
        world.store == .sqlite ? [UsageIsTrue(), SearchIsTrue()] : []
    }
}
