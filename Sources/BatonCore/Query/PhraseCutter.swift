/// Cuts the text of a query into words, and gives each wildcard its meaning.
///
/// A wildcard that touches a word stands for further letters of that word. It stands for any number of words if it
/// touches a letter of a script without spaces, where each letter is a word, or if it touches nothing.
struct PhraseCutter {
    /// The elements of each word or text of a script without spaces; a wildcard between words is a group of its own.
    private var groups: [[PhrasePattern.Element]] = []
    /// The parts of the current word, which a wildcard may still continue; empty between words.
    private var word: [Needle] = []
    private let folding: Folding

    /// Cuts the texts between the wildcards.
    init(_ pieces: [String], folding: Folding) {
        self.folding = folding
        var last: Run?
        for (number, piece) in pieces.enumerated() {
            let runs = Self.runs(of: piece)
            var isJoined = false
            if number > 0 {
                isJoined = addWildcard(
                    between: last.flatMap { $0.endsPiece ? $0 : nil },
                    and: runs.first.flatMap { $0.beginsPiece ? $0 : nil })
            }
            for run in runs {
                if !isJoined { endWord() }
                isJoined = false
                add(run)
            }
            last = runs.last
        }
        endWord()
    }

    /// One phrase with all words; none if there are no words.
    var phrases: [PhrasePattern] {
        let elements = groups.joined()
        return elements.allSatisfy { $0 == .gap } ? [] : [PhrasePattern(Array(elements))]
    }

    /// A phrase for each word.
    var tokens: [PhrasePattern] { groups.filter { $0 != [.gap] }.map { PhrasePattern($0) } }

    /// A word of a piece, or a text of a script without spaces.
    private struct Run {
        let isUnspaced: Bool
        /// The word, or the letters.
        let texts: [String]
        let beginsPiece, endsPiece: Bool
    }

    private static func runs(of piece: String) -> [Run] {
        var (runs, place, piece) = ([Run](), 0, piece)
        piece.withUTF8 { piece in
            while let run = piece.nextRun(from: &place) {
                let ranges = run.isUnspaced ? piece.letters(in: run.range) : [run.range]
                runs.append(
                    Run(
                        isUnspaced: run.isUnspaced,
                        texts: ranges.map { String(decoding: piece[$0], as: UTF8.self) },
                        beginsPiece: run.range.lowerBound == 0, endsPiece: run.range.upperBound == piece.count
                    ))
            }
        }
        return runs
    }

    /// Adds a wildcard between the words that touch it; returns whether the next word continues the current one.
    private mutating func addWildcard(between left: Run?, and right: Run?) -> Bool {
        switch (left?.isUnspaced, right?.isUnspaced) {
        case (false, false): return true
        case (false, _):
            word.append(Needle([]))
            endWord()
            if right != nil { groups.append([.gap]) }
            return false
        case (_, false):
            endWord()
            if left != nil { groups.append([.gap]) }
            word = [Needle([])]
            return true
        default:
            endWord()
            groups.append([.gap])
            return false
        }
    }

    private mutating func add(_ run: Run) {
        if run.isUnspaced {
            groups.append(run.texts.map { .word(WildcardPattern([$0], folding: folding)) })
        } else {
            word += WildcardPattern(run.texts, folding: folding).parts
        }
    }

    /// Ends the current word, if there is one.
    private mutating func endWord() {
        guard !word.isEmpty else { return }
        groups.append([.word(WildcardPattern(word, hasMarks: !folding.contains(.diacritics)))])
        word = []
    }
}
