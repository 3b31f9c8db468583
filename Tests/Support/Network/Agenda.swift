import BatonCore

/// What will happen and when, in virtual time; what is due at one moment happens in the order of its entry.
struct Agenda {
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

    /// Enters what is to happen then.
    mutating func enter(at due: Instant, _ action: @escaping () -> Void) {
        entered += 1
        entries.append(Entry(due: max(due, now), number: entered, action: action))
        var place = entries.count - 1
        while place > 0, entries[place] < entries[(place - 1) / 2] {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Moves on to what happens next; nothing if all is quiet.
    mutating func next() -> (() -> Void)? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        now = first.due
        return first.action
    }

    private mutating func sink() {
        var place = 0
        while true {
            let children = [2 * place + 1, 2 * place + 2].filter { $0 < entries.count }
            guard let least = children.min(by: { entries[$0] < entries[$1] }), entries[least] < entries[place]
            else {
                return
            }
            entries.swapAt(place, least)
            place = least
        }
    }
}
