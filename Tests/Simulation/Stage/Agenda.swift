import BatonCore

/// The future events of a world by virtual time; events of one moment happen in the order of their entry.
///
/// Worlds beside each other share one agenda.
final class Agenda {
    private(set) var now = Instant(nanoseconds: 1_000_000_000)
    /// A binary heap, the earliest first.
    private var entries: [Entry] = []
    private var entered: UInt64 = 0

    private struct Entry {
        let due: Instant
        let number: UInt64
        let action: () -> Void

        static func < (left: Entry, right: Entry) -> Bool {
            (left.due, left.number) < (right.due, right.number)
        }
    }

    /// Enters an action for a moment.
    func enter(at due: Instant, _ action: @escaping () -> Void) {
        entered += 1
        entries.append(Entry(due: max(due, now), number: entered, action: action))
        var place = entries.count - 1
        while place > 0, entries[place] < entries[(place - 1) / 2] {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Drops all entries.
    func clear() { entries = [] }

    /// Moves on to the next action up to that moment; returns nil if there is none.
    func next(until limit: Instant? = nil) -> (() -> Void)? {
        guard let first = entries.first, limit.map({ first.due <= $0 }) ?? true else {
            if let limit { now = max(now, limit) }
            return nil
        }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        now = first.due
        return first.action
    }

    private func sink() {
        var place = 0
        while true {
            var least = 2 * place + 1
            if least + 1 < entries.count, entries[least + 1] < entries[least] { least += 1 }
            guard least < entries.count, entries[least] < entries[place] else { return }
            entries.swapAt(place, least)
            place = least
        }
    }
}
