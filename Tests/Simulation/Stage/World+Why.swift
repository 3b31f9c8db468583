import BatonCore

extension World {
    /// The lines of the story behind the broken promise, or none if its subject is unknown.
    ///
    /// They are all lines that name one of its writes or records, the opening of the session concerned, and where all
    /// nodes stand. If a node broke the promise, the last claims of that node, its connections and its deadlines since the
    /// first of these lines are included.
    package var why: [String] {
        guard let subject = violation?.subject, !subject.isEmpty else { return [] }
        let names = Set(subject.dots.map { $0.told(in: self) } + subject.records.map(\.told) + [Self.found])
        let words = lines.map { Set($0.split(whereSeparator: Self.separatesWords).map(String.init)) }
        var places = Set(lines.indices.filter { !words[$0].isDisjoint(with: names) })
        if let opening = opening(behind: places, of: subject.node, words) { places.formUnion(opening) }
        if let node = subject.node {
            let own = lines.indices.filter { words[$0].contains(node) }
            let first = places.min() ?? lines.startIndex
            places.formUnion(own.filter { $0 >= first && !words[$0].isDisjoint(with: Self.ofConnections) })
            for claim in ["standing", "claiming"] {
                let said = own.last { lines[$0].contains("\(node) → ") && words[$0].contains(claim) }
                if let said { places.insert(said) }
            }
        }
        places.formUnion(lines.indices.filter { words[$0].contains(Self.standing) })
        return Self.joined(places.sorted().map { lines[$0] })
    }

    /// Returns the lines in which the session began that brought the last of those lines to or from a node; if none did,
    /// the session in which the node was last.
    private func opening(behind places: Set<Int>, of node: String?, _ words: [Set<String>]) -> [Int]? {
        let frames = lines.indices.filter { place in
            words[place].contains("→") && (node.map { words[place].contains($0) } ?? true)
        }
        guard let last = frames.last(where: places.contains) ?? (node == nil ? nil : frames.last) else {
            return nil
        }
        let ends = Set(lines[last].split(separator: " ").dropFirst().prefix(3)).subtracting(["→"]).map(
            String.init)
        let isBetween = { (place: Int) in ends.allSatisfy(words[place].contains) }
        let began = lines.indices.prefix(through: last).last {
            isBetween($0) && words[$0].contains("connects")
        }
        guard let began else { return nil }
        return [began]
            + (began...last).filter {
                isBetween($0) && words[$0].contains("→")
                    && !words[$0].isDisjoint(with: ["hello", "standing"])
            }
    }

    /// Joins repeated timeouts: lines about connections and deadlines that say again what others of them said just before.
    private static func joined(_ lines: [String]) -> [String] {
        var (joined, run): ([String], [(key: [Substring], line: String, count: Int, last: Substring)]) = (
            [], []
        )
        let endRun = {
            joined += run.map { $0.count == 1 ? $0.line : "\($0.line) (\($0.count) times until \($0.last))" }
            run = []
        }
        for line in lines {
            let words = line.split(separator: " ")
            let key = words.filter { !$0.allSatisfy(Self.isOfNumber) }
            guard let time = words.first, !isRepeatable.isDisjoint(with: key.map(String.init)) else {
                endRun()
                joined.append(line)
                continue
            }
            if let place = run.firstIndex(where: { $0.key == key }) {
                (run[place].count, run[place].last) = (run[place].count + 1, time)
            } else {
                run.append((key, line, 1, time))
            }
        }
        endRun()
        return joined
    }

    private static func isOfNumber(_ character: Character) -> Bool {
        character.isNumber || ".,".contains(character)
    }

    private static func separatesWords(_ character: Character) -> Bool { " ,;:[]()\"".contains(character) }

    /// The word that marks the line of the violation.
    static let found = "AGAINST"

    /// The words of lines about connections.
    private static let ofConnections: Set<String> = [
        "connects", "connection", "closes", "partition", "deadline",
    ]

    /// The words of lines that may come again and again while a device is silent.
    private static let isRepeatable: Set<String> = ["connects", "closes", "deadline", "deadline:"]
}
