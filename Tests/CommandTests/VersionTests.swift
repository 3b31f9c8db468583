import BatonCore
import Foundation
import Support
import Testing

/// A command and a node that do not understand each other say so, whichever is the newer.
@Suite struct `Versions` {
    @Test(arguments: [0, 2, UInt64.max])
    func `a node of another version`(version: UInt64) throws {
        let folder = try TemporaryFolder()
        let laptop = Machine("laptop", in: folder)
        try laptop.must("init", "--no-confirm")
        let hello = LocalHello(version: version, build: "9.9\u{1b}[2J", process: 4711).frame.encoded
        let node = try Listening(atUnix: laptop.home + "/run/node.sock")
        node.serve { connection in
            _ = connection.read()
            connection.write(hello)
        }
        for words in [["list"], ["status"], ["start", "x"]] {
            let answer = try laptop.type(["baton"] + words)
            #expect(answer.status == 12, "\(answer)")
            #expect(answer.errors.contains("4711") && answer.advice.contains("baton node"), "\(answer)")
            #expect(answer.errors.contains("9.9\\u{1b}[2J"), "\(answer)")
        }
    }

    @Test(
        arguments: [
            [], [0, 0, 0, 0x42], [0xff, 0xff, 0xff, 0x40], Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8),
        ] as [[UInt8]])
    func `what is no node at all`(bytes: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let laptop = Machine("laptop", in: folder)
        try laptop.must("init", "--no-confirm")
        let node = try Listening(atUnix: laptop.home + "/run/node.sock")
        node.serve { connection in
            _ = connection.read()
            connection.write(bytes)
        }
        let answer = try laptop.baton("list")
        #expect(answer.status == 1 && answer.errors.hasPrefix("baton: "), "\(answer)")
    }
}
