import BatonCore
import BatonNetwork
import Glibc

/// The local protocol as one side of a connection speaks it: the opening messages, numbered requests and their answers.
struct NodeDialogue {
    let home: Home
    /// Holds what has arrived and was not read yet.
    private(set) var decoder = FrameDecoder()
    /// The number of the last request.
    private var number: UInt64 = 0
    /// The requests that are not answered yet.
    private var waiting: Set<UInt64> = []
    /// The node's opening message, once it has come.
    private(set) var node: LocalHello?

    init(_ home: Home) { self.home = home }

    /// How many bytes are read at once.
    static let portion = 64 << 10

    /// How many requests are not answered yet.
    var unanswered: Int { waiting.count }

    /// Gives a call its number, and returns the bytes to send.
    mutating func ask(_ call: some LocalCall) throws(LocalFailure) -> (number: UInt64, bytes: [UInt8]) {
        var bytes = try call.frame(number: number + 1).encoded
        // The opening message goes out with the first request, so that it costs no round trip of its own.
        if number == 0 {
            let hello = LocalHello(build: Build.version, process: getpid(), account: home.meant?.text)
            bytes = hello.frame.encoded + bytes
        }
        number += 1
        waiting.insert(number)
        return (number, bytes)
    }

    /// Takes bytes as they arrive.
    mutating func feed(_ bytes: [UInt8]) { decoder.feed(bytes) }

    /// Returns the next answer of what has arrived; throws what ends the connection.
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
                        .unexpected, "an answer to request \(answer.number) came, which waits for none")
                }
                return answer
            } catch {
                throw Self.failure(error)
            }
        }
        return nil
    }

    /// Returns the next frame of what has arrived; throws the reason in a frame that closes the connection.
    private mutating func frame() throws(LocalFailure) -> Frame? {
        do throws(CloseReason) {
            guard let frame = try decoder.next() else { return nil }
            guard frame.kind == .close else { return frame }
            throw try Self.closing(frame)
        } catch {
            throw Self.failure(error)
        }
    }

    /// Takes the node's opening message, which must be of the version that is spoken here.
    private mutating func open(_ frame: Frame) throws(LocalFailure) {
        let hello: LocalHello
        do throws(CloseReason) {
            hello = try LocalHello(frame)
        } catch {
            throw Self.failure(error)
        }
        // A node that knows no names of accounts would take its only account for the one that is meant.
        guard hello.version == LocalHello.version, hello.account == home.meant?.text else {
            throw LocalFailure(
                .versionMismatch,
                "The node (process \(hello.process)) is of version \(hello.build), this command of version"
                    + " \(Build.version), and they do not understand each other.\n"
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
