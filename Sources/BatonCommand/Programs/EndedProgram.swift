import Glibc

/// How a program that this program had started has ended.
enum EndedProgram: Equatable, Sendable {
    case status(Int32)
    case signal(Int32)

    /// Waits until a program has ended.
    ///
    /// If waiting fails, the result is nil, and `errno` says why.
    init?(_ process: pid_t) {
        var raw: Int32 = 0
        while waitpid(process, &raw, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        let signal = raw & 0x7f
        self = signal == 0 ? .status(raw >> 8 & 0xff) : .signal(signal)
    }

    /// Waits until a program has ended, and returns its exit status.
    ///
    /// If a signal ended the program, the result is 128 plus the number of the signal, as in shells. If waiting fails,
    /// the result is nil, and `errno` says why.
    static func status(of process: pid_t) -> Int32? {
        switch EndedProgram(process) {
        case .status(let status): status
        case .signal(let number): 128 + number
        case nil: nil
        }
    }

    /// The end in words, after "it" or a name.
    var text: String {
        switch self {
        case .status(let status): "ended with status \(status)"
        case .signal(let number): "was ended by signal \(number)"
        }
    }
}
