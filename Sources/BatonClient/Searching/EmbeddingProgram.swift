package import BatonCore
import BatonNetwork
@preconcurrency import Glibc

/// A program of the person that says what texts mean.
///
/// It reads lines of JSON, `{"text": TEXT}`, and answers each with a line `{"vector": [NUMBER, …]}`, or null in the place
/// of the list. It is started when it is first needed, and again after it has ended.
package final class EmbeddingProgram {
    private let words: [String]
    private let patience: Duration
    private var running: Running?
    /// The size of its vectors, which is that of the first one.
    private var size: Int?
    /// The number of times in a row that it has ended or hung without a vector.
    private var failures = 0

    private struct Running {
        let process: pid_t
        /// A socket that is its standard input and output.
        let socket: Int32
        /// The bytes that it has written beyond the last line.
        var rest: [UInt8] = []
    }

    /// The time in which a text is answered.
    package static let patience = Duration.seconds(20)
    /// The longest line that is read: the largest vector, with room to spare.
    private static let lineBytes = 64 << 10
    /// After so many failures in a row it is taken for broken.
    private static let failuresMost = 5

    package init(_ words: [String], patience: Duration = EmbeddingProgram.patience) {
        (self.words, self.patience) = (words, patience)
    }

    deinit { stop() }

    /// Names the model: vectors of another program, or of one with other arguments, can't be compared with its own.
    package var model: String { Base64.encode(SHA256.digest(words.joined(separator: "\u{0}").utf8)) }

    /// Returns the vector of a text; nil if the program has none, or says something that is none.
    ///
    /// A program that ends or hangs is started anew for the next text. Throws if it does nothing else.
    package func vector(of text: String) throws(LocalFailure) -> Embedding? {
        if running == nil { running = try start() }
        guard let line = answer(to: JSON.object([.init("text", .string(text))]).text + "\n") else {
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

    /// Sends a line, and returns the line that answers it; nil if none comes in time.
    private func answer(to line: String) -> [UInt8]? {
        guard let socket = running?.socket else { return nil }
        var left = Array(line.utf8)[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes {
                send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            left = left.dropFirst(count)
        }
        let deadline = MonotonicTime.now + patience
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            if let end = running?.rest.firstIndex(of: 10), let rest = running?.rest {
                running?.rest = Array(rest[(end + 1)...])
                return Array(rest[..<end])
            }
            let wait = (deadline - .now).milliseconds
            guard wait > 0, running?.rest.count ?? 0 <= Self.lineBytes else { return nil }
            var question = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let ready = poll(&question, 1, Int32(min(wait.rounded(.up), 1e6)))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            running?.rest += buffer.prefix(count)
        }
    }
}
