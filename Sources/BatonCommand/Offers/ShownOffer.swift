import BatonCore
import BatonNetwork
@preconcurrency import Glibc

/// A notification that is shown: a running `notify-send`, which prints the action when the person chooses it.
final class ShownOffer {
    let summary: ActivitySummary
    let hasAction: Bool
    private let process: pid_t
    /// The descriptor from which the program's output is read.
    ///
    /// It can be polled.
    let descriptor: Int32
    private var output: [UInt8] = []
    private var isReaped = false

    /// The end of a notification.
    enum Outcome: Equatable {
        case chosen
        case dismissed
        /// The program ended with this exit status, which is not zero.
        case failed(Int32)
    }

    /// Shows a notification; returns nil if `notify-send` can't be started.
    init?(_ summary: ActivitySummary, withAction hasAction: Bool) {
        (self.summary, self.hasAction) = (summary, hasAction)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        let words = OfferText(summary).words(withAction: hasAction)
        var copies = words.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        var process = pid_t()
        let number = posix_spawnp(&process, words[0], &actions, nil, &copies, environ)
        (self.process, descriptor) = (process, ends[0])
        guard number == 0 else {
            isReaped = true
            return nil
        }
    }

    deinit {
        close(descriptor)
        guard !isReaped else { return }
        kill(process, SIGTERM)
        _ = wait()
    }

    /// Reads the program's output; returns the outcome when the program has closed its output.
    func read() -> Outcome? {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 {
            output += buffer.prefix(min(count, 256 - min(256, output.count)))
            return nil
        }
        if count < 0, errno == EINTR { return nil }
        let status = wait()
        guard status == 0 else { return .failed(status) }
        return String(decoding: output, as: UTF8.self).split(separator: "\n").contains(OfferText.action[...])
            ? .chosen : .dismissed
    }

    /// Waits until the program has ended, and returns its exit status.
    private func wait() -> Int32 {
        isReaped = true
        return EndedProgram.status(of: process) ?? -1
    }
}
