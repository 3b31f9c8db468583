/// How much two words differ.
package enum EditDistance {
    /// Returns the number of letters to add, drop, change or swap with their neighbour.
    package static func between<Letter: Equatable>(_ left: [Letter], _ right: [Letter]) -> Int {
        var (beforeLast, last) = ([Int](), Array(0...right.count))
        for row in 0..<left.count {
            var next = [row + 1]
            for column in 0..<right.count {
                var best = min(last[column + 1], next[column]) + 1
                best = min(best, last[column] + (left[row] == right[column] ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                next.append(best)
            }
            (beforeLast, last) = (last, next)
        }
        return last[right.count]
    }
}
