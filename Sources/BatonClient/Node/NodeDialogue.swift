import BatonCore
import BatonNetwork
import Glibc

/// What is said with a node, whoever carries the bytes: the opening messages, numbered requests and their answers.
struct NodeDialogue {
    let home: Home
    /// What has arrived and is no whole frame yet, or of no concern yet.
    private(set) var decoder = FrameDecoder()
    /// The number of the last request.
    private var number: UInt64 = 0
    /// The requests that are not answered yet.
    private var waiting: Set<UInt64> = []
    /// What the node said of itself, once it did.
    private(set) var node: LocalHello?

    init(_ home: Home) { self.home = home }

    /// How many bytes are read at once.
    static let portion = 64 << 10

    /// How many requests are not answered yet.
    var unanswered: Int { waiting.count }

    /// Gives a request its number, and the bytes that say it.
    mutating func ask(_ request: LocalRequest) throws(LocalFailure) -> (number: UInt64, bytes: [UInt8]) {
        var bytes = try request.frame(number: number + 1).encoded
        // The opening message rides with the first request, so that it costs no wait of its own.
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

    /// The next answer of what has arrived; what ends the connection is thrown.
    mutating func next() throws(LocalFailure) -> (number: UInt64, answer: LocalAnswer)? {
        while let frame = try frame() {
            guard node != nil else {
                try open(frame)
                continue
            }
            do throws(CloseReason) {
                let (number, answer) = try LocalAnswer.read(frame)
                guard waiting.remove(number) != nil else {
                    throw CloseReason(
                        .unexpected, "an answer to request \(number) came, which waits for none")
                }
                return (number, answer)
            } catch {
                throw Self.failure(error)
            }
        }
        return nil
    }

    /// The next frame of what has arrived; one that closes the connection is thrown.
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
        // A node that has never heard of names would take its one account for the one that is meant.
        guard hello.version == LocalHello.version, hello.account == home.meant?.text else {
            throw LocalFailure(
                .versionMismatch,
                "The node (process \(hello.process)) is of version \(hello.build), this command of version"
                    + " \(Build.version), and they do not understand each other.\n"
                    + "Stop the node and start it again with `baton node\(home.option)`.")
        }
        node = hello
    }

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
}
