import BatonClient
import BatonCore
import BatonNetwork
@preconcurrency import Glibc

/// Runs another program, writes bytes to its input, and reads bytes from its output.
///
/// A program that offers a clipboard leaves a process in the background, and this process keeps the output open. So the
/// exchange ends when the program itself ends. The end of the output is awaited only if the caller wants the output.
struct ProgramExchange {
    /// The exit status.
    ///
    /// If a signal ended the program, it is 128 plus the number of the signal, as in shells.
    let status: Int32
    let output: [UInt8]
    /// The beginning of the program's standard error.
    let errors: String
    /// Whether the output was larger than allowed.
    ///
    /// Then the program was killed.
    let isTooLarge: Bool

    /// The maximum number of bytes of standard error that are kept.
    private static let errorsMost = 4096

    /// Runs a program, which is looked up in `PATH`, without a shell.
    ///
    /// The result is nil if the program can't be started or does not end in time. If `most` is zero, the output is
    /// discarded.
    init?(with words: [String], input: [UInt8] = [], outputMost most: Int = 0, within time: Duration) {
        var (inputs, outputs, errors): ([Int32], [Int32], [Int32]) = ([-1, -1], [-1, -1], [-1, -1])
        // With a socket, writing to a program that has ended returns an error instead of raising a signal.
        let isMade =
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &inputs) == 0
            && pipe(&outputs) == 0 && pipe(&errors) == 0
        defer { for descriptor in inputs + outputs + errors where descriptor >= 0 { close(descriptor) } }
        guard isMade else { return nil }
        for descriptor in outputs + errors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        guard
            let process = Self.start(
                words, input: inputs[1], output: most > 0 ? outputs[1] : nil, errors: errors[1])
        else { return nil }
        close(inputs[1])
        close(outputs[1])
        close(errors[1])
        (inputs[1], outputs[1], errors[1]) = (-1, -1, -1)
        for descriptor in [outputs[0], errors[0]] {
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        }
        var exchange = Running(
            process: process, input: inputs[0], output: most > 0 ? outputs[0] : -1, errors: errors[0],
            left: input[...], most: most)
        let isOver = exchange.run(until: .now + time)
        (inputs[0], outputs[0]) = (exchange.input, most > 0 ? exchange.output : outputs[0])
        if !isOver || exchange.isTooLarge { kill(process, SIGKILL) }
        guard let status = EndedProgram.status(of: process), isOver else { return nil }
        self.status = status
        (output, isTooLarge) = (exchange.read, exchange.isTooLarge)
        self.errors = String(decoding: exchange.said, as: UTF8.self)
    }

    private static func start(_ words: [String], input: Int32, output: Int32?, errors: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        var copies = words.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        var process = pid_t()
        return posix_spawnp(&process, words[0], &actions, nil, &copies, environ) == 0 ? process : nil
    }

    /// A running program, with this process's ends of its pipes.
    ///
    /// A descriptor is negative after it was closed.
    private struct Running {
        let process: pid_t
        var input: Int32
        var output: Int32
        let errors: Int32
        /// The bytes of the input that have not been written yet.
        var left: ArraySlice<UInt8>
        let most: Int
        var read: [UInt8] = []
        var said: [UInt8] = []
        var isTooLarge = false

        /// Waits until the program has ended and its output, if wanted, was read to the end; returns false on a
        /// timeout.
        mutating func run(until deadline: MonotonicTime) -> Bool {
            do throws(NetworkError) {
                // A process that has already ended has no identity. Then there is no end to wait for.
                guard let identity = try ProcessIdentity.find(process), let end = try identity.openEnd()
                else {
                    return follow(nil, until: deadline)
                }
                return follow(end.number, until: deadline)
            } catch {
                return false
            }
        }

        private mutating func follow(_ end: Int32?, until deadline: MonotonicTime) -> Bool {
            var hasEnded = end == nil
            while !hasEnded || output >= 0 {
                if left.isEmpty { closeInput() }
                let questions: [(descriptor: Int32, events: Int16)] = [
                    (input, Int16(POLLOUT)), (output, Int16(POLLIN)),
                    (hasEnded ? -1 : errors, Int16(POLLIN)), (hasEnded ? -1 : end ?? -1, Int16(POLLIN)),
                ]
                let rest = deadline - .now
                guard rest > .zero else { return false }
                let ready = Waiting.forOne(of: questions, within: rest)
                if ready[0] { write() }
                if ready[1] { readOutput() }
                if ready[2] || ready[3] { readErrors() }
                if ready[3] { hasEnded = true }
                if isTooLarge { return true }
            }
            readErrors()
            return true
        }

        private mutating func closeInput() {
            guard input >= 0 else { return }
            close(input)
            input = -1
        }

        private mutating func write() {
            let count = left.withUnsafeBytes { bytes in
                send(input, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count >= 0 {
                left = left.dropFirst(count)
            } else if errno != EINTR, errno != EAGAIN {
                // The program has closed its input. Its exit status says whether this is an error.
                left = []
            }
        }

        private mutating func readOutput() {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let count = Glibc.read(output, &buffer, buffer.count)
            if count > 0 {
                read += buffer.prefix(count)
                isTooLarge = read.count > most
            } else if count == 0 || errno != EINTR && errno != EAGAIN {
                close(output)
                output = -1
            }
        }

        private mutating func readErrors() {
            var buffer = [UInt8](repeating: 0, count: ProgramExchange.errorsMost)
            let count = Glibc.read(errors, &buffer, buffer.count)
            guard count > 0 else { return }
            said += buffer.prefix(min(count, ProgramExchange.errorsMost - said.count))
        }
    }
}
