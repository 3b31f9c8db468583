/// A key that a person pressed at a terminal in raw mode.
package enum Key: Equatable, Sendable {
    /// Text that was typed, or pasted.
    case text(String)
    case enter
    case escape
    /// Control-C, which sends no signal in raw mode.
    case interrupt
    /// Control-Z.
    case suspend
    /// Control-D: deletes forwards, or ends the input if the line is empty.
    case end
    /// Control-L.
    case redraw
    case backspace, delete
    /// Control-W, Control-U and Control-K.
    case deleteWord, deleteToStart, deleteToEnd
    /// Control-O, Control-S and Control-X.
    case preview, send, forget
    case left, right, toStart, toEnd
    case up, down, pageUp, pageDown
    /// The first button of the mouse at a cell, both counted from zero.
    case click(line: Int, cell: Int)
    case wheelUp, wheelDown
}

/// Reads keys from the bytes of a terminal.
///
/// Sequences and characters may arrive in parts. Unknown sequences are ignored.
package struct KeyReader {
    /// The bytes of a key that has not arrived completely.
    private var waiting: [UInt8] = []
    /// The text that is being pasted; nil outside of a paste.
    private var pasted: [UInt8]?

    package init() {}

    /// Whether an escape key has arrived, or the beginning of a sequence.
    package var isInEscape: Bool { waiting.first == Self.escape }

    private static let escape: UInt8 = 0x1b
    /// Begins and ends pasted text, once the terminal was asked to mark it.
    private static let (pasteStart, pasteEnd) = (Array("\u{1b}[200~".utf8), Array("\u{1b}[201~".utf8))
    /// Begins an event of the mouse, in numbers or in bytes.
    private static let (mouse, rawMouse) = (Array("\u{1b}[<".utf8), Array("\u{1b}[M".utf8))
    /// The most bytes of a sequence; longer input is not a sequence.
    private static let sequenceMost = 32
    /// The most bytes of a pasted text that are kept.
    private static let pastedMost = 64 << 10

    /// Takes bytes; returns the keys that are complete.
    package mutating func decodeBytes(_ bytes: [UInt8]) -> [Key] {
        var keys: [Key] = []
        for byte in bytes {
            if pasted != nil { paste(byte, &keys) } else { decodeByte(byte, &keys) }
        }
        return keys
    }

    /// Called when nothing has followed for a moment: an escape byte was the Escape key.
    package mutating func handleSilence() -> [Key] {
        guard isInEscape, pasted == nil else { return [] }
        let isKey = waiting.count == 1
        waiting = []
        return isKey ? [.escape] : []
    }

    private mutating func decodeByte(_ byte: UInt8, _ keys: inout [Key]) {
        if isInEscape { return takeSequence(byte, &keys) }
        if byte < 0x20 || byte == 0x7f {
            waiting = []
            if byte == Self.escape {
                waiting = [byte]
            } else if let key = Self.control(byte) {
                keys.append(key)
            }
            return
        }
        if byte & 0xc0 != 0x80 { waiting = [] }
        waiting.append(byte)
        guard let text = String(validating: waiting, as: UTF8.self) else {
            // Bytes that can't become a character are dropped.
            if waiting.count >= 4 || waiting[0] & 0xc0 == 0x80 { waiting = [] }
            return
        }
        waiting = []
        keys.append(.text(text))
    }

    private static func control(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x01: .toStart
        case 0x02: .left
        case 0x03: .interrupt
        case 0x04: .end
        case 0x05: .toEnd
        case 0x06: .right
        case 0x08, 0x7f: .backspace
        case 0x0a, 0x0d: .enter
        case 0x0b: .deleteToEnd
        case 0x0c: .redraw
        case 0x0e: .down
        case 0x0f: .preview
        case 0x10: .up
        case 0x13: .send
        case 0x15: .deleteToStart
        case 0x17: .deleteWord
        case 0x18: .forget
        case 0x1a: .suspend
        default: nil
        }
    }

    // MARK: Sequences

    private mutating func takeSequence(_ byte: UInt8, _ keys: inout [Key]) {
        if byte == Self.escape {
            // The earlier escape byte was the Escape key, unless it began a sequence that was broken off.
            if waiting.count == 1 { keys.append(.escape) }
            waiting = [byte]
            return
        }
        waiting.append(byte)
        guard waiting.count > 2 else {
            // Only these two bytes begin a sequence; any other byte is its key pressed with Alt, which does nothing.
            if byte != UInt8(ascii: "["), byte != UInt8(ascii: "O") { waiting = [] }
            return
        }
        if waiting.starts(with: Self.rawMouse) {
            // A terminal that can't write numbers sends three bytes after this sequence, which are not text.
            if waiting.count == Self.rawMouse.count + 3 { waiting = [] }
            return
        }
        guard 0x40...0x7e ~= byte || waiting.count >= Self.sequenceMost else { return }
        let sequence = waiting
        waiting = []
        if sequence == Self.pasteStart {
            pasted = []
        } else if let key = Self.mouseKey(sequence) ?? Self.key(sequence) {
            keys.append(key)
        }
    }

    /// The key of a mouse event: `<BUTTON;CELL;LINE` and `M` for a press, in decimal numbers.
    ///
    /// Other buttons, presses with a modifier key, and releases do nothing.
    private static func mouseKey(_ sequence: [UInt8]) -> Key? {
        guard sequence.starts(with: mouse), sequence.last == UInt8(ascii: "M") else { return nil }
        let parts = sequence.dropFirst(mouse.count).dropLast().split(
            separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { digits in
            digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
                ? Int(String(decoding: digits, as: UTF8.self)) : nil
        }
        guard parts.count == 3, numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
        switch numbers[0] {
        case 0: return .click(line: numbers[2] - 1, cell: numbers[1] - 1)
        case 64: return .wheelUp
        case 65: return .wheelDown
        default: return nil
        }
    }

    /// The key of a complete sequence.
    private static func key(_ sequence: [UInt8]) -> Key? {
        let parameter = sequence[2...].prefix { $0 != UInt8(ascii: ";") && 0x30...0x3f ~= $0 }
        switch (
            sequence.last.map { Character(Unicode.Scalar($0)) }, String(decoding: parameter, as: UTF8.self)
        ) {
        case ("A", _): return .up
        case ("B", _): return .down
        case ("C", _): return .right
        case ("D", _): return .left
        case ("H", _), ("~", "1"), ("~", "7"): return .toStart
        case ("F", _), ("~", "4"), ("~", "8"): return .toEnd
        case ("M", _) where sequence[1] == UInt8(ascii: "O"): return .enter
        case ("~", "3"): return .delete
        case ("~", "5"): return .pageUp
        case ("~", "6"): return .pageDown
        default: return nil
        }
    }

    // MARK: Pasting

    private mutating func paste(_ byte: UInt8, _ keys: inout [Key]) {
        pasted?.append(byte)
        if let count = pasted?.count, count == 2 * Self.pastedMost {
            // A long text is cut, but its last bytes stay, because they may be the beginning of the end mark.
            pasted?.removeSubrange(Self.pastedMost..<(count - Self.pasteEnd.count))
        }
        guard byte == UInt8(ascii: "~"), let text = pasted,
            text.suffix(Self.pasteEnd.count) == Self.pasteEnd[...]
        else { return }
        pasted = nil
        // Line breaks become spaces, so that no pasted character acts as a key.
        let shown = text.dropLast(Self.pasteEnd.count).prefix(Self.pastedMost).map {
            $0 < 0x20 || $0 == 0x7f ? 0x20 : $0
        }
        if !shown.isEmpty { keys.append(.text(String(decoding: shown, as: UTF8.self))) }
    }
}
