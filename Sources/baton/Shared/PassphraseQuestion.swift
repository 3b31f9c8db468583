import BatonCommand
import BatonCore
import BatonTerminal

/// Asks for passphrases, without echo at a terminal.
///
/// A script passes them as lines, on the descriptor of `--fd` or on the standard input.
struct PassphraseQuestion {
    private let call: Call
    /// The descriptor that the lines come from; nil if a person is asked at the terminal.
    private let descriptor: Int32?

    init(_ call: Call) throws(LocalFailure) {
        self.call = call
        guard let text = call.arguments.value("fd") else {
            descriptor = Question.canBeAsked && !call.isJSON ? nil : 0
            return
        }
        guard let number = Int32(text), number >= 0 else {
            throw LocalFailure(.usage, "“\(text)” is not the number of a descriptor.")
        }
        descriptor = number
    }

    /// Asks for the passphrase that is set.
    func present() throws(LocalFailure) -> [UInt8] { try line("Passphrase:") }

    /// Asks for a new passphrase; a person types it twice.
    func new() throws(LocalFailure) -> [UInt8] {
        while true {
            let first = try line("New passphrase:")
            guard descriptor == nil else { return first }
            if first == (try line("The same again:")) { return first }
            call.console.print("The two differ. Try again.")
            try call.console.flush()
        }
    }

    /// Asks for the recovery code or the passphrase, and calls `attempt` until it is accepted or the person gives up.
    ///
    /// A script has only one attempt.
    func prove<Value>(
        byRecoveryCode: Bool, _ attempt: (LockProof) throws(LocalFailure) -> Value
    ) throws(LocalFailure) -> Value {
        if byRecoveryCode {
            return try RecoveryCodeQuestion.ask(call) { (text) throws(LocalFailure) in
                try attempt(.recoveryCode(text))
            }
        }
        while true {
            do throws(LocalFailure) {
                return try attempt(.passphrase(try present()))
            } catch  where error.code == .wrongCode && descriptor == nil {
                call.console.print("\(error.text) Try again.")
                try call.console.flush()
            }
        }
    }

    private func line(_ question: String) throws(LocalFailure) -> [UInt8] {
        let line: [UInt8]?
        if let descriptor {
            line = try HiddenLine.read(from: descriptor)
        } else {
            line = try HiddenLine.ask(question)
        }
        guard let line, !line.isEmpty else {
            throw LocalFailure(.usage, "No passphrase was given. Nothing has changed.")
        }
        return line
    }
}
