/// Records that a member wrote with a time that no sound clock reaches: what is written to them now does not count.
extension Record {
    /// Whether a new full write, deletion or count of the record would not count.
    ///
    /// A deletion has its effect already where the record is not there, and has none on counters that were begun later.
    package func outranks(deletion isDeletion: Bool, at clock: HybridTime) -> Bool {
        guard isDeletion else { return incarnation.time > clock }
        return isThere && (incarnation.time > clock || counters.values.contains { $0.begun.time > clock })
    }

    /// Whether a new change of one of those fields would not count.
    package func outranksUpdate(of fields: Fields, at clock: HybridTime) -> Bool {
        guard isThere else { return false }
        return incarnation.time > clock
            || fields.contains { (updates[$0.name]?.origin.stamp.time ?? .zero) > clock }
    }
}

extension Write {
    /// Where the write puts its record, if it says that.
    package var scope: Scope? {
        switch action {
        case .full(let content), .count(_, let content): content.scope
        case .deletion, .partial: nil
        }
    }

    /// Whether the write would not count in that record.
    package func isOutranked(by record: Record, at clock: HybridTime) -> Bool {
        switch action {
        case .full, .count: record.outranks(deletion: false, at: clock)
        case .deletion: record.outranks(deletion: true, at: clock)
        case .partial(_, let fields): record.outranksUpdate(of: fields, at: clock)
        }
    }
}

extension Journal.Draft {
    /// Whether a write of the draft would not count in that record.
    package func isOutranked(by record: Record, at clock: HybridTime) -> Bool {
        switch subject {
        case .action(.deletion): record.outranks(deletion: true, at: clock)
        case .action(.partial(_, let fields)), .late(.update(_, _, let fields)):
            record.outranksUpdate(of: fields, at: clock)
        case .action, .counting, .ending, .late(.opening): record.outranks(deletion: false, at: clock)
        }
    }

    /// Where the draft puts its record, if it says that.
    package var scope: Scope? {
        switch subject {
        case .action(.full(let content)), .counting(let content): content.scope
        case .action, .ending, .late: nil
        }
    }
}

extension LateWrite {
    /// Whether the write would not count in that record.
    package func isOutranked(by record: Record, at clock: HybridTime) -> Bool {
        Journal.Draft(late: action).isOutranked(by: record, at: clock)
    }
}

extension Clears {
    /// Whether a record that is written there now would be cleared at once, because a clear is out of reach.
    package func outrank(_ scope: Scope, at clock: HybridTime) -> Bool {
        !isEmpty && latest(covering: scope).map { $0.time > clock } ?? false
    }
}
