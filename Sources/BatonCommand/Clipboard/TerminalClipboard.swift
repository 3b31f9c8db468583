import BatonClient
package import BatonCore
import Glibc

/// The clipboard behind a terminal, such as that of the machine from which a person has come by SSH.
///
/// Terminals accept text in the sequence OSC 52. Inside of tmux and screen, the sequence is wrapped for the terminal
/// outside.
package enum TerminalClipboard {
    /// The most bytes that terminals accept: 100,000 of Base64.
    package static let mostBytes = 74_994

    /// The programs between this process and the terminal.
    package enum Multiplexer: Equatable, Sendable { case none, tmux, screen }

    /// Puts text into the clipboard of this process's terminal; throws if there is no terminal.
    package static func put(_ text: [UInt8], environment: (String) -> String?) throws(LocalFailure) {
        guard text.count <= mostBytes else {
            throw LocalFailure(
                .tooLarge,
                "The text has \(BackupText.size(text.count)), but the clipboard of a terminal takes at most \(mostBytes / 1000) KB.\nSave it: baton paste --output FILE"
            )
        }
        let isTmux = environment("TMUX").map { !$0.isEmpty } ?? false
        // From version 3.2 on, tmux itself sends a loaded buffer to the terminal, even if its settings forbid programs
        // to do so.
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

    /// Returns the sequence that a terminal reads; the text is in Base64, so nothing in it steers the terminal.
    package static func sequence(for text: [UInt8], in multiplexer: Multiplexer) -> [UInt8] {
        let plain = Array("\u{1b}]52;c;\(Base64.encode(text))\u{7}".utf8)
        switch multiplexer {
        case .none: return plain
        case .tmux:
            // An escape inside is doubled.
            return Array("\u{1b}Ptmux;\u{1b}".utf8) + plain + Array("\u{1b}\\".utf8)
        case .screen:
            // Screen takes only short pieces.
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
