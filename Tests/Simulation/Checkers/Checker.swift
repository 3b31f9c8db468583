import BatonCore

/// Watches a world for one promise.
///
/// It hears what happens as it happens, and is asked for its judgement once all is at rest.
protocol Checker: AnyObject {
    /// A write was kept where it was made.
    func noteWritten(_ entry: Ledger.Entry, at node: SimulatedNode, _ world: World)
    /// A node kept what a peer sent.
    func noteKept(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World)
    /// A node kept something, or let go of something.
    func noteCommit(at node: SimulatedNode, _ world: World)
    /// A node lost what it had.
    func noteLoss(at node: SimulatedNode, _ world: World)
    /// A node began a new order of arrival, so that nobody can go on where it was.
    func noteBeginning(at node: SimulatedNode, _ world: World)
    /// Bytes wait to be taken by a peer.
    func noteWaiting(_ endpoint: Endpoint, _ world: World)
    /// An app was shown a client state.
    func noteShown(_ state: ShownState, at node: SimulatedNode, _ world: World)
    /// All is quiet, and all that can be exchanged was.
    func judgeAtRest(_ world: World, _ truth: Truth)
}

extension Checker {
    func noteWritten(_ entry: Ledger.Entry, at node: SimulatedNode, _ world: World) {}
    func noteKept(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World
    ) {}
    func noteCommit(at node: SimulatedNode, _ world: World) {}
    func noteLoss(at node: SimulatedNode, _ world: World) {}
    func noteBeginning(at node: SimulatedNode, _ world: World) {}
    func noteWaiting(_ endpoint: Endpoint, _ world: World) {}
    func noteShown(_ state: ShownState, at node: SimulatedNode, _ world: World) {}
    func judgeAtRest(_ world: World, _ truth: Truth) {}
}

extension World {
    /// One checker a promise; those of later promises are added here.
    static func allCheckers(of world: World) -> [any Checker] {
        [
            DotsAreUnique(), AcknowledgedIsKept(), NoResurrection(), UnknownIsKept(), Convergence(),
            CheckpointsFollowData(), Resumption(), Bounds(),
        ]
    }
}
