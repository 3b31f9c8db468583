/// How much two words differ.
package enum EditDistance {
    /// Returns the number of letters to add, drop, change or swap with their neighbour.
    ///
    /// If it is more than `most`, any number above `most` is returned, which is found sooner.
    package static func between(
        _ left: [Unicode.Scalar], _ right: [Unicode.Scalar], most: Int = .max
    ) -> Int {
        let width = right.count + 1
        // The last three rows of the table of distances between prefixes of both words, one after the other.
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
                // All further distances build on these two rows.
                if least > most, lastLeast > most { return least }
                (beforeLast, last, next, lastLeast) = (last, next, beforeLast, least)
            }
            return rows[last + right.count]
        }
    }
}
