/// Identifies one timer of an event loop, to cancel it; it is never used for another timer.
struct TimerToken: Hashable, Sendable {
    /// Counts the timers in the order in which they were made.
    let number: UInt64
}

/// Timers by deadline: a binary heap in which timers with equal deadlines keep the order in which they were made.
///
/// A cancelled timer's action is released at once. Its heap entry is removed when it comes to the top, or when
/// cancelled entries outnumber the others, so that timers that are always cancelled take no memory.
struct TimerQueue {
    /// An entry of the heap.
    private struct Entry {
        let deadline: MonotonicTime
        /// The number of the timer's token.
        let number: UInt64

        /// True if this timer runs before the other one.
        func precedes(_ other: Entry) -> Bool {
            (deadline, number) < (other.deadline, other.number)
        }
    }

    /// Each entry precedes the two at twice its index plus one and plus two.
    private var heap: [Entry] = []
    /// The actions of timers that have neither run nor been cancelled, by number.
    private var actions: [UInt64: () -> Void] = [:]
    /// The number of the next timer; all existing timers have smaller numbers.
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

    /// Returns the earliest deadline of a timer that is not cancelled.
    mutating func nextDeadline() -> MonotonicTime? {
        while let first = heap.first, actions[first.number] == nil { removeFirst() }
        return heap.first?.deadline
    }

    /// Removes the first timer and returns its action, if it is due at this time and its number is below the limit.
    mutating func takeDue(at time: MonotonicTime, madeBefore limit: UInt64) -> (() -> Void)? {
        guard let deadline = nextDeadline(), deadline <= time, heap[0].number < limit else { return nil }
        let action = actions.removeValue(forKey: heap[0].number)
        removeFirst()
        return action
    }

    /// Removes the root of the heap.
    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(0)
    }

    /// Rebuilds the heap without cancelled timers.
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
