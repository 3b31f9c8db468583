import BatonClient
package import BatonCore
import Glibc

/// Writes to the clipboard of the machine on which the terminal is displayed, even over SSH.
///
/// A terminal accepts text for the clipboard in the control sequence OSC 52. In tmux or screen, the sequence is
/// wrapped, so that they pass it to the outer terminal.
package enum TerminalClipboard {
    /// The maximum number of bytes that fit.
    ///
    /// Terminals accept at most 100,000 bytes of Base64.
    package static let mostBytes = 74_994

    /// The program that runs between this process and the terminal.
    package enum Multiplexer: Equatable, Sendable { case none, tmux, screen }

    /// Puts text into the clipboard of the terminal in which this process runs; throws if it has no terminal.
    package static func put(_ text: [UInt8], environment: (String) -> String?) throws(LocalFailure) {
        guard text.count <= mostBytes else {
            throw LocalFailure(
                .tooLarge,
                "The text has \(BackupText.size(text.count)), but the clipboard of a terminal takes at most \(mostBytes / 1000) KB.\nSave it: baton paste --output FILE"
            )
        }
        let isTmux = environment("TMUX").map { !$0.isEmpty } ?? false
        // Since version 3.2, tmux itself can send a buffer to the terminal. Its settings may forbid this to programs
        // that run in it, but not to tmux.
        if isTmux,
            let run = ProgramExchange(
                with: ["tmux", "load-buffer", "-w", "-"], input: text, within: .seconds(5)),
            run.status == 0
        {
            return
        }
        let isScreen = environment("STY").map { !$0.isEmpty } ?? false
        let terminal = open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw LocalFailure(
                .failed,
                "There is neither a desktop nor a terminal here whose clipboard could take it.\nLeave out --clipboard."
            )
        }
        defer { close(terminal) }
        let bytes = sequence(for: text, in: isTmux ? .tmux : isScreen ? .screen : .none)
        let number = OutputBytes.write(bytes[...], to: terminal)
        guard number == 0 else {
            throw LocalFailure(.failed, "Writing to the terminal failed: \(SystemText.of(number)).")
        }
    }

    /// Returns the control sequence for a text.
    ///
    /// The text is in Base64, so no part of it can control the terminal.
    package static func sequence(for text: [UInt8], in multiplexer: Multiplexer) -> [UInt8] {
        let plain = Array("\u{1b}]52;c;\(Base64.encode(text))\u{7}".utf8)
        switch multiplexer {
        case .none: return plain
        case .tmux:
            // Inside the wrapping, the escape character is doubled.
            return Array("\u{1b}Ptmux;\u{1b}".utf8) + plain + Array("\u{1b}\\".utf8)
        case .screen:
            // Screen accepts only short pieces.
            var wrapped: [UInt8] = []
            for start in stride(from: 0, to: plain.count, by: screenBytes) {
                wrapped += Array("\u{1b}P".utf8) + plain[start..<min(start + screenBytes, plain.count)]
                wrapped += Array("\u{1b}\\".utf8)
            }
            return wrapped
        }
    }

    private static let screenBytes = 240
}
