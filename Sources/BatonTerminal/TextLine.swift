package import BatonCore

/// A line in which a person types.
package struct TextLine: Equatable, Sendable {
    package private(set) var text = ""
    /// The number of characters before the cursor.
    private var cursor = 0

    /// The most bytes of the line; nobody types more.
    private static let most = 1024

    package init(_ text: String = "") {
        self.text = String(text.prefix(fittingBytes: Self.most))
        cursor = self.text.count
    }

    private var place: String.Index { text.index(text.startIndex, offsetBy: cursor) }

    /// Handles a key; returns false if the key does not edit a line.
    package mutating func press(_ key: Key) -> Bool {
        switch key {
        case .text(let typed): insert(typed)
        case .backspace: delete(from: max(cursor - 1, 0), to: cursor)
        case .delete, .end: delete(from: cursor, to: min(cursor + 1, text.count))
        case .deleteWord: delete(from: wordStart, to: cursor)
        case .deleteToStart: delete(from: 0, to: cursor)
        case .deleteToEnd: delete(from: cursor, to: text.count)
        case .left: cursor = max(cursor - 1, 0)
        case .right: cursor = min(cursor + 1, text.count)
        case .toStart: cursor = 0
        case .toEnd: cursor = text.count
        case .enter, .escape, .interrupt, .suspend, .redraw, .up, .down, .pageUp, .pageDown, .preview,
            .send, .forget, .click, .wheelUp, .wheelDown:
            return false
        }
        return true
    }

    private mutating func insert(_ typed: String) {
        guard text.utf8.count + typed.utf8.count <= Self.most else { return }
        // A combining mark joins the character before it, so the lengths can't simply be added.
        let rest = text[place...]
        let before = text[..<place] + typed
        text = String(before + rest)
        cursor = min(String(before).count, text.count)
    }

    private mutating func delete(from start: Int, to end: Int) {
        let first = text.index(text.startIndex, offsetBy: start)
        text.removeSubrange(first..<text.index(text.startIndex, offsetBy: end))
        cursor = min(start, text.count)
    }

    /// The start of the word before the cursor.
    private var wordStart: Int {
        let before = Array(text[..<place])
        let word = before.lastIndex { !$0.isWhitespace } ?? -1
        return (before[..<(word + 1)].lastIndex { $0.isWhitespace } ?? -1) + 1
    }

    // MARK: Showing

    /// Returns the part of the line around the cursor that fits this many cells, and the cells before the cursor.
    package func shown(width: Int) -> (text: VisibleText, cursor: Int) {
        let characters = text.map { VisibleText(String($0)) }
        let widths = characters.map(\.width)
        // The cursor needs a cell, too.
        let room = max(width - 1, 0)
        var (start, before) = (0, widths[..<cursor].reduce(0, +))
        while before > room {
            before -= widths[start]
            start += 1
        }
        var (end, used) = (start, 0)
        while end < characters.count, used + widths[end] <= room {
            used += widths[end]
            end += 1
        }
        return (Array(characters[start..<end]).joined(""), before)
    }
}
