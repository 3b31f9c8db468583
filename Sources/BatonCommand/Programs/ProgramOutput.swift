import BatonCore
import BatonNetwork
@preconcurrency import Glibc

/// Runs another program, and keeps its output and its exit status.
struct ProgramOutput: Sendable {
    /// The exit status.
    ///
    /// If a signal ended the program, it is 128 plus the number of the signal, as in shells.
    let status: Int32
    let output: String
    let errors: String

    /// The maximum number of bytes that are kept of the output, and of the errors.
    private static let most = 1 << 20

    /// Runs a program, which is looked up in `PATH`, and waits until it has ended; nil if it can't be started.
    ///
    /// If the program does not end in time, it is killed, and the result is nil, too. If `variables` is nil, the
    /// program gets the variables of this process.
    init?(of words: [String], variables: [String]? = nil, within time: Duration? = nil) {
        var (output, errors): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pipe(&output) == 0 else { return nil }
        guard pipe(&errors) == 0 else {
            for descriptor in output { close(descriptor) }
            return nil
        }
        for descriptor in output + errors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        defer {
            close(output[0])
            close(errors[0])
        }
        let process = Self.start(words, variables, output: output[1], errors: errors[1])
        close(output[1])
        close(errors[1])
        guard let process else { return nil }
        let deadline = time.map { MonotonicTime.now + $0 }
        let isOver: Bool
        (self.output, self.errors, isOver) = Self.read(output[0], errors[0], until: deadline)
        if !isOver { kill(process, SIGKILL) }
        guard let status = EndedProgram.status(of: process), isOver else { return nil }
        self.status = status
    }

    private static func start(
        _ words: [String], _ variables: [String]?, output: Int32, errors: Int32
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        var copies = words.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        var settings = (variables ?? []).map { strdup($0) } + [nil]
        defer { for setting in settings { free(setting) } }
        var process = pid_t()
        let error =
            variables == nil
            ? posix_spawnp(&process, words[0], &actions, nil, &copies, environ)
            : posix_spawnp(&process, words[0], &actions, nil, &copies, &settings)
        return error == 0 ? process : nil
    }

    /// Reads the output and the errors to their ends.
    ///
    /// On a timeout, `isOver` is false in the result.
    private static func read(
        _ output: Int32, _ errors: Int32, until deadline: MonotonicTime?
    ) -> (output: String, errors: String, isOver: Bool) {
        var texts: [[UInt8]] = [[], []]
        var questions = [output, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while questions.contains(where: { $0.fd >= 0 }) {
            let left = deadline.map { Int32(clamping: Int(max(($0 - .now).milliseconds, 0).rounded(.up))) }
            let ready = poll(&questions, nfds_t(questions.count), left ?? -1)
            // A signal interrupted `poll`, which then has not set any results.
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { break }
            for place in questions.indices where questions[place].fd >= 0 && questions[place].revents != 0 {
                let count = Glibc.read(questions[place].fd, &buffer, buffer.count)
                if count > 0 {
                    texts[place] += buffer.prefix(min(count, most - texts[place].count))
                } else if count == 0 || errno != EINTR {
                    questions[place].fd = -1
                }
            }
        }
        let isOver = questions.allSatisfy { $0.fd < 0 }
        return (String(decoding: texts[0], as: UTF8.self), String(decoding: texts[1], as: UTF8.self), isOver)
    }
}
