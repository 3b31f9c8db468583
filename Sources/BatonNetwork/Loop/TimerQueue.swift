/// Identifies one timer of an event loop, so that it can be cancelled; a token is never used for another timer.
struct TimerToken: Hashable, Sendable {
    /// The number of the timer, counted in the order in which timers were made.
    let number: UInt64
}

/// A binary heap of timers by deadline; timers with the same deadline keep the order in which they were made.
///
/// When a timer is cancelled, its action is released at once. Its heap entry is removed later, when it reaches the top,
/// or when more than half of all entries are cancelled. So timers that are always cancelled do not fill the memory.
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

    /// The heap: the entry at the index `i` precedes its two children, at `2 * i + 1` and `2 * i + 2`.
    private var heap: [Entry] = []
    /// The actions of timers that have neither run nor been cancelled, keyed by the numbers of the timers.
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

    /// Removes a timer and returns its action; nil if the timer has already run or was cancelled.
    ///
    /// The caller must release the action only after this call, because releasing the action may cancel other timers.
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

    /// Removes the first timer and returns its action, if the timer is due at `time` and its number is below `limit`.
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

    /// Removes the entries of cancelled timers and rebuilds the heap.
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
