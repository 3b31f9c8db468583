import CAllocations

/// Counts how often memory is taken.
enum Allocations {
    /// How often doing something takes memory, over many times.
    static func each(of count: Int, _ operation: (Int) throws -> Void) rethrows -> Double {
        // The first call may allocate things that are kept for later calls, so it isn't counted.
        try operation(0)
        let before = CAllocations_count()
        for number in 0..<count { try operation(number) }
        return Double(CAllocations_count() - before) / Double(count)
    }
}
