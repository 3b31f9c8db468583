package import BatonCore
import BatonNetwork
import Glibc

/// A connection to the node that runs on a home: one request at a time, each answered before the next.
///
/// It ends when its owner lets go of it. After a failure other than an answered one it is of no more use.
package struct NodeConnection: ~Copyable {
    private let connection: BlockingConnection
    private let home: Home
    private var decoder = FrameDecoder()
    /// The number of the last request.
    private var number: UInt64 = 0
    /// What the node said of itself, once it did.
    package private(set) var node: LocalHello?
    /// Hears each second for how long an answer has been awaited.
    package var waited: ((Duration) -> Void)?

    /// How long a node may take to answer what it can answer at once.
    package static let patience = Duration.seconds(10)

    /// Connects to the node of a home, and says where there is none.
    package init(_ home: Home, within patience: Duration = Self.patience) throws(LocalFailure) {
        self.home = home
        do throws(NetworkError) {
            connection = try BlockingConnection(toUnix: home.socket, deadline: .now + patience)
        } catch {
            throw Self.failure(error, connectingTo: home)
        }
    }

    /// Asks the node, and throws its answer if that is a failure.
    package mutating func request(
        _ request: LocalRequest, within patience: Duration = Self.patience
    ) throws(LocalFailure) -> LocalAnswer {
        let deadline = MonotonicTime.now + patience
        number += 1
        var bytes = try request.frame(number: number).encoded
        // The opening message rides with the first request, so that it costs no wait of its own.
        if number == 1 {
            let hello = LocalHello(build: Build.version, process: getpid(), account: home.meant?.text)
            bytes = hello.frame.encoded + bytes
        }
        do throws(NetworkError) {
            try connection.send(bytes, deadline: deadline)
        } catch  where error.code == .reset {
            // A node that parts at once says why before it does; that waits to be read.
        } catch {
            throw failure(error, patience: patience)
        }
        if node == nil { node = try hello(deadline: deadline, patience: patience) }
        let answer = try answer(deadline: deadline, patience: patience)
        if case .failure(let failure) = answer { throw failure }
        return answer
    }

    /// The node's opening message, which must be of the version that is spoken here.
    private mutating func hello(deadline: MonotonicTime, patience: Duration) throws(LocalFailure)
        -> LocalHello
    {
        let frame = try frame(deadline: deadline, patience: patience)
        let hello: LocalHello
        do throws(CloseReason) {
            hello = try LocalHello(frame)
        } catch {
            throw Self.failure(error)
        }
        // A node that has never heard of names would take its one account for the one that is meant.
        guard hello.version == LocalHello.version, hello.account == home.meant?.text else {
            throw LocalFailure(
                .versionMismatch,
                "The node (process \(hello.process)) is of version \(hello.build), this command of version"
                    + " \(Build.version), and they do not understand each other.\n"
                    + "Stop the node and start it again with `baton node\(home.option)`.")
        }
        return hello
    }

    /// The answer to the last request.
    private mutating func answer(deadline: MonotonicTime, patience: Duration) throws(LocalFailure)
        -> LocalAnswer
    {
        let frame = try frame(deadline: deadline, patience: patience)
        do throws(CloseReason) {
            let (number, answer) = try LocalAnswer.read(frame)
            guard number == self.number else {
                throw CloseReason(
                    .unexpected, "an answer to request \(number) came to request \(self.number)")
            }
            return answer
        } catch {
            throw Self.failure(error)
        }
    }

    /// The next frame; a closing one is thrown.
    private mutating func frame(deadline: MonotonicTime, patience: Duration) throws(LocalFailure) -> Frame {
        while true {
            if let frame = try decoded() { return frame }
            let bytes: [UInt8]
            do throws(NetworkError) {
                bytes = try receive(deadline: deadline)
            } catch {
                throw failure(error, patience: patience)
            }
            guard !bytes.isEmpty else { throw ended }
            decoder.feed(bytes)
        }
    }

    /// What arrives next; who wants to know hears meanwhile that nothing did.
    private func receive(deadline: MonotonicTime) throws(NetworkError) -> [UInt8] {
        let began = MonotonicTime.now
        while true {
            let next = waited == nil ? deadline : min(deadline, .now + ProgressLine.silence)
            do throws(NetworkError) {
                return try connection.receive(upTo: Self.portion, deadline: next)
            } catch  where error.code == .timedOut && next < deadline {
                waited?(.now - began)
            }
        }
    }

    /// The next frame of what has arrived.
    private mutating func decoded() throws(LocalFailure) -> Frame? {
        do throws(CloseReason) {
            guard let frame = try decoder.next() else { return nil }
            guard frame.kind == .close else { return frame }
            throw try Self.closing(frame)
        } catch {
            throw Self.failure(error)
        }
    }

    /// How many bytes are read at once.
    private static let portion = 64 << 10
}

extension NodeConnection {
    /// What the node gave as its reason to close.
    private static func closing(_ frame: Frame) throws(CloseReason) -> CloseReason {
        do throws(CBORError) {
            return try CBORReader.whole(frame.body[...]) { (reader) throws(CBORError) in
                try CloseReason(from: &reader)
            }
        } catch {
            throw CloseReason(error, in: frame.kind)
        }
    }

    /// The node went away in the middle.
    private var ended: LocalFailure {
        LocalFailure(
            .failed,
            "The node ended the connection before it answered.\n"
                + "See whether it still runs with `baton status\(home.option)`.")
    }

    /// The node spoke in a way that is not understood here, or said that it did not understand.
    private static func failure(_ reason: CloseReason) -> LocalFailure {
        LocalFailure(
            reason.code == .version ? .versionMismatch : .failed,
            "The node and the command parted: \(reason).")
    }

    /// What a broken connection means to a person.
    private func failure(_ error: NetworkError, patience: Duration) -> LocalFailure {
        switch error.code {
        case .timedOut:
            LocalFailure(
                .failed,
                "The node did not answer within \(HumanTime.span(patience)). Its log may say what keeps it.")
        case .reset: ended
        default: LocalFailure(.failed, "The connection to the node broke: \(error)")
        }
    }

    /// What it means to a person that the node's socket can't be reached.
    private static func failure(_ error: NetworkError, connectingTo home: Home) -> LocalFailure {
        switch error.code {
        case .notFound, .refused:
            guard home.accounts(namesIn: { FolderContents.names(in: $0) }).isEmpty else {
                return LocalFailure(
                    .noNode,
                    "No node is running here.\nStart one with `baton node\(home.option)`, or have one run in the background with "
                        + "`baton service install\(home.option)`.")
            }
            return notInitialised(home)
        case .permission:
            return LocalFailure(.notAllowed, "The node's socket \(home.socket) belongs to another person.")
        default: return LocalFailure(.failed, "The node can't be reached: \(error)")
        }
    }

    /// There is no account on this home yet.
    private static func notInitialised(_ home: Home) -> LocalFailure {
        LocalFailure(
            .notInitialised,
            "There is no account here yet.\nType `baton init\(home.option)` for the first machine of an account, or"
                + " `baton join CODE --at HOST:PORT\(home.option)` with the code that `baton invite` shows on another. If no other"
                + " machine can invite any more, `baton recover\(home.option)` asks for the recovery code."
        )
    }
}
