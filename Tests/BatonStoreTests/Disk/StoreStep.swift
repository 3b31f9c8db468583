import BatonCore
import Support

/// One operation of a node on its store, which one commit of each lane keeps completely or not at all.
struct StoreStep: CustomStringConvertible {
    /// A description, for messages.
    let description: String
    /// Whether everything before it survives a power loss once it is done.
    var isReport = false
    /// Whether the store is closed and opened instead.
    var isReopening = false
    /// Performs the step; returns its outcome, by which stores are compared.
    let perform: (any AccountStore) throws(StoreFailure) -> StoreOutcome
}

/// The outcome of a step.
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
    /// Commits some transactions in one group.
    static func commit(_ transactions: [StoreTransaction], _ description: String) -> StoreStep {
        StoreStep(description: description) { (store) throws(StoreFailure) in
            var commits: [StoreCommit] = []
            try store.group { () throws(StoreFailure) in
                for transaction in transactions { commits.append(try store.commit(transaction)) }
            }
            return .commits(commits)
        }
    }

    /// Begins a group of transactions, and fails it.
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
