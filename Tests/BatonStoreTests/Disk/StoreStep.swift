import BatonCore
import Support

/// One thing that a node asks of its store, which is kept by one commit of each lane, or not at all.
struct StoreStep: CustomStringConvertible {
    /// What it is, for messages.
    let description: String
    /// Whether all that was kept before survives the loss of power once this is done.
    var isReport = false
    /// Whether the store is closed and opened instead.
    var isReopening = false
    /// Does it; answers with what came of it, by which stores are compared.
    let perform: (any AccountStore) throws(StoreFailure) -> StoreOutcome
}

/// What came of a step.
enum StoreOutcome: Equatable {
    case commits([StoreCommit])
    case reports(Reports)
    case count(Int)
    case gaveUp(Bool)
    case sums(LaneSums)
    case failed(StoreFailure.Code)
    case nothing
}

extension StoreStep {
    /// Keeps some transactions in one group.
    static func commit(_ transactions: [StoreTransaction], _ description: String) -> StoreStep {
        StoreStep(description: description) { (store) throws(StoreFailure) in
            var commits: [StoreCommit] = []
            try store.group { () throws(StoreFailure) in
                for transaction in transactions { commits.append(try store.commit(transaction)) }
            }
            return .commits(commits)
        }
    }

    /// Begins to keep transactions, and gives up.
    static func giveUp(_ transactions: [StoreTransaction]) -> StoreStep {
        StoreStep(description: "a group that fails") { (store) throws(StoreFailure) in
            do throws(StoreFailure) {
                try store.group { () throws(StoreFailure) in
                    for transaction in transactions { _ = try store.commit(transaction) }
                    throw StoreFailure(.newer, "on purpose")
                }
            } catch  where error.code == .newer {
                return .failed(error.code)
            }
            return .nothing
        }
    }

    static var reopening: StoreStep {
        StoreStep(description: "an opening", isReopening: true) { (_) in .nothing }
    }
}
