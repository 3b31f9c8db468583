extension Array {
    /// Calls the closure with every order of these values (Heap's algorithm).
    package func forEachPermutation(_ body: ([Element]) -> Void) {
        var (values, turns) = (self, [Int](repeating: 0, count: count))
        body(values)
        var place = 0
        while place < count {
            guard turns[place] < place else {
                turns[place] = 0
                place += 1
                continue
            }
            values.swapAt(place % 2 == 0 ? 0 : turns[place], place)
            body(values)
            turns[place] += 1
            place = 0
        }
    }
}
