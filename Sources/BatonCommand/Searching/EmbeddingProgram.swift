import BatonClient
package import BatonCore
import BatonNetwork
@preconcurrency import Glibc

/// A program of the person that computes vectors for the meanings of texts.
///
/// It reads lines of JSON, `{"text": TEXT}`, and answers each with a line `{"vector": [NUMBER, …]}`, or with null
/// instead of the list. Lines that are not objects are ignored, because many programs print messages while they start.
/// The program is started when it is first needed, and restarted after it has ended.
package final class EmbeddingProgram {
    private let words: [String]
    private let patience, startPatience: Duration
    private var running: Running?
    /// The size of its vectors, set by the first one.
    private var size: Int?
    /// The number of times in a row that it has ended or hung without a vector.
    private var failures = 0

    private struct Running {
        let process: pid_t
        /// A socket that is its standard input and output.
        let socket: Int32
        /// The bytes that it has written after the last complete line.
        var rest: [UInt8] = []
        /// Whether it has answered a text.
        var hasAnswered = false
    }

    /// The reply of the program to a text.
    private enum Reply {
        case line([UInt8])
        case ended
        /// It did not answer in time, or wrote too much.
        case hung
    }

    /// The time limit for an answer, and for the first one, before which the program may load a model.
    package static let (patience, startPatience) = (Duration.seconds(20), Duration.seconds(60))
    /// The longest line that is read: the largest vector, with room to spare.
    private static let lineBytes = 64 << 10
    /// The most reads to discard unexpected lines before a text is sent.
    private static let unreadMost = 16
    /// The failures in a row after which the program is considered broken.
    private static let failuresMost = 5

    package init(
        _ words: [String], patience: Duration = EmbeddingProgram.patience,
        startPatience: Duration = EmbeddingProgram.startPatience
    ) {
        (self.words, self.patience, self.startPatience) = (words, patience, startPatience)
    }

    deinit { stop() }

    /// Returns the name of the model: vectors can't be compared with those of another program, other arguments or
    /// another size.
    ///
    /// The size is found by requesting the vector of a text. Throws if the program only ends or hangs.
    package func model() throws(LocalFailure) -> String {
        while size == nil {
            let before = failures
            // A program that answers without a vector for this text may have vectors for others.
            if try vector(of: Self.firstText) == nil, failures == before { break }
        }
        let size = size.map { "\u{0}\u{0}\($0)" } ?? ""
        return Base64.encode(SHA256.digest((words.joined(separator: "\u{0}") + size).utf8))
    }

    private static let firstText = "The meaning of this text is asked for first."

    /// Returns the vector of a text; nil if the program has none, or answers with something else.
    ///
    /// After the program ends or hangs, it is restarted for the next text. Throws if it ends or hangs too many times
    /// in a row.
    package func vector(of text: String) throws(LocalFailure) -> Embedding? {
        guard let line = try answer(to: JSON.object([.init("text", .string(text))]).text + "\n") else {
            stop()
            failures += 1
            guard failures < Self.failuresMost else {
                throw LocalFailure(
                    .failed,
                    "\(words[0]) has ended or hung \(failures) times without a vector. See `baton help embed` for what it must print."
                )
            }
            return nil
        }
        guard let vector = Self.vector(in: line), vector.bytes.count == size ?? vector.bytes.count else {
            return nil
        }
        (size, failures) = (vector.bytes.count, 0)
        return vector
    }

    /// Returns the program's answer to a line; nil if it ends or hangs instead.
    private func answer(to line: String) throws(LocalFailure) -> [UInt8]? {
        if running?.hasAnswered ?? false {
            switch exchange(line) {
            case .line(let answer): return answer
            case .hung: return nil
            // It may have ended before this request, so this text gets a second attempt.
            case .ended: stop()
            }
        }
        if running == nil { running = try start() }
        guard case .line(let answer) = exchange(line) else { return nil }
        running?.hasAnswered = true
        return answer
    }

    private static func vector(in line: [UInt8]) -> Embedding? {
        let value: JSON
        do throws(JSONError) { value = try JSON(reading: line) } catch { return nil }
        guard case .object(let members) = value,
            case .array(let numbers)? = members.first(where: { $0.key == "vector" })?.value
        else { return nil }
        let values = numbers.compactMap { number -> Double? in
            switch number {
            case .integer(let value): Double(value)
            case .real(let value): value
            default: nil
            }
        }
        return values.count == numbers.count ? Embedding(values) : nil
    }

    // MARK: The process

    /// Ends the program, if it runs.
    private func stop() {
        guard let running = running.take() else { return }
        close(running.socket)
        kill(running.process, SIGKILL)
        var status: Int32 = 0
        while waitpid(running.process, &status, 0) < 0, errno == EINTR {}
    }

    private func start() throws(LocalFailure) -> Running {
        var sockets: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &sockets) == 0
        else {
            throw cannotStart(errno)
        }
        defer { close(sockets[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, sockets[1], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, sockets[1], STDOUT_FILENO)
        var copies = words.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        var process = pid_t()
        let error = posix_spawnp(&process, words[0], &actions, nil, &copies, environ)
        guard error == 0 else {
            close(sockets[0])
            throw cannotStart(error)
        }
        return Running(process: process, socket: sockets[0])
    }

    private func cannotStart(_ number: Int32) -> LocalFailure {
        LocalFailure(
            .failed,
            "\(words[0]) can't be started: \(SystemText.of(number)).\nSee `embed` in the configuration file.")
    }

    /// Sends a line, and returns the reply.
    private func exchange(_ line: String) -> Reply {
        guard let socket = running?.socket else { return .ended }
        // An unexpected line would pass for the answer to this text, and shift all later answers by one.
        dropUnread(of: socket)
        var isUnasked = running?.rest.isEmpty == false
        var left = Array(line.utf8)[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes {
                send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .ended }
            left = left.dropFirst(count)
        }
        let deadline = MonotonicTime.now + (running?.hasAnswered ?? false ? patience : startPatience)
        while true {
            if let line = takeLine() {
                let isObject = line.first { $0 != UInt8(ascii: " ") } == UInt8(ascii: "{")
                if isObject, !isUnasked { return .line(line) }
                isUnasked = false
                continue
            }
            let wait = (deadline - .now).milliseconds
            guard wait > 0, running?.rest.count ?? 0 <= Self.lineBytes else { return .hung }
            var question = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let ready = poll(&question, 1, Int32(min(wait.rounded(.up), 1e6)))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return .hung }
            guard read(from: socket, 0) else { return .ended }
        }
    }

    /// Discards the complete lines that the program has written, up to a limit; an incomplete line is kept.
    private func dropUnread(of socket: Int32) {
        var reads = 0
        repeat {
            while takeLine() != nil {}
            reads += 1
        } while reads < Self.unreadMost && read(from: socket, Int32(MSG_DONTWAIT))
    }

    /// Removes and returns the first complete line that was read; nil if there is none.
    private func takeLine() -> [UInt8]? {
        guard let rest = running?.rest, let end = rest.firstIndex(of: 10) else { return nil }
        running?.rest = Array(rest[(end + 1)...])
        return Array(rest[..<end])
    }

    /// Reads what the program has written; returns false if there is nothing, or it has ended.
    private func read(from socket: Int32, _ flags: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        var count = -1
        repeat { count = recv(socket, &buffer, buffer.count, flags) } while count < 0 && errno == EINTR
        guard count > 0 else { return false }
        running?.rest += buffer.prefix(count)
        return true
    }
}
