package import Glibc

/// A process that a test starts, and that is killed by its number when this object is deallocated.
///
/// Its output goes to files, so that nobody need read along. It inherits none of the test's descriptors.
package final class ChildProcess {
    /// The process ID.
    package let number: pid_t
    /// Its output so far.
    package var output: String { File.read(files + ".out") ?? "" }
    /// Its standard error so far.
    package var errors: String { File.read(files + ".err") ?? "" }
    private let words: [String]
    /// The path of its output files, without the extension.
    private let files: String
    /// The test's end of its standard input, if there is one.
    private var input: Int32 = -1
    private var status: Int32?

    /// The way in which a process ended: its exit status, or 128 and the signal that ended it, as shells report it.
    package typealias Ending = Int32

    /// Starts a program, found as a shell would find it; its standard input is empty, written by `write(_:)`, or a
    /// terminal, on which its output may be shown, too.
    ///
    /// The given descriptors become its descriptors from 3 on.
    package init(
        _ words: [String], environment: [String: String], files: String, hasInput: Bool = false,
        terminal: PseudoTerminal? = nil, showsOnTerminal: Bool = false, passing descriptors: [Int32] = []
    ) throws {
        (self.words, self.files) = (words, files)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var pipes: [Int32] = [-1, -1]
        if hasInput {
            // The program keeps only the end of the pair that is its standard input.
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
        let output = showsOnTerminal ? terminal?.path : nil
        posix_spawn_file_actions_addopen(
            &actions, STDOUT_FILENO, output ?? files + ".out", flags | O_NOCTTY, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, files + ".err", flags, 0o600)
        // Moves the descriptors out of the way first, so that none takes the place of another.
        let copies = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 100) }
        defer { for copy in copies { close(copy) } }
        for (place, copy) in copies.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, copy, Int32(3 + place))
        }
        // Closing a descriptor that is not open is no error here.
        for descriptor in Int32(3 + descriptors.count)..<256 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of the test may block or ignore signals; the program begins without that.
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

    /// Whether it is still running.
    package var isRunning: Bool { ending == nil }

    /// The way in which it ended, or nil while it runs.
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
            "the end of “\(words.joined(separator: " "))”, which said: \(output)\(errors)", within: time,
            attempt: { ending })
    }

    /// Sends it a signal, unless it is known to have ended.
    package func signal(_ signal: Int32) {
        if ending == nil { kill(number, signal) }
    }

    /// Sends it a signal that ends it, and waits until it has ended.
    @discardableResult package func end(_ signal: Int32) -> Ending? {
        self.signal(signal)
        while status == nil {
            var raw: Int32 = 0
            let result = waitpid(number, &raw, 0)
            if result == number { status = Self.ending(raw) } else if errno != EINTR { return nil }
        }
        return status
    }

    /// Writes bytes to its standard input.
    package func write(_ bytes: [UInt8]) {
        send(input, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Closes its standard input.
    package func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    private static func ending(_ raw: Int32) -> Ending {
        raw & 0x7f == 0 ? raw >> 8 & 0xff : 128 + (raw & 0x7f)
    }

    /// Lends strings as a C array with a null pointer at the end.
    private static func withStrings<Value>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value
    ) -> Value {
        var copies = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return body(&copies)
    }
}
