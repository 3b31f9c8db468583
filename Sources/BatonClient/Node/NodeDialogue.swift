import BatonCore
import BatonNetwork
import Glibc

/// The client's side of the protocol between an app and its node: greetings, numbered requests, and answers.
struct NodeDialogue {
    let home: Home
    /// The received bytes that are not decoded yet.
    private(set) var decoder = FrameDecoder()
    /// The number of the last request.
    private var number: UInt64 = 0
    /// The requests that are not answered yet.
    private var waiting: Set<UInt64> = []
    /// The node's first message, once it has arrived.
    private(set) var node: LocalHello?

    init(_ home: Home) { self.home = home }

    /// The largest number of bytes that are read at once.
    static let portion = 64 << 10

    /// The number of requests that are not answered yet.
    var unanswered: Int { waiting.count }

    /// Gives a call the next number, and returns that number and the bytes to send.
    mutating func ask(_ call: some LocalCall) throws(LocalFailure) -> (number: UInt64, bytes: [UInt8]) {
        var bytes = try call.frame(number: number + 1).encoded
        // The first message is sent with the first request, to save a round trip.
        if number == 0 {
            let hello = LocalHello(build: Build.version, process: getpid(), account: home.meant?.text)
            bytes = hello.frame.encoded + bytes
        }
        number += 1
        waiting.insert(number)
        return (number, bytes)
    }

    /// Adds received bytes.
    mutating func feed(_ bytes: [UInt8]) { decoder.feed(bytes) }

    /// Returns the next complete answer, or nil if there is none; throws if the connection must end.
    mutating func next() throws(LocalFailure) -> LocalAnswer? {
        while let frame = try frame() {
            guard node != nil else {
                try open(frame)
                continue
            }
            do throws(CloseReason) {
                let answer = try LocalAnswer(frame)
                guard waiting.remove(answer.number) != nil else {
                    throw CloseReason(
                        .unexpected, "an answer to request \(answer.number), which is not waiting for one")
                }
                return answer
            } catch {
                throw Self.failure(error)
            }
        }
        return nil
    }

    /// Returns the next complete frame, or nil if there is none.
    ///
    /// If the frame closes the connection, throws the reason that the frame gives.
    private mutating func frame() throws(LocalFailure) -> Frame? {
        do throws(CloseReason) {
            guard let frame = try decoder.next() else { return nil }
            guard frame.kind == .close else { return frame }
            throw try Self.closing(frame)
        } catch {
            throw Self.failure(error)
        }
    }

    /// Reads the node's first message, and throws if the version of the node differs from that of this build.
    private mutating func open(_ frame: Frame) throws(LocalFailure) {
        let hello: LocalHello
        do throws(CloseReason) {
            hello = try LocalHello(frame)
        } catch {
            throw Self.failure(error)
        }
        // An older node, whose version has no account names, would ignore the name and use its only account. So its
        // first message does not repeat the name.
        guard hello.version == LocalHello.version, hello.account == home.meant?.text else {
            throw LocalFailure(
                .versionMismatch,
                "The node (process \(hello.process)) has version \(hello.build), which does not work with version"
                    + " \(Build.version) of this command.\n"
                    + "Stop the node and start it again with `baton node\(home.option)`.")
        }
        node = hello
    }

    /// Reads the node's reason for closing the connection.
    private static func closing(_ frame: Frame) throws(CloseReason) -> CloseReason {
        do throws(CBORError) {
            return try CBORReader.whole(frame.body[...]) { (reader) throws(CBORError) in
                try CloseReason(from: &reader)
            }
        } catch {
            throw CloseReason(error, in: frame.kind)
        }
    }
}
