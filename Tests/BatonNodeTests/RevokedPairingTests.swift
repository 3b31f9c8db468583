import BatonCore
import BatonNode
import BatonSecurity
import Foundation
import Support
import Testing

/// Machines that were revoked, at both ends of a pairing with the right code.
@Suite struct `Pairing with a revoked machine` {
    /// A machine that joins with a key of its own choice, as ours never do.
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
                switch joiner.handle(
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

    private func devices(_ node: RunningNode) throws -> [DeviceStatus] {
        guard case .success(let devices) = try node.ask(ListDevices()).map(\.devices) else { return [] }
        return devices
    }

    private func revoke(_ name: String, on node: RunningNode) throws {
        // A joiner is done before the inviter has entered it.
        try eventually("\(name) among the devices") { try devices(node).contains { $0.device.name == name } }
        let answer = try node.ask(RevokeDevice(name, isConfirmed: true))
        guard case .success = answer else {
            throw DeadlinePassed(description: "\(name) was not revoked: \(answer)")
        }
    }

    @Test func `lets no revoked key in, says so on both sides, and writes nothing`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        try node.admit("second")
        let home = try RunningNode.home(folder, "second")
        let key = try IdentityFolder(path: home.identity()).load().deviceKey
        try revoke("second", on: node)
        let before = try devices(node)
        let code = try node.invite()
        let error = try Guest(key, code: code, port: node.port).join()
        #expect(error?.code == .pairingRevoked, "\(String(describing: error))")
        #expect(try outcome(node, code)?.text.contains("key was revoked") == true)
        let after = try devices(node)
        #expect(after.map(\.device.name) == before.map(\.device.name))
        #expect(after.map(\.admitted) == before.map(\.admitted))
        #expect(after.contains { $0.device.name == "second" && $0.revocation != nil })
        // A new key is another machine.
        let again = try node.invite()
        #expect(try Guest(.generate(), code: again, port: node.port).join() == nil)
    }

    @Test func `is refused by an owner that was revoked, also where the invitation is open already`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        let code = try node.invite()
        try revoke("first", on: node)
        #expect(try outcome(node, code)?.text.contains("was revoked, or its owner key") == true)
        guard case .failure(let failure) = try node.ask(OpenInvitation(asksPerson: false)) else {
            return #expect(Bool(false), "it invites")
        }
        #expect(failure.code == .notAllowed && failure.text.contains("was revoked"), "\(failure)")
    }
}

private func flush(_ connection: RawConnection, _ session: TLSSession) {
    if let ciphertext = session.nextCiphertext() { connection.write(ciphertext) }
}
