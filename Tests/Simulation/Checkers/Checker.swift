import BatonCore

/// Watches a world for one promise.
///
/// It hears what happens as it happens, and is asked for its judgement once all is at rest.
protocol Checker: AnyObject {
    /// A write was kept where it was made.
    func noteWritten(_ entry: Ledger.Entry, at node: SimulatedNode, _ world: World)
    /// A node merged what a peer sent, in a group that may still fail.
    func noteMerged(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World)
    /// A node kept what a peer sent.
    func noteKept(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World)
    /// A node kept something, or let go of something.
    func noteCommit(at node: SimulatedNode, _ world: World)
    /// A store told what it has, for a session that is to begin.
    func noteSummary(_ summary: StoreSummary, for endpoint: Endpoint, _ world: World)
    /// A session asks the store what is new.
    func noteAsked(_ request: ChangesRequest, by endpoint: Endpoint, _ world: World)
    /// A store told of a commit.
    func noteCommitted(_ commit: StoreCommit, at node: SimulatedNode, _ world: World)
    /// A node lost what it had.
    func noteLoss(at node: SimulatedNode, _ world: World)
    /// A node began a new order of arrival, so that nobody can go on where it was.
    func noteBeginning(at node: SimulatedNode, _ world: World)
    /// Bytes wait to be taken by a peer.
    func noteWaiting(_ endpoint: Endpoint, _ world: World)
    /// A node heard of statements; anew if it has just begun and knows nothing else.
    func noteStatements(
        _ statements: [RosterStatement], at node: SimulatedNode, isAnew: Bool, _ world: World)
    /// A frame is sent.
    func noteSent(_ frame: Frame, from endpoint: Endpoint, _ world: World)
    /// The same frame, as it is read.
    func noteSent(_ message: PeerMessage, from endpoint: Endpoint, _ world: World)
    /// A peer told where devices may be found.
    func noteAddresses(_ routes: [DeviceAddresses], at endpoint: Endpoint, _ world: World)
    /// A session found that all that the peer claims is claimed here.
    func noteMeeting(at endpoint: Endpoint, _ world: World)
    /// An app was shown a client state.
    func noteShown(_ state: ShownState, at node: SimulatedNode, _ world: World)
    /// Something is wrong with what a node holds: whether it goes against this promise.
    func judge(_ node: SimulatedNode, _ world: World, _ truth: Truth)
    /// All is quiet, and all that can be exchanged was.
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
    func noteSent(_ frame: Frame, from endpoint: Endpoint, _ world: World) {}
    func noteSent(_ message: PeerMessage, from endpoint: Endpoint, _ world: World) {}
    func noteAddresses(_ routes: [DeviceAddresses], at endpoint: Endpoint, _ world: World) {}
    func noteMeeting(at endpoint: Endpoint, _ world: World) {}
    func noteShown(_ state: ShownState, at node: SimulatedNode, _ world: World) {}
    func judge(_ node: SimulatedNode, _ world: World, _ truth: Truth) {}
    func judgeAtRest(_ world: World, _ truth: Truth) {}
}

extension World {
    /// One checker a promise, or a part of one; those that say most of what is wrong come first.
    static func allCheckers(of world: World) -> [any Checker] {
        // Two machines that write in one life break what the others demand of writes and of claims.
        if world.hasTwins {
            return [
                TwinsAgree(), ClosedIsSilent(), AcknowledgementsHold(), ChangesAreTold(),
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
        checkers += checkersOfFiles(in: world)
        checkers += [
            DotsAreUnique(), NoResurrection(), LastWordWins(), TracesHaveClears(), NothingIsLeft(),
            SweptHadExpired(),
            MeetingsAreTrue(), AcknowledgedIsKept(),
        ]
        checkers += [
            UnknownIsKept(), ClosedIsSilent(), AcknowledgementsHold(), Convergence(), DifferencesAreMended(),
            BacklogIsTrue(),
        ]
        checkers += [
            NothingComesBack(), ChangesAreTold(), ActivitiesAreListed(), LivesFollow(),
            CheckpointsFollowData(), Resumption(),
        ]
        // Places of devices that are no members any more are forgotten.
        if !profile.hasRoster { checkers.append(PlacesAreKept()) }
        checkers.append(Bounds())
        return checkers
    }

    /// Checkers that ask the product's store what only it answers.
    private static func checkersOfFiles(in world: World) -> [any Checker] {
        world.store == .sqlite ? [UsageIsTrue(), SearchIsTrue()] : []
    }
}
