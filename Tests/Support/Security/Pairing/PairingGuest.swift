package import BatonCore
package import BatonSecurity

/// A machine that wants to join, at one end of a channel.
package final class PairingGuest {
    package var joiner: PairingJoiner
    package let key: PrivateKey
    package let code: PairingCode
    package let channel: PairingChannel
    /// The messages in transit, to the inviter and to this machine.
    package var toInviter: [PairingMessage] = []
    package var toJoiner: [PairingMessage] = []
    /// The inviter that was shown to the person here.
    package private(set) var host: PairingHost?
    /// The credentials that it has kept.
    package private(set) var credentials: Credentials?
    /// The error for which it has not joined.
    package private(set) var failure: SecurityError?
    /// Whether writing the credentials fails.
    package var isDiskFull = false
    private let clock: Int64

    /// Makes a connected machine with its first message in transit; the number stands for the exported value.
    package init(code: PairingCode, name: String, number: Int, clock: Int64) throws {
        key = try PrivateKey.generate()
        let exported = [UInt8](repeating: UInt8(truncatingIfNeeded: number + 1), count: 32)
        channel = PairingChannel(joiner: key.publicKey, exported: exported)
        joiner = try PairingJoiner(code: code, name: name, key: key, exported: exported)
        (self.clock, self.code) = (clock, code)
        toInviter = [joiner.begin()]
    }

    package var device: DeviceIdentifier { key.publicKey.device }

    /// Whether its pairing is over.
    package var isOver: Bool { credentials != nil || failure != nil }

    /// Handles a message.
    package func hear(_ message: PairingMessage) {
        guard !isOver else { return }
        switch joiner.handleMessage(message, now: clock) {
        case .send(let message): toInviter.append(message)
        case .greet(let host, let introduction):
            self.host = host
            toInviter.append(introduction)
        case .keep(let credentials, _):
            if isDiskFull {
                failure = SecurityError(.file, "The disk is full.")
                toInviter.append(joiner.handleNotKept())
            } else {
                self.credentials = credentials
                toInviter.append(joiner.handleKept())
            }
        case .fail(let error, let telling):
            failure = error
            if let telling { toInviter.append(telling) }
        }
    }

    /// Handles the loss of its connection, with all messages in transit.
    func lose() {
        (toInviter, toJoiner) = ([], [])
        if credentials == nil { failure = failure ?? SecurityError(.closed, "The connection is gone.") }
    }
}
