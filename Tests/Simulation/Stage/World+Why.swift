import BatonCore

extension World {
    /// The lines of the story behind the broken promise, or none if its subject is unknown.
    ///
    /// They are all lines that name one of its writes or records. If a node broke it, the last claims of that node and
    /// its connections since the first of these lines are included.
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

    /// The word that marks the line of the violation.
    static let found = "AGAINST"

    /// The words of lines about connections.
    private static let ofConnections: Set<String> = ["connects", "connection", "closes", "partition"]
}
