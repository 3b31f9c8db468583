/// The state of a node and of one of its accounts.
package struct NodeStatus: SimpleReply {
    package static let kind = LocalReplyKind.nodeStatus

    package var account: AccountIdentifier
    package var device: DeviceReference
    package var build: String
    package var process: Int32
    /// The address at which the node accepts connections.
    package var listening: String
    /// The other devices of the account.
    package var peers: [DeviceStatus]
    /// Descriptions of problems that a person should know.
    package var troubles: [String]
    /// The name of the account on this machine.
    package var accountName: String?
    /// The state of discovery on local networks, in words; nil if discovery works on every network of this machine.
    package var discovery: String?

    /// Whether protected content is locked; nil if no passphrase is set.
    package var isLocked: Bool?
    /// Whether there is protected content although no passphrase is set.
    package var lacksPassphrase = false

    /// The text of `discovery` if the person has turned discovery off.
    package static let discoveryOff = "off, as the configuration says"

    package init(
        account: AccountIdentifier, device: DeviceReference, build: String, process: Int32, listening: String,
        peers: [DeviceStatus], troubles: [String]
    ) {
        self.account = account
        self.device = device
        self.build = build
        self.process = process
        (self.listening, self.peers, self.troubles) = (listening, peers, troubles)
    }
}

extension NodeStatus {
    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.identifier(account) }
            fields.field(2) { device.encode(to: &$0) }
            fields.field(3) { $0.text(build) }
            fields.field(4) { $0.integer(Int64(process)) }
            fields.field(5) { $0.text(listening) }
            fields.field(6) { $0.value(peers) }
            fields.field(7) { $0.value(troubles) }
            fields.field(8, accountName) { $0.text($1) }
            fields.field(9, discovery) { $0.text($1) }
            fields.field(10, isLocked) { $0.boolean($1) }
            if lacksPassphrase { fields.field(11) { $0.boolean(true) } }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var account: AccountIdentifier?, device: DeviceReference?, build: String?, process: Int32?
        var listening: String?, peers: [DeviceStatus] = [], troubles: [String] = []
        var accountName: String?, discovery: String?, isLocked: Bool?, lacksPassphrase = false
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: account = try reader.identifier()
            case 2: device = try DeviceReference(from: &reader)
            case 3: build = try reader.text()
            case 4: process = try reader.processNumber()
            case 5: listening = try reader.text()
            case 6: peers = try reader.value()
            case 7: troubles = try reader.value()
            case 8: accountName = try reader.text()
            case 9: discovery = try reader.text()
            case 10: isLocked = try reader.boolean()
            case 11: lacksPassphrase = try reader.boolean()
            default: break
            }
        }
        self.init(
            account: try account.required(1, in: reader), device: try device.required(2, in: reader),
            build: try build.required(3, in: reader),
            process: try process.required(4, in: reader),
            listening: try listening.required(5, in: reader), peers: peers, troubles: troubles)
        (self.accountName, self.discovery) = (accountName, discovery)
        (self.isLocked, self.lacksPassphrase) = (isLocked, lacksPassphrase)
    }
}
