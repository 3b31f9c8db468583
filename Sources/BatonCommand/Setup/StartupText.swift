/// Adds a program's lines to the text of a start-up file, and takes them out again.
///
/// A comment before the lines says how they were added, so that the file becomes what it was, byte by byte.
package struct StartupText: Equatable, Sendable {
    /// The program that reads the file.
    let program: StartupProgram

    package init(_ program: StartupProgram) { self.program = program }

    /// How the lines were added.
    private enum Addition: CaseIterable {
        /// The file was empty, or ended with a line break.
        case plain
        /// The last line of the file had no line break, so that one was added.
        case withBreak
        /// The file was created.
        case withFile

        var words: String {
            switch self {
            case .plain: "Added by `baton setup`; `baton setup --undo` removes it."
            case .withBreak: "Added by `baton setup`, with a line break; `baton setup --undo` removes both."
            case .withFile: "Added by `baton setup`, with this file; `baton setup --undo` removes both."
            }
        }
    }

    /// The result of taking lines out.
    package enum Remainder: Equatable, Sendable {
        /// The file has no lines that `baton setup` added.
        case unchanged
        case text([UInt8])
        /// The file was created for the lines, and nothing else is in it.
        case nothing
    }

    private static let lineBreak = UInt8(ascii: "\n")

    private func mark(_ addition: Addition) -> [UInt8] {
        Array("\(program.commentStart) \(addition.words)".utf8)
    }

    /// Returns the text with the lines at its end; nil as a text stands for a file that does not exist.
    package func adding(_ lines: [String], to text: [UInt8]?) -> [UInt8] {
        let old = text ?? []
        let endsInside = old.last.map { $0 != Self.lineBreak } ?? false
        let addition: Addition = text == nil ? .withFile : endsInside ? .withBreak : .plain
        var new = old + (endsInside ? [Self.lineBreak] : [])
        for line in [mark(addition)] + lines.map({ Array($0.utf8) }) { new += line + [Self.lineBreak] }
        return new
    }

    /// Returns the text without the lines that `baton setup` added.
    ///
    /// Lines that a person has changed since stay, with their comment.
    package func removing(from text: [UInt8]) -> Remainder {
        let lines = Self.lines(of: text)
        var kept: [UInt8] = []
        var (place, hasRemoved, wasCreated) = (0, false, false)
        while place < lines.count {
            let line = lines[place]
            guard let addition = addition(of: lines[place...]) else {
                kept +=
                    text[
                        line
                            .lowerBound..<(place + 1 < lines.count
                            ? lines[place + 1].lowerBound : text.endIndex)]
                place += 1
                continue
            }
            place += 1 + program.lineCount
            hasRemoved = true
            if addition == .withFile { wasCreated = true }
            // If the person has added lines below, the line break belongs to the line above them.
            if addition == .withBreak, place >= lines.count, kept.last == Self.lineBreak { kept.removeLast() }
        }
        guard hasRemoved else { return .unchanged }
        return kept.isEmpty && wasCreated ? .nothing : .text(kept)

        func addition(of rest: ArraySlice<Range<Int>>) -> Addition? {
            guard let first = rest.first, rest.count > program.lineCount else { return nil }
            guard let addition = Addition.allCases.first(where: { text[first].elementsEqual(mark($0)) })
            else {
                return nil
            }
            var own: [String] = []
            for line in rest.dropFirst().prefix(program.lineCount) {
                guard let line = String(validating: text[line], as: UTF8.self) else { return nil }
                own.append(line)
            }
            return program.isOwn(own) ? addition : nil
        }
    }

    /// Whether the text has the program's lines, whoever added them.
    package func isThere(in text: [UInt8]) -> Bool {
        if removing(from: text) != .unchanged { return true }
        return Self.lines(of: text).contains { line in
            Self.isPromising(text[line]) && program.isActive(String(decoding: text[line], as: UTF8.self))
        }
    }

    /// Whether a line has one of the words that each line about Baton has.
    ///
    /// This is much faster than examining the whole line.
    private static func isPromising(_ line: ArraySlice<UInt8>) -> Bool {
        line.indices.contains { place in
            (line[place] == words[0][0] || line[place] == words[1][0])
                && words.contains { line[place...].starts(with: $0) }
        }
    }

    private static let words = ["baton", "Editors"].map { Array($0.utf8) }

    /// The ranges of the lines, without their line breaks.
    private static func lines(of text: [UInt8]) -> [Range<Int>] {
        var (lines, start) = ([Range<Int>](), 0)
        for (place, byte) in text.enumerated() where byte == lineBreak {
            lines.append(start..<place)
            start = place + 1
        }
        return start < text.count ? lines + [start..<text.count] : lines
    }
}
