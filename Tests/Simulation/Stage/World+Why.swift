import BatonCore

extension World {
    /// The lines of the story on which the broken promise hangs; none if nothing is known of what it is about.
    ///
    /// Those are all lines that name one of its writes or records and, if a node broke it, the last claims of that node
    /// and whom it was connected with since the first of these lines.
    package var why: [String] {
        guard let subject = violation?.subject, !subject.isEmpty else { return [] }
        let names = Set(subject.dots.map { $0.told(in: self) } + subject.records.map(\.told) + [Self.found])
        let words = lines.map { Set($0.split(whereSeparator: Self.separatesWords).map(String.init)) }
        var places = Set(lines.indices.filter { !words[$0].isDisjoint(with: names) })
        if let node = subject.node {
            let own = lines.indices.filter { words[$0].contains(node) }
            let first = places.min() ?? lines.startIndex
            places.formUnion(own.filter { $0 >= first && !words[$0].isDisjoint(with: Self.ofConnections) })
            for claim in ["standing", "claiming"] {
                let said = own.last { lines[$0].contains("\(node) → ") && words[$0].contains(claim) }
                if let said { places.insert(said) }
            }
        }
        return places.sorted().map { lines[$0] }
    }

    private static func separatesWords(_ character: Character) -> Bool { " ,;:[]()\"".contains(character) }

    /// The word by which the line of the violation is found.
    static let found = "AGAINST"

    /// The words of lines that say who is connected.
    private static let ofConnections: Set<String> = ["connects", "connection", "closes", "partition"]
}
