import BatonCore
import Support
import Testing

/// The words by which a query is narrowed must be in the index for each value that matches.
@Suite struct `The index words of a text` {
    private func words(_ operand: String) throws -> [String] {
        let query = try SearchQuery("title == \(operand)", at: QueryCase.noon)
        guard case .comparison(let comparison) = query.expression,
            case .text(let pattern) = comparison.operand
        else { return [] }
        return pattern.indexWords.map { $0.text + ($0.isOpen ? "*" : "") }
    }

    @Test(arguments: [
        (#""annual report""#, ["annual", "report"]), (#""par*"cd"#, ["par*"]), (#""*par*"cd"#, []),
        (#""*par""#, []), (#""a-b_c d*e f*""#, ["a", "b", "c", "d*", "f*"]), (#""*big red *""#, ["red"]),
        (#""Window"w"#, []), (#""big red"wt"#, []), (#""big red*"tcd"#, ["big", "red*"]),
        (#""Été straße""#, ["Été", "straße"]), (#""Été straße x"c"#, ["x"]), (#""Été"d"#, ["Été"]),
        (#""東京 tower""#, ["tower"]), (#""東京tower""#, []),
        (#""cafe、bar b""#, ["b"]), (#""*""#, []), (#""""#, []),
        (#""a b c d e f g h i j""#, ["a", "b", "c", "d", "e", "f", "g", "h"]),
    ])
    func `are those words of the pattern whose boundaries are certain`(operand: String, expected: [String])
        throws
    {
        #expect(try words(operand) == expected)
    }

    @Test func `are found in the index for each text that the pattern matches`() throws {
        var (matches, certain) = (0, 0)
        for seed in Seeds.first(60) {
            let drawn = DrawnQueries(seed: seed, items: 8, queries: 80)
            let texts = drawn.items.flatMap(\.texts)
            for query in drawn.queries {
                for pattern in try SearchQuery(query, at: drawn.present).expression.patterns {
                    let words = pattern.indexWords
                    for text in texts where pattern.matches(text) {
                        matches += 1
                        certain += words.count
                        let indexed = WordCutter.words(of: text, for: .index).map(\.folded)
                        for word in words {
                            let folded = WordCutter.words(of: word.text, for: .query).map(\.folded)
                            try #require(folded.count == 1, "\(word)")
                            let isFound = indexed.contains {
                                word.isOpen ? $0.hasBytes(folded[0]) : $0 == folded[0]
                            }
                            #expect(isFound, "\(word) of \(pattern) in \(text)")
                        }
                    }
                }
            }
        }
        // Otherwise hardly any word was compared.
        #expect(certain > 300, "\(certain) of \(matches)")
    }

    @Test(arguments: [Folding(), .letterCase, .diacritics, .search])
    func `are the same in the index, whichever differences the query ignores`(folding: Folding) {
        var wrong: [String] = []
        for value in 0...UInt32(0x10ffff) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let (text, kind) = (String(scalar), WordClass(scalar))
            let folded = folding.fold(text)
            // If only case is ignored, only words of ASCII are taken.
            if folding == .letterCase, !folded.utf8.allSatisfy({ $0 < 0x80 }) { continue }
            // Folding in two steps is folding once.
            let isSame = Folding.search.fold(folded).utf8.elementsEqual(Folding.search.fold(text).utf8)
            // Letters stay letters, and what separates words goes on to do so; marks may follow, and a mark may vanish.
            let kinds = folded.unicodeScalars.map { WordClass($0) }
            let isKept = kinds.allSatisfy { $0 == kind || $0 == .mark }
            if !isSame || !isKept || (kind != .mark && kinds.first != kind) {
                wrong.append(String(value, radix: 16))
            }
        }
        #expect(wrong.isEmpty)
    }
}

extension String {
    /// Whether the text begins with the bytes of another.
    fileprivate func hasBytes(_ other: String) -> Bool { utf8.starts(with: other.utf8) }
}

extension SearchQuery.Expression {
    /// The texts that are compared.
    fileprivate var patterns: [TextPattern] {
        switch self {
        case .comparison(let comparison):
            if case .text(let pattern) = comparison.operand { [pattern] } else { [] }
        case .and(let conditions), .or(let conditions): conditions.flatMap(\.patterns)
        case .not(let condition): condition.patterns
        case .all, .range: []
        }
    }
}

extension Item {
    /// The single texts among the values.
    fileprivate var texts: [String] {
        attributes.entries.compactMap { entry in
            switch entry.value {
            case .plain(.string(let text)), .plain(.url(let text)): text
            default: nil
            }
        }
    }
}
