/// Computes how much two words differ.
package enum EditDistance {
    /// Returns the smallest number of steps that change one word into the other.
    ///
    /// A step adds, removes or changes one letter, or swaps two adjacent letters.
    ///
    /// If the distance is larger than `most`, the result is some number larger than `most`. It is computed faster than
    /// the exact distance.
    package static func between(
        _ left: [Unicode.Scalar], _ right: [Unicode.Scalar], most: Int = .max
    ) -> Int {
        let width = right.count + 1
        // The last three rows of the table of distances between prefixes of both words. The buffer has the rows one
        // after another.
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: 3 * width) { rows in
            for place in 0..<width { (rows[place], rows[width + place]) = (0, place) }
            rows[(2 * width)...].initialize(repeating: 0)
            var beforeLast = 0
            var last = width
            var next = 2 * width
            var lastLeast = 0
            for row in 0..<left.count {
                rows[next] = row + 1
                var least = row + 1
                for column in 0..<right.count {
                    var best = min(rows[last + column + 1], rows[next + column]) + 1
                    best = min(best, rows[last + column] + (left[row] == right[column] ? 0 : 1))
                    if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                        best = min(best, rows[beforeLast + column - 1] + 1)
                    }
                    rows[next + column + 1] = best
                    least = min(least, best)
                }
                // All later distances are computed from these two rows, so none of them can be smaller.
                if least > most, lastLeast > most { return least }
                (beforeLast, last, next, lastLeast) = (last, next, beforeLast, least)
            }
            return rows[last + right.count]
        }
    }
}
