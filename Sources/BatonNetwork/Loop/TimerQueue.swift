/// Names one timer of an event loop, to cancel it; never used again.
package struct TimerToken: Hashable, Sendable {
    /// The place of the timer in the order in which timers were made.
    let number: UInt64
}

/// Timers by deadline: a binary heap in which equal deadlines keep the order in which they were made.
///
/// A cancelled timer's action is released at once; its place in the heap goes when it comes to the top, or when
/// such places outnumber the others, so that timers that are always cancelled take no memory.
struct TimerQueue {
    /// A place in the heap.
    private struct Entry {
        /// When the timer is due.
        let deadline: MonotonicTime
        /// Which timer it is.
        let number: UInt64

        /// True if this one is due first.
        func precedes(_ other: Entry) -> Bool {
            (deadline, number) < (other.deadline, other.number)
        }
    }

    /// Each entry precedes, or is, those at twice its place plus one and plus two.
    private var heap: [Entry] = []
    /// What to do, for timers neither run nor cancelled.
    private var actions: [UInt64: () -> Void] = [:]
    /// The number that the next timer gets; all timers that exist have smaller ones.
    private(set) var nextNumber: UInt64 = 0

    /// Adds a timer.
    mutating func add(at deadline: MonotonicTime, _ action: @escaping () -> Void) -> TimerToken {
        let number = nextNumber
        nextNumber += 1
        actions[number] = action
        heap.append(Entry(deadline: deadline, number: number))
        siftUp(heap.count - 1)
        return TimerToken(number: number)
    }

    /// Removes a timer and returns its action; nil if it has run or was cancelled before.
    ///
    /// The caller releases the action when this call is over: what the action holds may cancel timers as it goes.
    mutating func cancel(_ token: TimerToken) -> (() -> Void)? {
        guard let action = actions.removeValue(forKey: token.number) else { return nil }
        if heap.count > 2 * actions.count + 64 { compact() }
        return action
    }

    /// The earliest deadline of a timer that still counts.
    mutating func nextDeadline() -> MonotonicTime? {
        while let first = heap.first, actions[first.number] == nil { removeFirst() }
        return heap.first?.deadline
    }

    /// Takes the first timer if it is due at this time and was made before that number was given out.
    mutating func takeDue(at time: MonotonicTime, madeBefore limit: UInt64) -> (() -> Void)? {
        guard let deadline = nextDeadline(), deadline <= time, heap[0].number < limit else { return nil }
        let action = actions.removeValue(forKey: heap[0].number)
        removeFirst()
        return action
    }

    /// Takes the root away and mends the heap.
    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(0)
    }

    /// Builds the heap anew without the cancelled.
    private mutating func compact() {
        heap.removeAll { actions[$0.number] == nil }
        for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(place) }
    }

    /// Moves an entry towards the root until its parent precedes it.
    private mutating func siftUp(_ start: Int) {
        var place = start
        while place > 0, heap[place].precedes(heap[(place - 1) / 2]) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Moves an entry away from the root until it precedes its children.
    private mutating func siftDown(_ start: Int) {
        var place = start
        while true {
            var first = place
            for child in (2 * place + 1)...(2 * place + 2)
            where child < heap.count && heap[child].precedes(heap[first]) { first = child }
            guard first != place else { return }
            heap.swapAt(place, first)
            place = first
        }
    }
}
