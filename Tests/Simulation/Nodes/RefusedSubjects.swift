import BatonCore

/// The subjects of the account that a node's disk refused, and that were not done since.
///
/// The account must do each of them later by itself. The next process finds out anew what is left to be done.
struct RefusedSubjects {
    private(set) var left: Set<Subject> = []
    /// The subjects that the disk refuses the next time.
    var toRefuse: Set<Subject> = []

    /// The subject of work that the account does by itself.
    enum Subject: Hashable {
        case settling(Lane), report(Lane), claims, reports, keptReports, forgottenReports, tombstones, strays
        case arrivalOrder
        /// A statement of the roster.
        case statement(RecordIdentity)
    }

    /// All subjects but statements.
    static let all: [Subject] =
        Lane.allCases.flatMap { [.settling($0), .report($0)] } + [
            .claims, .reports, .keptReports, .forgottenReports, .tombstones, .strays, .arrivalOrder,
        ]

    /// Returns whether the disk refuses a group because of a subject in it; it takes that the next time.
    mutating func refuse(_ items: [SimulatedNode.Work]) -> Bool {
        guard !toRefuse.isEmpty else { return false }
        let refused = toRefuse.intersection(items.flatMap(\.subjects))
        toRefuse.subtract(refused)
        return !refused.isEmpty
    }

    /// Notes that the disk refused a group.
    mutating func note(refused items: [SimulatedNode.Work]) {
        left.formUnion(items.lazy.filter { !$0.isInVain }.flatMap(\.subjects))
    }

    /// Notes that the disk took a group.
    mutating func note(done items: [SimulatedNode.Work]) {
        guard !left.isEmpty else { return }
        left.subtract(items.flatMap(\.subjects))
    }

    /// Notes that a process ended.
    mutating func noteEnd() { left = [] }
}

extension RefusedSubjects.Subject {
    /// The place of a subject in the order in which subjects are judged.
    var place: String { "\(self)" }
}

extension SimulatedNode.Work {
    /// The subjects that the account does with this work.
    fileprivate var subjects: [RefusedSubjects.Subject] {
        switch self {
        case .settle(let lane): [.settling(lane)]
        case .report(_, let lane): [.report(lane)]
        case .beginOrder: [.arrivalOrder]
        case .ask(let request): [request.subject]
        case .write(let transaction, let own, _) where own.isOfAccount:
            transaction.writes.map(\.identity).filter { $0.kind == .rosterStatement }.map { .statement($0) }
        // A record that was not swept is swept another time.
        case .askSharedLives, .sweep, .request, .write, .stage, .discard, .witness: []
        }
    }
}

extension TombstoneCollector.Request {
    fileprivate var subject: RefusedSubjects.Subject {
        switch self {
        case .claims: .claims
        case .reports: .reports
        case .keep: .keptReports
        // A device that could not discard a snapshot forgets reports instead, and then begins anew.
        case .forget, .abandonSnapshots: .forgottenReports
        case .collect: .tombstones
        case .strays: .strays
        }
    }
}
