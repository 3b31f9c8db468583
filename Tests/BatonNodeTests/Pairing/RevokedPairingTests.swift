import BatonCore
import BatonNode
import BatonSecurity
import Foundation
import Support
import Testing

/// Pairing with the right code, where the joiner or the inviter was revoked.
@Suite struct `Pairing with a revoked machine` {
    /// A machine that joins with a given key; Baton makes a new key for each joining.
    private final class Guest {
        private let connection: RawConnection
        private let session: TLSSession
        private var joiner: PairingJoiner
        private var decoder = FrameDecoder()

        init(_ key: PrivateKey, code: String, port: UInt16) throws {
            let now = Int64(Date().timeIntervalSince1970)
            connection = try RawConnection(port: port)
            session = try TLSSession(client: .joiner(key: key, now: now))
            flush(connection, session)
            while session.peer == nil {
                let bytes = try #require(connection.read())
                try session.receive(bytes.span)
                flush(connection, session)
            }
            joiner = try PairingJoiner(
                code: PairingCode(text: code), name: "impostor", key: key,
                exported: session.exportKeyingMaterial(
                    label: PairingChannel.exporterLabel, count: PairingChannel.exportedByteCount))
        }

        /// Joins, and returns why that failed, or nil.
        func join() throws -> SecurityError? {
            try say(joiner.begin())
            while true {
                let frame = try next()
                switch joiner.handleMessage(
                    try PairingMessage(frame), now: Int64(Date().timeIntervalSince1970))
                {
                case .send(let message): try say(message)
                case .greet(_, let message): try say(message)
                case .keep:
                    try say(joiner.handleKept())
                    return nil
                case .fail(let error, _): return error
                }
            }
        }

        private func next() throws -> Frame {
            while true {
                if let frame = try decoder.next() { return frame }
                let bytes = try #require(connection.read())
                try #require(!bytes.isEmpty, "the node hung up")
                try session.receive(bytes.span)
                while try decoder.feed(from: { try session.readPlaintext(into: &$0, limit: $1) }) > 0 {}
            }
        }

        private func say(_ message: PairingMessage) throws {
            try session.send(message.frame)
            flush(connection, session)
        }
    }

    private func outcome(_ node: RunningNode, _ code: String) throws -> LocalFailure? {
        let answer = try node.ask(AwaitInvitation(code: code, isJoinerKnown: true))
        return if case .failure(let failure) = answer { failure } else { nil }
    }

    private func revoke(_ name: String, on node: RunningNode) throws {
        // A joiner finishes before the inviter has stored it.
        try eventually("\(name) among the devices") { try node.devices().contains { $0.device.name == name } }
        let answer = try node.ask(RevokeDevice(name, isConfirmed: true))
        guard case .success = answer else {
            throw DeadlinePassed(description: "\(name) was not revoked: \(answer)")
        }
    }

    @Test func `a revoked key is refused with a reason on both sides, and nothing is written`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        try node.admit("second")
        let home = try RunningNode.home(folder, "second")
        let key = try IdentityFolder(path: home.identity()).load().deviceKey
        try revoke("second", on: node)
        let before = try node.devices()
        let code = try node.invite()
        let error = try Guest(key, code: code, port: node.port).join()
        #expect(error?.code == .pairingRevoked, "\(String(describing: error))")
        #expect(try outcome(node, code)?.text.contains("key was revoked") == true)
        let after = try node.devices()
        #expect(after.map(\.device.name) == before.map(\.device.name))
        #expect(after.map(\.admitted) == before.map(\.admitted))
        #expect(after.contains { $0.device.name == "second" && $0.revocation != nil })
        // With a new key the machine counts as another one, and joins.
        let again = try node.invite()
        #expect(try Guest(.generate(), code: again, port: node.port).join() == nil)
    }

    @Test func `a revoked owner can't open an invitation, and its open invitation ends`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        let code = try node.invite()
        try revoke("first", on: node)
        #expect(try outcome(node, code)?.text.contains("was revoked, or its owner key") == true)
        guard case .failure(let failure) = try node.ask(OpenInvitation(asksPerson: false)) else {
            return #expect(Bool(false), "a revoked owner opened an invitation")
        }
        #expect(failure.code == .notAllowed && failure.text.contains("was revoked"), "\(failure)")
    }
}

private func flush(_ connection: RawConnection, _ session: TLSSession) {
    if let ciphertext = session.nextCiphertext() { connection.write(ciphertext) }
}
