/// Handles the answers of the session's store.
extension Session {
    /// Handles the answer to the oldest unanswered request about that lane, or about the account.
    package mutating func handle(_ answer: StoreAnswer) {
        guard !isClosed else { return }
        do throws(CloseReason) { try handle(open: answer) } catch { close(error) }
    }

    private mutating func handle(open answer: StoreAnswer) throws(CloseReason) {
        switch answer {
        case .summary(let summary): handle(summary)
        case .changes(let lane, .changes(let changes)):
            guard let frame = try exchange?.handle(changes, of: lane) else { return }
            frames.append(frame)
            noteSending()
        case .changes(let lane, .notNow), .range(let lane, .notNow): exchange?.postpone(lane)
        case .changes(let lane, .snapshotNeeded): try beginSnapshot(of: lane)
        case .range(let lane, .anew): exchange?.beginSnapshot(of: lane)
        case .range(let lane, .range(let range)): try exchange?.handle(range, of: lane)
        case .keptReports: handleKeptReports()
        case .check(let check): handle(check)
        case .sums(let sums): handle(sums)
        case .part(let lane, let part): exchange?.mend { $0.handle(part, of: lane) }
        case .applied(let lane, let commit):
            acknowledgement = exchange?.handleApplied(commit, of: lane) ?? acknowledgement
            try conduct.handleApplied(commit, of: lane)
            noteToldAll()
        case .failed(let failure) where failure.code == .peerSetBack:
            throw CloseReason(.setBack, failure.text)
        case .failed(let failure):
            // The store's own message is only for the log here: it names files that are nobody else's business.
            throw CloseReason(.storage, failure.code.told)
        }
    }

    /// Reports to the driver, once, that everything the peer claimed when the session opened is here.
    ///
    /// The two need not be in step for that: the peer may have gone on writing.
    mutating func noteToldAll() {
        guard !hasToldAll, let exchange, exchange.peerComplete.isWithin(exchange.ownComplete) else { return }
        hasToldAll = true
        events.append(.toldAll)
    }

    /// Begins a snapshot; a peer that can't take one would bring back what was deleted.
    private mutating func beginSnapshot(of lane: Lane) throws(CloseReason) {
        guard features.contains(Features.lettingGo) else {
            throw CloseReason(.version, "this peer can't take the snapshot that it needs")
        }
        exchange?.beginSnapshot(of: lane)
    }
}

extension StoreFailure.Code {
    /// The description of the failure that a peer is sent.
    fileprivate var told: String {
        switch self {
        case .full: "the disk is full"
        case .unreadable:
            "more of what came from there can't be read here than is set aside; a newer version of Baton may help"
        case .locked, .newer, .foreign, .damaged, .readOnly, .failed, .peerSetBack, .outranked:
            "the disk refused"
        }
    }
}
