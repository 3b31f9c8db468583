import BatonCore
import BatonNetwork
import Glibc
import Support
import Testing

@testable import BatonClient

/// The messages when a node's socket can't be used.
@Suite struct `Failures to reach a node` {
    @Test func `a socket of another user is reported with advice`() throws {
        let home = try Home(option: "/home/somebody/.baton") { _ in nil }
        let error = NetworkError(number: EACCES, operation: "connect to \(home.socket)")
        let failure = NodeDialogue.failure(error, connectingTo: home)
        #expect(failure.code == .notAllowed)
        let lines = failure.text.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains(home.socket), "\(lines)")
        #expect(lines.last?.contains("`sudo -u USER`") == true && lines.last?.contains("--home DIR") == true)
    }
}
