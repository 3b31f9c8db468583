extension LocalRequest {
    private enum Number {
        static let start: UInt64 = 1
        static let update: UInt64 = 2
        static let finish: UInt64 = 3
        static let list: UInt64 = 4
        static let continueActivity: UInt64 = 5
        static let status: UInt64 = 6
        static let devices: UInt64 = 7
        static let invite: UInt64 = 8
        static let awaitInvitation: UInt64 = 9
        static let index: UInt64 = 10
        static let endBatch: UInt64 = 11
        static let discardBatch: UInt64 = 12
        static let clientState: UInt64 = 13
        static let opened: UInt64 = 14
        static let awaitReindexing: UInt64 = 15
        static let acknowledgeReindexing: UInt64 = 16
        static let digest: UInt64 = 17
        static let settings: UInt64 = 18
        static let set: UInt64 = 19
        static let search: UInt64 = 20
        static let backup: UInt64 = 21
        static let restore: UInt64 = 22
        static let awaitBackup: UInt64 = 23
        static let answerJoiner: UInt64 = 24
        static let revoke: UInt64 = 25
        static let remove: UInt64 = 26
        static let rename: UInt64 = 27
        static let accounts: UInt64 = 28
        static let cancelInvitation: UInt64 = 29
        static let promote: UInt64 = 30
        static let leave: UInt64 = 31
        static let resign: UInt64 = 32
        static let watch: UInt64 = 33
        static let forget: UInt64 = 34
        static let send: UInt64 = 35
        static let deleteSaved: UInt64 = 36
        static let register: UInt64 = 37
        static let registrations: UInt64 = 38
        static let awaitEvent: UInt64 = 39
        static let saved: UInt64 = 40
        static let unforget: UInt64 = 41
        static let openStream: UInt64 = 50
        static let acceptStream: UInt64 = 51
        static let setAddresses: UInt64 = 60
    }

    /// The weight of the requests of that number.
    static func weight(ofNumber number: UInt64) -> Weight {
        switch number {
        case Number.status, Number.accounts, Number.devices, Number.settings, Number.digest,
            Number.cancelInvitation:
            .control
        case Number.awaitInvitation, Number.answerJoiner, Number.awaitReindexing, Number.awaitBackup,
            Number.awaitEvent, Number.watch, Number.openStream:
            .wait
        case Number.list, Number.search, Number.registrations: .list
        case Number.index: .index
        default: .ordinary
        }
    }

    /// The request as a frame: its number, which the answer repeats, what is asked, and the arguments.
    ///
    /// A person can name more than fits a frame.
    package func frame(number: UInt64) throws(LocalFailure) -> Frame {
        var writer = CBORWriter()
        writer.array(count: 3)
        writer.unsigned(number)
        switch self {
        case .start(let start):
            writer.unsigned(Number.start)
            start.encode(to: &writer)
        case .update(let target, let change):
            writer.unsigned(Number.update)
            writer.map { fields in
                fields.field(1) { target.encode(to: &$0) }
                fields.field(2) { change.encode(to: &$0) }
            }
        case .finish(let target):
            writer.unsigned(Number.finish)
            target.encode(to: &writer)
        case .resign(let target):
            writer.unsigned(Number.resign)
            target.encode(to: &writer)
        case .continueActivity(let call):
            writer.unsigned(Number.continueActivity)
            call.encode(to: &writer)
        case .list(let listing):
            writer.unsigned(Number.list)
            listing.encode(to: &writer)
        case .watch(let number):
            writer.unsigned(Number.watch)
            if let number { writer.unsigned(number) } else { writer.null() }
        case .forget(let text, let isEverywhere):
            Self.encode(text, isEverywhere, as: Number.forget, to: &writer)
        case .send(let target, let device):
            writer.unsigned(Number.send)
            writer.array(count: 2)
            target.encode(to: &writer)
            writer.text(device)
        case .deleteSaved(let app, let identifiers):
            writer.unsigned(Number.deleteSaved)
            writer.array(count: 2)
            writer.text(app)
            if let identifiers { writer.texts(identifiers) } else { writer.null() }
        case .register(let registration):
            writer.unsigned(Number.register)
            registration.encode(to: &writer)
        case .registrations: Self.encodeBare(Number.registrations, to: &writer)
        case .awaitEvent: Self.encodeBare(Number.awaitEvent, to: &writer)
        case .saved(let number, let change):
            writer.unsigned(Number.saved)
            writer.array(count: 2)
            writer.unsigned(number)
            if let change { change.encode(to: &writer) } else { writer.null() }
        case .openStream(let selection):
            writer.unsigned(Number.openStream)
            if let text = selection.text { writer.text(text) } else { writer.null() }
        case .acceptStream(let number):
            writer.unsigned(Number.acceptStream)
            writer.unsigned(number)
        case .status: Self.encodeBare(Number.status, to: &writer)
        case .devices: Self.encodeBare(Number.devices, to: &writer)
        case .invite(let asksPerson):
            writer.unsigned(Number.invite)
            writer.boolean(asksPerson)
        case .awaitInvitation(let code, let isJoinerKnown):
            Self.encode(code, isJoinerKnown, as: Number.awaitInvitation, to: &writer)
        case .answerJoiner(let code, let letIn):
            Self.encode(code, letIn, as: Number.answerJoiner, to: &writer)
        case .unforget(let text):
            writer.unsigned(Number.unforget)
            writer.text(text)
        case .search(let text, let most):
            writer.unsigned(Number.search)
            writer.array(count: 2)
            writer.text(text)
            writer.integer(Int64(most))
        case .settings: Self.encodeBare(Number.settings, to: &writer)
        case .set(let name, let value):
            writer.unsigned(Number.set)
            writer.array(count: 2)
            writer.text(name)
            if let value { writer.integer(value) } else { writer.null() }
        case .digest(let time):
            writer.unsigned(Number.digest)
            writer.integer(time.milliseconds)
        case .index(let request):
            writer.unsigned(Number.index)
            request.encode(to: &writer)
        case .endBatch(let ending):
            writer.unsigned(Number.endBatch)
            ending.encode(to: &writer)
        case .discardBatch(let index, let batch):
            writer.unsigned(Number.discardBatch)
            writer.array(count: 2)
            index.encodeKey(to: &writer)
            writer.unsigned(batch)
        case .clientState(let index):
            writer.unsigned(Number.clientState)
            index.encodeKey(to: &writer)
        case .opened(let item):
            writer.unsigned(Number.opened)
            item.encodeKey(to: &writer)
        case .awaitReindexing(let index):
            writer.unsigned(Number.awaitReindexing)
            index.encodeKey(to: &writer)
        case .acknowledgeReindexing(let index, let extent):
            writer.unsigned(Number.acknowledgeReindexing)
            writer.array(count: 2)
            index.encodeKey(to: &writer)
            extent.encodeForApps(to: &writer)
        case .backup(let path, let replaces):
            Self.encode(path, replaces, as: Number.backup, to: &writer)
        case .restore(let path, let isConfirmed):
            Self.encode(path, isConfirmed, as: Number.restore, to: &writer)
        case .awaitBackup: Self.encodeBare(Number.awaitBackup, to: &writer)
        case .revoke(let device, let isConfirmed):
            Self.encode(device, isConfirmed, as: Number.revoke, to: &writer)
        case .remove(let device):
            writer.unsigned(Number.remove)
            writer.text(device)
        case .rename(let device, let name):
            writer.unsigned(Number.rename)
            writer.array(count: 2)
            if let device { writer.text(device) } else { writer.null() }
            writer.text(name)
        case .setAddresses(let device, let addresses):
            writer.unsigned(Number.setAddresses)
            writer.array(count: 2)
            writer.text(device)
            writer.texts(addresses)
        case .accounts: Self.encodeBare(Number.accounts, to: &writer)
        case .cancelInvitation: Self.encodeBare(Number.cancelInvitation, to: &writer)
        case .promote(let code):
            writer.unsigned(Number.promote)
            writer.text(code)
        case .leave(let isConfirmed):
            writer.unsigned(Number.leave)
            writer.boolean(isConfirmed)
        case .unknown(let number): Self.encodeBare(number, to: &writer)
        }
        guard writer.bytes.count <= bytesMost else { throw tooLarge }
        return Frame(kind: .localRequest, body: writer.bytes)
    }

    /// How many bytes the request may have.
    private var bytesMost: Int {
        if case .index = self { Limits.frameBytes } else { Limits.requestBytes }
    }

    /// What is asked does not fit a frame.
    private var tooLarge: LocalFailure {
        switch self {
        case .index:
            LocalFailure(
                .tooLarge,
                "One call may have \(Limits.frameBytes >> 20) MiB. Make several of it, in a batch if they belong together."
            )
        case .start, .update, .saved: .activityTooLarge
        default: .requestTooLarge
        }
    }

    private static func encodeBare(_ number: UInt64, to writer: inout CBORWriter) {
        writer.unsigned(number)
        writer.null()
    }

    /// Reads a request and its number.
    package static func read(_ frame: Frame) throws(CloseReason) -> (number: UInt64, request: LocalRequest) {
        guard frame.kind == .localRequest else {
            throw CloseReason(.unexpected, "\(frame.kind) is no request")
        }
        do {
            return try CBORReader.whole(frame.body[...]) { (reader) throws(CBORError) in
                try reader.array(count: 3)
                return (try reader.unsigned(), try LocalRequest(from: &reader))
            }
        } catch {
            throw CloseReason(error, in: frame.kind)
        }
    }

    private init(from reader: inout CBORReader) throws(CBORError) {
        let number = try reader.unsigned()
        switch number {
        case Number.start: self = .start(try StartActivity(from: &reader))
        case Number.update:
            var target: ActivityTarget?, change: ActivityChange?
            try reader.fields { (number, reader) throws(CBORError) in
                switch number {
                case 1: target = try ActivityTarget(from: &reader)
                case 2: change = try ActivityChange(from: &reader)
                default: break
                }
            }
            self = .update(try target.required(1, in: reader), try change.required(2, in: reader))
        case Number.finish: self = .finish(try ActivityTarget(from: &reader))
        case Number.resign: self = .resign(try ActivityTarget(from: &reader))
        case Number.continueActivity: self = .continueActivity(try ContinueActivity(from: &reader))
        case Number.list: self = .list(try ListActivities(from: &reader))
        case Number.watch:
            self = .watch(after: try reader.optional { (reader) throws(CBORError) in try reader.unsigned() })
        case Number.forget:
            let (text, isEverywhere) = try Self.textAndFlag(from: &reader)
            self = .forget(text, everywhere: isEverywhere)
        case Number.unforget: self = .unforget(try reader.text())
        case Number.send:
            try reader.array(count: 2)
            self = .send(try ActivityTarget(from: &reader), to: try reader.text())
        case Number.deleteSaved:
            try reader.array(count: 2)
            self = .deleteSaved(
                app: try reader.text(),
                identifiers: try reader.optional { (reader) throws(CBORError) in try reader.texts() })
        case Number.register: self = .register(try AppRegistration(from: &reader))
        case Number.registrations: self = try Self.bare(.registrations, from: &reader)
        case Number.awaitEvent: self = try Self.bare(.awaitEvent, from: &reader)
        case Number.saved:
            try reader.array(count: 2)
            self = .saved(
                try reader.unsigned(),
                try reader.optional { (reader) throws(CBORError) in try ActivityChange(from: &reader) })
        case Number.openStream:
            let text = try reader.optional { (reader) throws(CBORError) in try reader.text() }
            self = .openStream(text.map { .named($0) } ?? .last)
        case Number.acceptStream: self = .acceptStream(try reader.unsigned())
        case Number.status: self = try Self.bare(.status, from: &reader)
        case Number.devices: self = try Self.bare(.devices, from: &reader)
        case Number.invite: self = .invite(asksPerson: try reader.boolean())
        case Number.awaitInvitation:
            let (code, isJoinerKnown) = try Self.textAndFlag(from: &reader)
            self = .awaitInvitation(code: code, isJoinerKnown: isJoinerKnown)
        case Number.answerJoiner:
            let (code, letIn) = try Self.textAndFlag(from: &reader)
            self = .answerJoiner(code: code, letIn: letIn)
        case Number.search:
            try reader.array(count: 2)
            self = .search(try reader.text(), most: Int(try reader.integer()))
        case Number.settings: self = try Self.bare(.settings, from: &reader)
        case Number.set:
            try reader.array(count: 2)
            let name = try reader.text()
            self = .set(name, to: reader.nextIsNull ? nil : try reader.integer())
            if self == .set(name, to: nil) { try reader.null() }
        case Number.digest: self = .digest(at: WallTime(milliseconds: try reader.integer()))
        case Number.index: self = .index(try ChangeIndex(from: &reader))
        case Number.endBatch: self = .endBatch(try EndBatch(from: &reader))
        case Number.discardBatch:
            try reader.array(count: 2)
            self = .discardBatch(try ClientStateName(asKey: &reader), try reader.unsigned())
        case Number.clientState: self = .clientState(try ClientStateName(asKey: &reader))
        case Number.opened: self = .opened(try ItemName(asKey: &reader))
        case Number.awaitReindexing: self = .awaitReindexing(try ClientStateName(asKey: &reader))
        case Number.acknowledgeReindexing:
            try reader.array(count: 2)
            let index = try ClientStateName(asKey: &reader)
            self = .acknowledgeReindexing(index, try ReindexRequest.Extent(fromApps: &reader))
        case Number.backup:
            let (path, replaces) = try Self.textAndFlag(from: &reader)
            self = .backup(path: path, replaces: replaces)
        case Number.restore:
            let (path, isConfirmed) = try Self.textAndFlag(from: &reader)
            self = .restore(path: path, isConfirmed: isConfirmed)
        case Number.revoke:
            let (device, isConfirmed) = try Self.textAndFlag(from: &reader)
            self = .revoke(device, isConfirmed: isConfirmed)
        case Number.remove: self = .remove(try reader.text())
        case Number.rename:
            try reader.array(count: 2)
            var device: String?
            if reader.nextIsNull { try reader.null() } else { device = try reader.text() }
            self = .rename(device, to: try reader.text())
        case Number.setAddresses:
            try reader.array(count: 2)
            self = .setAddresses(try reader.text(), try reader.texts())
        case Number.promote: self = .promote(code: try reader.text())
        case Number.leave: self = .leave(isConfirmed: try reader.boolean())
        case Number.awaitBackup: self = try Self.bare(.awaitBackup, from: &reader)
        case Number.accounts: self = try Self.bare(.accounts, from: &reader)
        case Number.cancelInvitation: self = try Self.bare(.cancelInvitation, from: &reader)
        default:
            try reader.skip()
            self = .unknown(number)
        }
    }

    private static func bare(_ request: Self, from reader: inout CBORReader) throws(CBORError) -> Self {
        try reader.null()
        return request
    }
}
