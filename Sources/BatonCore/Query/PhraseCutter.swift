/// Cuts the text of a query into words, and decides what each wildcard stands for.
///
/// A wildcard that touches a word stands for more letters of that word. A wildcard that touches nothing stands for any
/// number of words. So does a wildcard that touches a letter of a script without spaces, where each letter is a word.
struct PhraseCutter {
    /// The groups of elements.
    ///
    /// Each group is one word, one text in a script without spaces, or one wildcard between words.
    private var groups: [[PhrasePattern.Element]] = []
    /// The parts of the current word, between its wildcards.
    ///
    /// It is empty between words.
    private var word: [Needle] = []
    private let folding: Folding

    /// Cuts the pieces of a query's text, which are the texts between the wildcards.
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

    /// A single phrase that contains all words; empty if there are no words.
    var phrases: [PhrasePattern] {
        let elements = groups.joined()
        return elements.allSatisfy { $0 == .gap } ? [] : [PhrasePattern(Array(elements))]
    }

    /// A phrase for each word, or for each text in a script without spaces.
    var tokens: [PhrasePattern] { groups.filter { $0 != [.gap] }.map { PhrasePattern($0) } }

    /// A word in a piece, or a text in a script without spaces.
    private struct Run {
        let isUnspaced: Bool
        /// The word, or each letter of the text in a script without spaces.
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

    /// Adds a wildcard; returns whether the next word continues the current word.
    ///
    /// `left` and `right` are the words that touch the wildcard, if any.
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
