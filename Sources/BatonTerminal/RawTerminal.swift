import BatonClient
package import BatonCore
import Glibc

/// The terminal of this process in raw mode, with a screen of its own: keys arrive immediately, and are not echoed.
///
/// Releasing it restores the terminal's settings and its previous screen.
package struct RawTerminal: ~Copyable {
    /// The terminal's previous settings.
    private var settings = termios()
    /// The lines on the screen and its size; nil if another program may have drawn on it.
    private var drawn: (lines: [String], width: Int, height: Int)?

    /// Whether the standard input and output are a terminal on which this process can draw.
    package static func isThere(_ environment: (String) -> String?) -> Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
            && ![nil, "", "dumb"].contains(environment("TERM"))
    }

    /// Takes the terminal.
    package init() throws(LocalFailure) {
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { throw Self.failure() }
        try enter()
    }

    deinit {
        do throws(LocalFailure) {
            try leave()
        } catch {
            // The terminal is gone, and nothing of it is left to restore.
        }
    }

    /// Switches to raw mode and the alternate screen.
    package mutating func enter() throws(LocalFailure) {
        try makeRaw()
        do throws(LocalFailure) {
            // The alternate screen, marks around pasted text, and no automatic wrapping, because terminals disagree
            // about the width of some characters. Then mouse presses, as numbers.
            try Terminal.write(
                "\u{1b}[?1049h\u{1b}[?2004h\u{1b}[?7l\u{1b}[?1000h\u{1b}[?1006h", to: STDOUT_FILENO)
        } catch {
            var before = settings
            tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
            throw error
        }
    }

    /// Switches to raw mode; the next drawing writes all lines.
    package mutating func makeRaw() throws(LocalFailure) {
        drawn = nil
        var raw = settings
        cfmakeraw(&raw)
        guard tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0 else { throw Self.failure() }
    }

    /// The text that switches back to the previous screen.
    package static let farewell =
        "\u{1b}[?1006l\u{1b}[?1000l\u{1b}[?7h\u{1b}[?2004l\u{1b}[?1049l\u{1b}[?25h"

    /// Switches back to how the terminal was.
    package func leave() throws(LocalFailure) {
        var before = settings
        let isReset = tcsetattr(STDIN_FILENO, TCSADRAIN, &before) == 0
        try Terminal.write(Self.farewell, to: STDOUT_FILENO)
        guard isReset else { throw Self.failure() }
    }

    /// The size in cells, measured now.
    package var size: (width: Int, height: Int) { Terminal.size(of: STDOUT_FILENO) ?? (80, 24) }

    /// Waits for typed bytes, and returns them; empty at the end of the input.
    package func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
            if count >= 0 { return Array(buffer.prefix(count)) }
            // After a hang-up there is no more input.
            guard errno == EINTR else { return [] }
        }
    }

    /// Draws lines from the top of the screen, and puts the cursor at a cell of a line, both counted from zero.
    ///
    /// Only lines that have changed are written, because a line of a network may be slow.
    package mutating func draw(
        _ lines: [MarkedText], isStyled: Bool, cursor: (line: Int, cell: Int)
    ) throws(LocalFailure) {
        let size = size
        let shown = lines.map { $0.shown(isStyled: isStyled).text }
        let isAnew = drawn?.width != size.width || drawn?.height != size.height
        let before = isAnew ? [] : drawn?.lines ?? []
        var text = ""
        for place in shown.indices where place >= before.count || before[place] != shown[place] {
            // Each line is erased before it is written.
            text += "\u{1b}[\(place + 1)H\u{1b}[2K" + shown[place]
        }
        if shown.count < size.height, isAnew || before.count > shown.count {
            text += "\u{1b}[\(shown.count + 1)H\u{1b}[J"
        }
        // The cursor is hidden while the lines are drawn.
        if !text.isEmpty { text = "\u{1b}[?25l" + text }
        try Terminal.write(
            text + "\u{1b}[\(cursor.line + 1);\(cursor.cell + 1)H\u{1b}[?25h", to: STDOUT_FILENO)
        drawn = (shown, size.width, size.height)
    }

    private static func failure() -> LocalFailure {
        LocalFailure(.failed, "The terminal can't be set up: \(SystemText.of(errno)).")
    }
}
