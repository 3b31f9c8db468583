import CAllocations

/// Counts how often memory is taken.
enum Allocations {
    /// How often doing something takes memory, over many times.
    static func each(of count: Int, _ operation: (Int) throws -> Void) rethrows -> Double {
        // What is made once and kept is not counted.
        try operation(0)
        let before = CAllocations_count()
        for number in 0..<count { try operation(number) }
        return Double(CAllocations_count() - before) / Double(count)
    }
}
