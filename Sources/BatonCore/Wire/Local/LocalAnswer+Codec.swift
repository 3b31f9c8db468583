extension LocalAnswer {
    private enum Number {
        static let failure: UInt64 = 0
        static let activity: UInt64 = 1
        static let activities: UInt64 = 2
        static let continued: UInt64 = 3
        static let status: UInt64 = 4
        static let devices: UInt64 = 5
        static let invitation: UInt64 = 6
        static let joined: UInt64 = 7
        static let initialised: UInt64 = 8
        static let admitted: UInt64 = 9
        static let indexed: UInt64 = 10
        static let clientState: UInt64 = 11
        static let reindexing: UInt64 = 12
        static let digest: UInt64 = 13
        static let settings: UInt64 = 14
        static let joining: UInt64 = 15
        static let settling: UInt64 = 16
        static let found: UInt64 = 20
        static let working: UInt64 = 21
        static let backup: UInt64 = 22
        static let restored: UInt64 = 23
        static let accounts: UInt64 = 30
        static let invitationCancelled: UInt64 = 31
        static let departure: UInt64 = 24
        static let promoted: UInt64 = 25
        static let changes: UInt64 = 40
        static let registrations: UInt64 = 41
        static let event: UInt64 = 42
        static let done: UInt64 = 43
        static let streamOpened: UInt64 = 50
    }

    /// The answer as a frame: the number of the request, what it is, and its value.
    ///
    /// One that does not fit becomes a failure that says so.
    package func frame(number: UInt64) -> Frame {
        let bytes = encoded(number: number)
        guard bytes.count > Limits.frameBytes else { return Frame(kind: .localAnswer, body: bytes) }
        let failure = LocalFailure(
            .tooLarge, "The answer is larger than the \(Limits.frameBytes) bytes that one can have.")
        return Frame(kind: .localAnswer, body: LocalAnswer.failure(failure).encoded(number: number))
    }

    private func encoded(number: UInt64) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(count: 3)
        writer.unsigned(number)
        switch self {
        case .failure(let failure):
            writer.unsigned(Number.failure)
            writer.array(count: 2)
            writer.unsigned(failure.code.rawValue)
            writer.text(failure.text)
        case .activity(let summary):
            writer.unsigned(Number.activity)
            summary.encode(to: &writer)
        case .activities(let summaries, let isLast):
            writer.unsigned(Number.activities)
            writer.array(count: 2)
            writer.boolean(isLast)
            writer.array(count: summaries.count)
            for summary in summaries { summary.encode(to: &writer) }
        case .continued(let continued):
            writer.unsigned(Number.continued)
            continued.encode(to: &writer)
        case .changes(let changes):
            writer.unsigned(Number.changes)
            changes.encode(to: &writer)
        case .registrations(let registrations):
            writer.unsigned(Number.registrations)
            writer.array(count: registrations.count)
            for registration in registrations { registration.encode(to: &writer) }
        case .event(let event):
            writer.unsigned(Number.event)
            event.encode(to: &writer)
        case .streamOpened(let continued):
            writer.unsigned(Number.streamOpened)
            continued.encode(to: &writer)
        case .done:
            writer.unsigned(Number.done)
            writer.null()
        case .status(let status):
            writer.unsigned(Number.status)
            status.encode(to: &writer)
        case .devices(let devices):
            writer.unsigned(Number.devices)
            writer.array(count: devices.count)
            for device in devices { device.encode(to: &writer) }
        case .invitation(let code, let expires, let addresses):
            writer.unsigned(Number.invitation)
            writer.array(count: 3)
            writer.text(code)
            writer.integer(expires.milliseconds)
            writer.texts(addresses)
        case .joined(let device):
            writer.unsigned(Number.joined)
            device.encode(to: &writer)
        case .joining(let name, let phrase, let asksPerson):
            writer.unsigned(Number.joining)
            writer.array(count: 3)
            writer.text(name)
            writer.text(phrase)
            writer.boolean(asksPerson)
        case .initialised(let account, let device, let recoveryCode):
            writer.unsigned(Number.initialised)
            writer.array(count: 3)
            writer.identifier(account)
            device.encode(to: &writer)
            writer.text(recoveryCode)
        case .admitted(let account, let device, let inviter):
            writer.unsigned(Number.admitted)
            writer.array(count: 3)
            writer.identifier(account)
            device.encode(to: &writer)
            inviter.encode(to: &writer)
        case .found(let items, let isWhole):
            writer.unsigned(Number.found)
            writer.array(count: 2)
            writer.boolean(isWhole)
            writer.array(count: items.count)
            for item in items { item.encode(to: &writer) }
        case .settings(let settings):
            writer.unsigned(Number.settings)
            settings.encode(to: &writer)
        case .digest(let digest):
            writer.unsigned(Number.digest)
            writer.data(digest.bytes)
        case .settling(let unsettled):
            writer.unsigned(Number.settling)
            writer.array(count: 2)
            writer.unsigned(UInt64(unsettled.toMerge))
            writer.unsigned(UInt64(unsettled.toClear))
        case .indexed(let passedOver):
            writer.unsigned(Number.indexed)
            writer.unsigned(UInt64(passedOver))
        case .clientState(let state):
            writer.unsigned(Number.clientState)
            if let state { writer.data(state) } else { writer.null() }
        case .reindexing(let extent):
            writer.unsigned(Number.reindexing)
            extent.encodeForApps(to: &writer)
        case .working(let bytes, let all):
            writer.unsigned(Number.working)
            writer.array(count: 2)
            writer.integer(Int64(bytes))
            if let all { writer.integer(Int64(all)) } else { writer.null() }
        case .backup(let description):
            writer.unsigned(Number.backup)
            description.encode(to: &writer)
        case .restored(let description, let aside):
            writer.unsigned(Number.restored)
            writer.array(count: 2)
            description.encode(to: &writer)
            writer.texts(aside)
        case .accounts(let accounts):
            writer.unsigned(Number.accounts)
            writer.array(count: accounts.count)
            for account in accounts { account.encode(to: &writer) }
        case .invitationCancelled:
            writer.unsigned(Number.invitationCancelled)
            writer.null()
        case .departure(let departure):
            writer.unsigned(Number.departure)
            departure.encode(to: &writer)
        case .promoted(let promotion):
            writer.unsigned(Number.promoted)
            promotion.encode(to: &writer)
        }
        return writer.bytes
    }

    /// Reads an answer and the number of its request.
    package static func read(_ frame: Frame) throws(CloseReason) -> (number: UInt64, answer: LocalAnswer) {
        guard frame.kind == .localAnswer else { throw CloseReason(.unexpected, "\(frame.kind) is no answer") }
        do {
            return try CBORReader.whole(frame.body[...]) { (reader) throws(CBORError) in
                try reader.array(count: 3)
                return (try reader.unsigned(), try LocalAnswer(from: &reader))
            }
        } catch {
            throw CloseReason(error, in: frame.kind)
        }
    }

    private init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        switch try reader.unsigned() {
        case Number.failure:
            try reader.array(count: 2)
            let code = LocalFailure.Code(rawValue: try reader.unsigned()) ?? .failed
            self = .failure(LocalFailure(code, try reader.text()))
        case Number.activity: self = .activity(try ActivitySummary(from: &reader))
        case Number.activities:
            try reader.array(count: 2)
            let isLast = try reader.boolean()
            let summaries = try reader.array(upTo: Limits.frameBytes) { (reader) throws(CBORError) in
                try ActivitySummary(from: &reader)
            }
            self = .activities(summaries, isLast: isLast)
        case Number.continued: self = .continued(try ContinuedActivity(from: &reader))
        case Number.changes: self = .changes(try ActivityChanges(from: &reader))
        case Number.registrations:
            self = .registrations(
                try reader.array(upTo: Limits.frameBytes) { (reader) throws(CBORError) in
                    try AppRegistration(from: &reader)
                })
        case Number.event: self = .event(try AppEvent(from: &reader))
        case Number.streamOpened: self = .streamOpened(try ContinuedActivity(from: &reader))
        case Number.done:
            try reader.null()
            self = .done
        case Number.status: self = .status(try NodeStatus(from: &reader))
        case Number.devices: self = .devices(try [DeviceStatus](from: &reader))
        case Number.invitation:
            try reader.array(count: 3)
            let code = try reader.text()
            self = .invitation(
                code: code, expires: WallTime(milliseconds: try reader.integer()),
                addresses: try reader.texts())
        case Number.joined: self = .joined(try DeviceReference(from: &reader))
        case Number.joining:
            try reader.array(count: 3)
            self = .joining(
                name: try reader.text(), phrase: try reader.text(), asksPerson: try reader.boolean())
        case Number.initialised:
            try reader.array(count: 3)
            self = .initialised(
                try reader.identifier(), try DeviceReference(from: &reader), recoveryCode: try reader.text())
        case Number.admitted:
            try reader.array(count: 3)
            self = .admitted(
                try reader.identifier(), try DeviceReference(from: &reader),
                inviter: try DeviceReference(from: &reader))
        case Number.found:
            try reader.array(count: 2)
            let isWhole = try reader.boolean()
            let items = try reader.array(upTo: Limits.frameBytes) { (reader) throws(CBORError) in
                try FoundItem(from: &reader)
            }
            self = .found(items, isWhole: isWhole)
        case Number.settings: self = .settings(try Settings(from: &reader))
        case Number.digest:
            guard let digest = StateDigest(bytes: try reader.data()) else {
                throw CBORError(.outOfRange, at: start)
            }
            self = .digest(digest)
        case Number.settling:
            try reader.array(count: 2)
            let most = UInt64(Int32.max)
            self = .settling(
                Unsettled(
                    toMerge: Int(try reader.unsigned(upTo: most)),
                    toClear: Int(try reader.unsigned(upTo: most))))
        case Number.indexed: self = .indexed(passedOver: Int(try reader.unsigned(upTo: UInt64(Int32.max))))
        case Number.clientState:
            if reader.nextIsNull {
                try reader.null()
                self = .clientState(nil)
            } else {
                self = .clientState(try reader.data())
            }
        case Number.reindexing: self = .reindexing(try ReindexRequest.Extent(fromApps: &reader))
        case Number.working:
            try reader.array(count: 2)
            let bytes = Int(try reader.integer())
            self = .working(bytes: bytes, all: reader.nextIsNull ? nil : Int(try reader.integer()))
            if self == .working(bytes: bytes, all: nil) { try reader.null() }
        case Number.backup: self = .backup(try BackupDescription(from: &reader))
        case Number.restored:
            try reader.array(count: 2)
            self = .restored(try BackupDescription(from: &reader), aside: try reader.texts())
        case Number.accounts:
            self = .accounts(
                try reader.array(upTo: Limits.frameBytes) { (reader) throws(CBORError) in
                    try AccountStatus(from: &reader)
                })
        case Number.invitationCancelled:
            try reader.null()
            self = .invitationCancelled
        case Number.departure: self = .departure(try Departure(from: &reader))
        case Number.promoted: self = .promoted(try Promotion(from: &reader))
        default: throw CBORError(.outOfRange, at: start)
        }
    }
}

extension CBORWriter {
    mutating func texts(_ values: [String]) {
        array(count: values.count)
        for value in values { text(value) }
    }
}

extension CBORReader {
    mutating func texts() throws(CBORError) -> [String] {
        try array(upTo: Limits.frameBytes) { (reader) throws(CBORError) in try reader.text() }
    }
}
