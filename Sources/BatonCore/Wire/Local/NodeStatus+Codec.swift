// What a node says of itself, and how it names devices, in answers and events.

extension DeviceReference {
    func encode(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.identifier(identifier)
        writer.text(name)
        writer.boolean(isHere)
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 3)
        self.init(identifier: try reader.identifier(), name: try reader.text(), isHere: try reader.boolean())
    }
}

extension [DeviceStatus] {
    init(from reader: inout CBORReader) throws(CBORError) {
        self = try reader.array(upTo: Limits.frameBytes) { (reader) throws(CBORError) in
            try DeviceStatus(from: &reader)
        }
    }
}

extension NodeStatus {
    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.identifier(account) }
            fields.field(2) { device.encode(to: &$0) }
            fields.field(3) { $0.text(build) }
            fields.field(4) { $0.integer(Int64(process)) }
            fields.field(5) { $0.text(listening) }
            fields.field(6) { writer in
                writer.array(count: peers.count)
                for peer in peers { peer.encode(to: &writer) }
            }
            fields.field(7) { $0.texts(troubles) }
            fields.field(8, accountName) { $0.text($1) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var account: AccountIdentifier?, device: DeviceReference?, build: String?, process: Int32?
        var listening: String?, peers: [DeviceStatus] = [], troubles: [String] = []
        var accountName: String?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: account = try reader.identifier()
            case 2: device = try DeviceReference(from: &reader)
            case 3: build = try reader.text()
            case 4: process = try reader.processNumber()
            case 5: listening = try reader.text()
            case 6: peers = try [DeviceStatus](from: &reader)
            case 7: troubles = try reader.texts()
            case 8: accountName = try reader.text()
            default: break
            }
        }
        self.init(
            account: try account.required(1, in: reader), device: try device.required(2, in: reader),
            build: try build.required(3, in: reader),
            process: try process.required(4, in: reader),
            listening: try listening.required(5, in: reader), peers: peers, troubles: troubles)
        self.accountName = accountName
    }
}
