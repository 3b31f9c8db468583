package import Glibc

/// A process that a test starts, and that is killed, by its number, when nobody holds it any more.
///
/// What it writes goes to files, so that nobody need read along. Of the descriptors of the test it gets none.
package final class ChildProcess {
    /// The system's number for it.
    package let number: pid_t
    /// What it wrote so far.
    package var output: String { File.read(files + ".out") ?? "" }
    /// What it wrote to the standard error so far.
    package var errors: String { File.read(files + ".err") ?? "" }
    /// Where its output goes, without the ending.
    private let files: String
    /// Our end of its standard input, if there is one.
    private var input: Int32 = -1
    private var status: Int32?

    /// How a process ended: the status with which it exited, or 128 and the signal that ended it, as shells say it.
    package typealias Ending = Int32

    /// Starts a program, found as a shell would find it; its standard input is empty, what `write(_:)` sends, or a
    /// terminal.
    ///
    /// What is passed becomes its descriptors from 3 on.
    package init(
        _ words: [String], environment: [String: String], files: String, hasInput: Bool = false,
        terminal: PseudoTerminal? = nil, passing descriptors: [Int32] = []
    ) throws {
        self.files = files
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var pipes: [Int32] = [-1, -1]
        if hasInput {
            // Of the pair, the program keeps only what it is given as its standard input.
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pipes) == 0
            else {
                throw SystemError("make a pair of sockets")
            }
            posix_spawn_file_actions_adddup2(&actions, pipes[0], STDIN_FILENO)
        } else {
            let path = terminal?.path ?? "/dev/null"
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDONLY | O_NOCTTY, 0)
        }
        let flags = O_WRONLY | O_CREAT | O_APPEND
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, files + ".out", flags, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, files + ".err", flags, 0o600)
        // Out of the way first, so that none takes the place of another.
        let copies = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 100) }
        defer { for copy in copies { close(copy) } }
        for (place, copy) in copies.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, copy, Int32(3 + place))
        }
        // Closing what is not open is no error here.
        for descriptor in Int32(3 + descriptors.count)..<256 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of the test may block or ignore signals; the program begins with none of that.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var process = pid_t()
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let error = Self.withStrings(words) { words in
            Self.withStrings(variables) {
                posix_spawnp(&process, words[0]!, &actions, &attributes, words, $0)
            }
        }
        number = process
        if hasInput {
            close(pipes[0])
            input = pipes[1]
        }
        guard error == 0 else {
            status = -1
            throw SystemError("start \(words.first ?? "nothing")", number: error)
        }
    }

    deinit {
        end(SIGKILL)
        closeInput()
    }

    /// Whether it has not ended.
    package var isRunning: Bool { ending == nil }

    /// How it ended, if it did.
    package var ending: Ending? {
        if status == nil {
            var raw: Int32 = 0
            if waitpid(number, &raw, WNOHANG) == number { status = Self.ending(raw) }
        }
        return status
    }

    /// Waits for its end.
    @discardableResult package func wait(within time: Duration = .seconds(60)) throws -> Ending {
        try eventual(
            "the end of process \(number), which said: \(output)\(errors)", within: time, attempt: { ending })
    }

    /// Sends it a signal, unless it is known to have ended.
    package func signal(_ signal: Int32) {
        if ending == nil { kill(number, signal) }
    }

    /// Sends it a signal that ends it, and waits until it has.
    @discardableResult package func end(_ signal: Int32) -> Ending? {
        self.signal(signal)
        while status == nil {
            var raw: Int32 = 0
            let result = waitpid(number, &raw, 0)
            if result == number { status = Self.ending(raw) } else if errno != EINTR { return nil }
        }
        return status
    }

    /// Sends it something to read.
    package func write(_ bytes: [UInt8]) {
        send(input, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Lets it read the end of its input.
    package func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    private static func ending(_ raw: Int32) -> Ending {
        raw & 0x7f == 0 ? raw >> 8 & 0xff : 128 + (raw & 0x7f)
    }

    /// Lends strings in the form that C wants, with nothing behind the last one.
    private static func withStrings<Value>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value
    ) -> Value {
        var copies = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return body(&copies)
    }
}
