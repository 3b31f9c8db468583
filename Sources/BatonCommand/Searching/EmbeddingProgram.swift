import BatonClient
package import BatonCore
import BatonNetwork
@preconcurrency import Glibc

/// Runs a program of the person that computes the meanings of texts, as vectors.
///
/// The program reads lines of JSON, such as `{"text": TEXT}`. It answers each line with a line
/// `{"vector": [NUMBER, …]}`, or with null in place of the list. Lines that are not objects are ignored, because many
/// programs print messages while they start. The program is started when it is first needed, and restarted after it has
/// ended.
package final class EmbeddingProgram {
    private let words: [String]
    private let patience, startPatience: Duration
    private var running: Running?
    /// The size in bytes of the program's vectors, or nil before the first one has arrived.
    private var size: Int?
    /// How often the program has ended or hung since it last returned a vector.
    private var failures = 0

    private struct Running {
        let process: pid_t
        /// The socket that is the program's standard input and output.
        let socket: Int32
        /// The bytes that were read from the program and don't form a complete line yet.
        var rest: [UInt8] = []
        /// Whether the program has answered since it was started.
        var hasAnswered = false
    }

    /// The program's reaction to a text.
    private enum Reply {
        case line([UInt8])
        case ended
        /// The program did not answer in time, or wrote a line that was too long.
        case hung
    }

    /// How long to wait for an answer, and how long to wait for the first one.
    ///
    /// The program may load a model before it.
    package static let (patience, startPatience) = (Duration.seconds(20), Duration.seconds(60))
    /// The maximum length of a line in bytes.
    ///
    /// It leaves room to spare for the largest vector.
    private static let lineBytes = 64 << 10
    /// The largest number of reads in which unexpected lines are discarded before a text is sent.
    private static let unreadMost = 16
    /// After this number of failures in a row, the program counts as broken.
    private static let failuresMost = 5

    package init(
        _ words: [String], patience: Duration = EmbeddingProgram.patience,
        startPatience: Duration = EmbeddingProgram.startPatience
    ) {
        (self.words, self.patience, self.startPatience) = (words, patience, startPatience)
    }

    deinit { stop() }

    /// Returns a name for the model, which is the program with its arguments and the size of its vectors.
    ///
    /// Vectors of different models can't be compared. To find the size, the program is asked for the vector of a text.
    /// Throws if the program always ends or hangs.
    package func model() throws(LocalFailure) -> String {
        while size == nil {
            let before = failures
            // The program has answered without a vector. It may still return vectors for other texts.
            if try vector(of: Self.firstText) == nil, failures == before { break }
        }
        let size = size.map { "\u{0}\u{0}\($0)" } ?? ""
        return Base64.encode(SHA256.digest((words.joined(separator: "\u{0}") + size).utf8))
    }

    private static let firstText = "The meaning of this text is asked for first."

    /// Returns the vector of a text, or nil if the program does not return a valid one.
    ///
    /// If the program ends or hangs, it is restarted for the next text. Throws if this happens too often in a row.
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

    /// Returns the program's answer to a line, or nil if the program ends or hangs instead.
    private func answer(to line: String) throws(LocalFailure) -> [UInt8]? {
        if running?.hasAnswered ?? false {
            switch exchange(line) {
            case .line(let answer): return answer
            case .hung: return nil
            // The program may have ended before this text was sent. So the text is sent again, to a new process.
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

    /// Kills the program if it is running.
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

    /// Sends a line, and waits for the program's reaction.
    private func exchange(_ line: String) -> Reply {
        guard let socket = running?.socket else { return .ended }
        // The program may have written a line without being asked. It would be taken for the answer to this text, and
        // every later answer would belong to the wrong text.
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

    /// Discards complete lines that the program has already written.
    ///
    /// An incomplete line is kept.
    private func dropUnread(of socket: Int32) {
        var reads = 0
        repeat {
            while takeLine() != nil {}
            reads += 1
        } while reads < Self.unreadMost && read(from: socket, Int32(MSG_DONTWAIT))
    }

    /// Removes the first complete line from the bytes that were read, and returns it; nil if there is none.
    private func takeLine() -> [UInt8]? {
        guard let rest = running?.rest, let end = rest.firstIndex(of: 10) else { return nil }
        running?.rest = Array(rest[(end + 1)...])
        return Array(rest[..<end])
    }

    /// Reads from the program; returns false if no bytes are available or the program has ended.
    private func read(from socket: Int32, _ flags: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        var count = -1
        repeat { count = recv(socket, &buffer, buffer.count, flags) } while count < 0 && errno == EINTR
        guard count > 0 else { return false }
        running?.rest += buffer.prefix(count)
        return true
    }
}
