import BatonClient
package import BatonCore
@preconcurrency import Glibc

/// A process that runs the node's program for this command.
///
/// The process writes answers to its output, and may read lines from its input. When this value is released, the input
/// is closed, and the release waits until the process has ended.
package struct NodeConversation: ~Copyable {
    private let process: pid_t
    private let input: Int32
    private let output: Int32
    private var decoder = FrameDecoder()
    /// Called once a second while an answer is awaited, with the time that the wait has lasted.
    package var waited: ((Duration) -> Void)?

    /// Takes over a running process, with the descriptors for its input and output.
    init(process: pid_t, input: Int32, output: Int32) {
        (self.process, self.input, self.output) = (process, input, output)
    }

    deinit {
        close(input)
        close(output)
        _ = Self.ending(of: process)
    }

    /// Returns the next reply; throws the failure if the process answers with a failure.
    ///
    /// If the process ends without an answer, the failure says how it ended.
    package mutating func next<Reply: LocalReply>(_: Reply.Type) throws(LocalFailure) -> Reply {
        try answer(Reply.self).get()
    }

    private mutating func answer<Reply: LocalReply>(
        _: Reply.Type
    ) throws(LocalFailure) -> Result<Reply, LocalFailure> {
        do throws(CloseReason) {
            while true {
                if let frame = try decoder.next() { return try LocalAnswer(frame).result(Reply.self) }
                let bytes = read()
                guard !bytes.isEmpty else { break }
                decoder.feed(bytes)
            }
        } catch {
            throw LocalFailure(.failed, "\(NodeProgram.name) sent an invalid answer: \(error).")
        }
        // The process has closed its output, so it is about to end.
        throw LocalFailure(.failed, "\(NodeProgram.name) sent no answer: \(Self.ending(of: process)).")
    }

    /// Sends a line.
    ///
    /// An error is ignored, because a process that did not read the line sends no answer.
    package func say(_ line: String) {
        var rest = Array("\(line)\n".utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns the next bytes of the process's output, or no bytes at the end of the output.
    private func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let began = ContinuousClock.now
        while true {
            if let waited {
                var question = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
                if poll(&question, 1, Int32(ProgressLine.silence.components.seconds * 1000)) == 0 {
                    waited(ContinuousClock.now - began)
                    continue
                }
            }
            let count = Glibc.read(output, &buffer, buffer.count)
            if count >= 0 { return Array(buffer.prefix(count)) }
            guard errno == EINTR else { return [] }
        }
    }

    /// Waits until the process has ended, and returns a description of how it ended.
    private static func ending(of process: pid_t) -> String {
        guard let end = EndedProgram(process) else {
            return "its exit status is unknown (\(SystemText.of(errno)))"
        }
        return "it \(end.text)"
    }
}
