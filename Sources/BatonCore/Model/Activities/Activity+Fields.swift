extension Activity {
    /// Reads an activity from its fields.
    ///
    /// The type is required. A known field must have its known form.
    package init(_ fields: Fields) throws(CBORError) {
        var reader = fields.reader
        self.init(try Values(fields.count, from: &reader), spelledBy: fields)
        try reader.end()
    }

    /// Reads an activity from its fields, and checks the fields in the same pass.
    package init(from reader: inout CBORReader) throws(CBORError) {
        let count = try reader.fieldCount()
        let start = reader.offset
        let values = try Values(count, from: &reader)
        self.init(values, spelledBy: Fields(read: reader.bytes(since: start), count: count))
    }
}

extension Activity.Values {
    /// Reads only the time of the last change from the fields; nil if it can't be read.
    fileprivate static func changed(in fields: Fields) -> WallTime? {
        guard let encoded = fields.encoded(Number.changed) else { return nil }
        do throws(CBORError) {
            return try CBORReader.whole(encoded) { (reader) throws(CBORError) in try WallTime(from: &reader) }
        } catch {
            return nil
        }
    }

    /// The numbers of an activity's fields.
    ///
    /// All other numbers are attributes.
    private enum Number {
        static let expiration: UInt64 = 0
        static let type: UInt64 = 1
        static let title: UInt64 = 2
        static let info: UInt64 = 3
        static let webpage: UInt64 = 4
        static let keywords: UInt64 = 5
        static let started: UInt64 = 6
        static let changed: UInt64 = 7
        static let continuation: UInt64 = 8
        static let requiredKeys: UInt64 = 9
        static let referrer: UInt64 = 10
        static let targetContentIdentifier: UInt64 = 11
        static let persistentIdentifier: UInt64 = 12
        static let eligibility: UInt64 = 13
        static let supportsStreams: UInt64 = 14
        static let entity: UInt64 = 15
        static let finished: UInt64 = 16
        static let sent: UInt64 = 17
        static let origin: UInt64 = 18
        static let isTaken: UInt64 = 19
        static let protection: UInt64 = 21
    }

    /// The encoding of these properties as fields.
    var fields: Fields {
        Fields(reserving: Self.usualBytes + attributes.usualBytes) { fields in
            fields.field(Number.expiration, expiration) { $1.encode(to: &$0) }
            fields.field(Number.type) { $0.text(type) }
            fields.field(Number.title, title) { $0.text($1) }
            fields.field(Number.info, info.isEmpty ? nil : info) {
                PropertyValue.dictionary($1).encode(to: &$0)
            }
            fields.field(Number.webpage, webpage) { $0.text($1) }
            fields.field(Number.keywords, keywords.isEmpty ? nil : keywords) { $0.textSet($1) }
            fields.field(Number.started) { started.encode(to: &$0) }
            fields.field(Number.changed) { changed.encode(to: &$0) }
            fields.field(Number.continuation, continuation) { $1.encode(to: &$0) }
            fields.field(Number.requiredKeys, requiredKeys) { $0.textSet($1) }
            fields.field(Number.referrer, referrer) { $0.text($1) }
            fields.field(Number.targetContentIdentifier, targetContentIdentifier) { $0.text($1) }
            fields.field(Number.persistentIdentifier, persistentIdentifier) { $0.text($1) }
            fields.field(Number.eligibility, eligibility == .unspoken ? nil : eligibility) {
                $0.unsigned($1.rawValue)
            }
            fields.field(Number.supportsStreams, supportsStreams ? true : nil) { $0.boolean($1) }
            fields.field(Number.entity, entity) { $1.encode(to: &$0) }
            fields.field(Number.finished, finished) { $1.encode(to: &$0) }
            fields.field(Number.sent, sent) { $1.encode(to: &$0) }
            fields.field(Number.origin, origin) { $1.encode(to: &$0) }
            fields.field(Number.isTaken, isTaken ? true : nil) { $0.boolean($1) }
            fields.field(Number.protection, protection) { $1.encode(to: &$0) }
            attributes.add(to: &fields)
        }.completed(by: unknown)
    }

    /// The typical size of the fields in bytes, without attributes and large payloads.
    private static let usualBytes = 192

    /// Reads `count` fields.
    fileprivate init(_ count: Int, from reader: inout CBORReader) throws(CBORError) {
        self.init(type: "", started: WallTime(milliseconds: 0))
        var hasType = false
        unknown = try reader.fields(count) { (name, reader) throws(CBORError) in
            guard case .number(let number) = name else { return try attributes.append(name, &reader) }
            switch number {
            case Number.expiration: expiration = try WallTime(from: &reader)
            case Number.type: (type, hasType) = (try reader.text(), true)
            case Number.title: title = try reader.text()
            case Number.info: info = try reader.dictionary()
            case Number.webpage: webpage = try reader.text()
            case Number.keywords: keywords = try reader.textSet()
            case Number.started:
                started = try WallTime(from: &reader)
                // An activity without a time of its last change counts as unchanged since it started.
                changed = started
            case Number.changed: changed = try WallTime(from: &reader)
            case Number.continuation: continuation = try Activity.Continuation(from: &reader)
            case Number.requiredKeys: requiredKeys = try reader.textSet()
            case Number.referrer: referrer = try reader.text()
            case Number.targetContentIdentifier: targetContentIdentifier = try reader.text()
            case Number.persistentIdentifier: persistentIdentifier = try reader.text()
            case Number.eligibility: eligibility = Eligibility(rawValue: try reader.unsigned())
            case Number.supportsStreams: supportsStreams = try reader.boolean()
            case Number.entity: entity = try Activity.Entity(from: &reader)
            case Number.finished: finished = try WallTime(from: &reader)
            case Number.sent: sent = try Activity.Continuation(from: &reader)
            case Number.origin: origin = try Activity.Origin(from: &reader)
            case Number.isTaken: isTaken = try reader.boolean()
            case Number.protection: protection = try Activity.Protection(from: &reader)
            // The mark is valid only for the record as the device wrote it. So it is not a property of the activity.
            case ActivityMark.number: try reader.skip()
            default: try attributes.append(name, &reader)
            }
        }
        guard hasType else { throw CBORError(.missingField(Number.type), at: 0) }
    }
}

extension Activity.Continuation {
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.identifier(device)
        time.encode(to: &writer)
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(device: try reader.identifier(), time: try WallTime(from: &reader))
    }
}

extension Activity.Origin {
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.identifier(device)
        writer.identifier(identity.hash)
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(
            device: try reader.identifier(),
            identity: RecordIdentity(kind: .currentActivity, hash: try reader.identifier()))
    }
}

extension Activity.Entity {
    func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.text(type)
        writer.text(identifier)
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(type: try reader.text(), identifier: try reader.text())
    }
}

extension Activity {
    /// Reads only the time of the last change from an activity's fields; nil if it can't be read.
    package static func changed(in fields: Fields) -> WallTime? { Values.changed(in: fields) }
}
