/// A part of a world's life that a shrunk world may do without.
package enum Phase: String, CaseIterable, Sendable {
    /// One device does not recover, and the others must work without it.
    case enduring
    /// All connections are lost as all heals.
    case cutting
    case restless
    /// All nodes come to rest and are judged.
    ///
    /// This phase is never dropped, because no later judgement holds without it.
    case rest
    /// Disks refuse once what devices do by themselves.
    case refusing = "refusing upkeep"
    /// Two nodes with the same claims hold different states, and find out.
    case repairing
    /// Every tombstone that all nodes have is garbage-collected.
    case collecting = "collecting tombstones"
    case meeting = "meeting again"
    /// Days pass until all that expires has gone.
    case expiring
    /// Processes end while something is left to be done, and then in order.
    case restarting
    /// A device was away while another one joined, and comes back while that one is away.
    case late = "coming back late"
    /// A device gets a write that it can't read.
    case unreadable = "getting unreadable writes"
    /// A device merges batches over writes that it can't read.
    case quarantining = "merging over unreadable writes"
    /// Disks refuse what the account does by itself, also after the loss of a store.
    case refusingAccounts = "refusing what the account does"
    /// All devices but one are gone, and what expires there goes.
    case alone

    static let droppable = Phase.allCases.filter { $0 != .rest }
}

/// The name of one event of a world, the same however much of the world is dropped.
package struct PlannedEvent: Hashable, Sendable {
    let step: Int
    let what: What
    /// Whether it belongs to the neighbouring account.
    let isBeside: Bool

    enum What: Hashable, Sendable {
        case operation(Operation)
        case fault(Fault)
        /// Two nodes connect, by their numbers.
        case connection(Int, Int)
        /// Someone writes while writers never rest.
        case restlessWrite
    }

    init(_ step: Int, _ what: What, in world: World) {
        (self.step, self.what, isBeside) = (step, what, world.host != nil)
    }
}
