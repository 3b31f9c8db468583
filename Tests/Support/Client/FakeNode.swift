package import BatonCore
import Glibc
package import Support
import Synchronization

/// A fake node: it listens on its own home, and answers as a test says.
package final class FakeNode: Sendable {
    /// The folder with everything, which is deleted with the node.
    package let folder: TemporaryFolder
    private let stage: Stage

    /// A node with this opening message, which answers each call with the closure; without an opening message it stays
    /// silent, and without an answer it hangs up.
    ///
    /// It answers calls for the registered apps by itself, and does not record them.
    package init(
        hello: Frame? = LocalHello(build: Build.version, process: 4711).frame, apps: [AppRegistration] = [],
        in folder: TemporaryFolder? = nil, answer: @escaping @Sendable (any LocalCall) -> FakeAnswer?
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        try folder.makeIdentity()
        try folder.makeFolder("run")
        stage = Stage(
            listener: try Self.listen(at: folder.path + "/run/node.sock"), hello: hello, apps: apps,
            answer: answer)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { raw in
                guard let raw else { return nil }
                Unmanaged<Stage>.fromOpaque(raw).takeRetainedValue().play()
                return nil
            }, Unmanaged.passRetained(stage).toOpaque())
        precondition(code == 0, "a thread can be made")
        pthread_detach(thread)
    }

    deinit { stop() }

    /// Stops listening and ends the connection, as a node that is stopped.
    package func stop() {
        stage.isListening.withLock { if $0 { shutdown(stage.listener, Int32(SHUT_RDWR)) } }
        stage.connection.withLock { if let connection = $0 { shutdown(connection, Int32(SHUT_RDWR)) } }
    }

    /// The home of the node.
    package var home: Home {
        get throws { try Home(option: folder.path) { _ in nil } }
    }

    /// The calls so far.
    package var calls: [any LocalCall] { stage.calls.withLock { $0 } }

    private static func listen(at path: String) throws -> Int32 {
        // A node that was stopped leaves its socket.
        unlink(path)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, Glibc.listen(listener, 8) == 0 else {
            throw LocalFailure(.failed, "no listener: \(errno)")
        }
        return listener
    }

    /// The state of the node's thread.
    private final class Stage: Sendable {
        let listener: Int32
        let hello: Frame?
        let apps: [AppRegistration]
        let answer: @Sendable (any LocalCall) -> FakeAnswer?
        let calls = Mutex<[any LocalCall]>([])
        /// Whether the listener is open; the number of a closed one may be that of another test's listener.
        let isListening = Mutex(true)
        /// The connection that is being served.
        let connection = Mutex<Int32?>(nil)

        init(
            listener: Int32, hello: Frame?, apps: [AppRegistration],
            answer: @escaping @Sendable (any LocalCall) -> FakeAnswer?
        ) {
            (self.listener, self.hello, self.apps, self.answer) = (listener, hello, apps, answer)
        }

        /// Serves one connection after the other until the listener is shut down.
        func play() {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { break }
                self.connection.withLock { $0 = connection }
                serve(connection)
                self.connection.withLock { $0 = nil }
                close(connection)
            }
            isListening.withLock { isListening in
                isListening = false
                close(listener)
            }
        }

        private func serve(_ connection: Int32) {
            if let hello { write(hello, connection) }
            var decoder = FrameDecoder()
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(connection, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                decoder.feed(buffer.prefix(count))
                do {
                    while let frame = try decoder.next() {
                        guard hello != nil, frame.kind == .localRequest else { continue }
                        let read = try LocalRequest.read(frame)
                        guard let call = read.message else { return }
                        if call is ListRegistrations {
                            write(RegistrationsReply(apps).frame(number: read.number), connection)
                            continue
                        }
                        calls.withLock { $0.append(call) }
                        guard let answer = answer(call) else { return }
                        if case .silence = answer { continue }
                        write(answer.frame(number: read.number), connection)
                    }
                } catch {
                    return
                }
            }
        }

        private func write(_ frame: Frame, _ connection: Int32) {
            let bytes = frame.encoded
            send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }
}

/// The answer of a fake node to a call.
package enum FakeAnswer: Sendable {
    case reply(any LocalReply)
    case failure(LocalFailure)
    /// The call stays unanswered, as one that waits for an event.
    case silence

    fileprivate func frame(number: UInt64) -> Frame {
        switch self {
        case .reply(let reply): reply.frame(number: number)
        case .failure(let failure): LocalAnswer.frame(failure, number: number)
        case .silence: preconditionFailure("silence has no frame")
        }
    }

    /// The answer as the client reads it.
    package var taken: LocalAnswer { get throws { try LocalAnswer(frame(number: 1)) } }
}
