import BatonClient
import BatonCore
@preconcurrency import Glibc

/// A running program that performs intents.
///
/// The program reads requests from its standard input, and writes answers to its standard output. Its standard error is
/// that of this process. When this value is released, both ends are closed, and a program that still runs is ended.
struct PerformingProgram: ~Copyable {
    private let process: pid_t
    /// The descriptor for requests; negative once it was closed.
    private var input: Int32
    private let output: Int32
    private var lines = LineBuffer()
    /// Whether the program has ended, and was waited for.
    private var hasEnded = false

    /// Starts a program by its whole path.
    init(_ words: [String]) throws(LocalFailure) {
        var (inputs, outputs): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        // With a socket, writing to a program that has ended returns an error instead of raising a signal.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &inputs) == 0 else {
            throw ProgramStart.failure(words.first ?? "", errno)
        }
        guard pipe(&outputs) == 0 else {
            let number = errno
            for descriptor in inputs { close(descriptor) }
            throw ProgramStart.failure(words.first ?? "", number)
        }
        for descriptor in outputs { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        defer {
            close(inputs[1])
            close(outputs[1])
        }
        let (process, number) = Self.spawn(words, input: inputs[1], output: outputs[1])
        guard let process else {
            close(inputs[0])
            close(outputs[0])
            throw ProgramStart.failure(words.first ?? "", number)
        }
        (self.process, input, output) = (process, inputs[0], outputs[0])
    }

    deinit {
        if input >= 0 { close(input) }
        close(output)
        guard !hasEnded else { return }
        // Nobody reads what the program may still answer. Without this, it would stay as a zombie of this process.
        kill(process, SIGTERM)
        _ = EndedProgram(process)
    }

    private static func spawn(
        _ words: [String], input: Int32, output: Int32
    ) -> (process: pid_t?, error: Int32) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var copies = words.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        var process = pid_t()
        let number = posix_spawn(&process, words.first ?? "", &actions, nil, &copies, environ)
        return number == 0 ? (process, 0) : (nil, number)
    }

    /// Sends a request.
    ///
    /// An error is ignored, because a program that did not read the request sends no answer.
    func send(_ request: JSON) {
        var rest = Array("\(request.text)\n".utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Tells the program that there are no more requests.
    mutating func closeInput() {
        guard input >= 0 else { return }
        close(input)
        input = -1
    }

    /// Waits for the next line; returns nil at the end of the program's output.
    mutating func next() throws(LocalFailure) -> LineBuffer.Line? {
        while true {
            if let line = lines.next() { return line }
            var bytes = [UInt8](repeating: 0, count: 64 << 10)
            let count = Glibc.read(output, &bytes, bytes.count)
            if count > 0 {
                lines.feed(bytes.prefix(count))
            } else if count == 0 {
                return lines.rest()
            } else if errno != EINTR {
                throw LocalFailure(.failed, "Reading from the program failed: \(SystemText.of(errno)).")
            }
        }
    }

    /// Waits until the program has ended.
    mutating func waitForEnd() throws(LocalFailure) -> EndedProgram {
        hasEnded = true
        guard let end = EndedProgram(process) else {
            throw LocalFailure(.failed, "Waiting for the program failed: \(SystemText.of(errno)).")
        }
        return end
    }
}
