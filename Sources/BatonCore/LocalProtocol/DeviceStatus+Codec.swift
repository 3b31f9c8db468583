extension DeviceStatus: LocalValue {
    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { device.encode(to: &$0) }
            fields.field(2) { $0.integer(admitted.milliseconds) }
            fields.field(3) { $0.boolean(isConnected) }
            fields.field(4) { $0.boolean(isInStep) }
            fields.field(5, seen) { $0.integer($1.milliseconds) }
            fields.field(6) { $0.value(addresses) }
            fields.field(7, trouble) { $0.text($1) }
            fields.flag(8, isOwner)
            fields.field(9, removed) { $0.integer($1.milliseconds) }
            fields.field(10, revocation) { $1.encode(to: &$0) }
            fields.flag(11, hasLeft)
            fields.field(12, lastChange) { $1.encode(to: &$0) }
            fields.field(13, version) { $0.text($1) }
            fields.field(14, clockLead) { $0.integer($1) }
            fields.field(15, connectedSince) { $0.integer($1.milliseconds) }
            fields.field(16, outOfStepSince) { $0.integer($1.milliseconds) }
            fields.field(17, backlog) { $1.encode(to: &$0) }
            fields.field(18, namedAddresses.isEmpty ? nil : namedAddresses) { $0.value($1) }
            fields.field(19, attempts.isEmpty ? nil : attempts) { $0.value($1) }
            fields.field(20, received) { writer, received in
                writer.array(count: 2)
                writer.unsigned(received.count)
                writer.integer(received.latest.milliseconds)
            }
            fields.field(21, closeCode) { $0.unsigned($1) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var device: DeviceReference?, admitted: Int64?, isConnected = false, isInStep = false
        var seen: WallTime?, addresses: [String] = [], trouble: String?
        var isOwner = false, removed: WallTime?, revocation: Revoked?, hasLeft = false, lastChange: Change?
        var version: String?, clockLead: Int64?
        var connectedSince: WallTime?, outOfStepSince: WallTime?, backlog: SyncBacklog?
        var namedAddresses: [String] = [], attempts: [AddressAttempt] = [], received: ReceivedChanges?
        var closeCode: UInt64?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: device = try DeviceReference(from: &reader)
            case 2: admitted = try reader.integer()
            case 3: isConnected = try reader.boolean()
            case 4: isInStep = try reader.boolean()
            case 5: seen = WallTime(milliseconds: try reader.integer())
            case 6: addresses = try reader.value()
            case 7: trouble = try reader.text()
            case 8: isOwner = try reader.boolean()
            case 9: removed = WallTime(milliseconds: try reader.integer())
            case 10: revocation = try Revoked(from: &reader)
            case 11: hasLeft = try reader.boolean()
            case 12: lastChange = try Change(from: &reader)
            case 13: version = try reader.text()
            case 14: clockLead = try reader.integer()
            case 15: connectedSince = WallTime(milliseconds: try reader.integer())
            case 16: outOfStepSince = WallTime(milliseconds: try reader.integer())
            case 17: backlog = try SyncBacklog(from: &reader)
            case 18: namedAddresses = try reader.value()
            case 19: attempts = try reader.value()
            case 20:
                try reader.array(count: 2)
                let count = try reader.unsigned(upTo: .max)
                received = ReceivedChanges(
                    count: count, latest: WallTime(milliseconds: try reader.integer()))
            case 21: closeCode = try reader.unsigned(upTo: .max)
            default: break
            }
        }
        self.init(
            device: try device.required(1, in: reader),
            admitted: WallTime(milliseconds: try admitted.required(2, in: reader)),
            isConnected: isConnected, isInStep: isInStep, seen: seen, addresses: addresses, trouble: trouble)
        self.isOwner = isOwner
        self.removed = removed
        self.revocation = revocation
        self.hasLeft = hasLeft
        (self.lastChange, self.version, self.clockLead) = (lastChange, version, clockLead)
        (self.connectedSince, self.outOfStepSince) = (connectedSince, outOfStepSince)
        (self.backlog, self.namedAddresses, self.attempts) = (backlog, namedAddresses, attempts)
        (self.received, self.closeCode) = (received, closeCode)
    }
}

extension SyncBacklog {
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.array(count: 5)
        writer.unsigned(toSend)
        writer.unsigned(toTake)
        writer.unsigned(taken)
        writer.boolean(isSendingSnapshot)
        writer.boolean(isTakingSnapshot)
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 5)
        self.init(
            toSend: try reader.unsigned(upTo: .max), toTake: try reader.unsigned(upTo: .max),
            taken: try reader.unsigned(upTo: .max),
            isSendingSnapshot: try reader.boolean(), isTakingSnapshot: try reader.boolean())
    }
}

extension DeviceStatus.Revoked {
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.triple(date, revoker, isOfOwner)
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        (date, revoker, isOfOwner) = try reader.triple()
    }
}

extension DeviceStatus.Change {
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.unsigned(kind.rawValue) }
            fields.field(2, title) { $0.text($1) }
            fields.flag(3, isDeletion)
            fields.field(4) { $0.integer(made.milliseconds) }
            fields.field(5) { $0.integer(taken.milliseconds) }
            fields.field(6) { sender.encode(to: &$0) }
        }
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        var kind: UInt64?, title: String?, isDeletion = false
        var made: Int64?, taken: Int64?, sender: DeviceReference?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: kind = try reader.unsigned(upTo: RecordKind.largest)
            case 2: title = try reader.text()
            case 3: isDeletion = try reader.boolean()
            case 4: made = try reader.integer()
            case 5: taken = try reader.integer()
            case 6: sender = try DeviceReference(from: &reader)
            default: break
            }
        }
        self.init(
            kind: RecordKind(rawValue: try kind.required(1, in: reader)), title: title,
            isDeletion: isDeletion, made: WallTime(milliseconds: try made.required(4, in: reader)),
            taken: WallTime(milliseconds: try taken.required(5, in: reader)),
            sender: try sender.required(6, in: reader))
    }
}
