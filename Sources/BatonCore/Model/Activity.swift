/// Names the current activity of one app instance on one device.
package struct ActivityName: Hashable, Sendable {
    package let device: DeviceIdentifier
    /// The app, by its bundle identifier.
    package let app: String
    /// The app instance: a connection, or one that was named on purpose, such as a shell.
    package let instance: String

    package init(device: DeviceIdentifier, app: String, instance: String) {
        (self.device, self.app, self.instance) = (device, app, instance)
    }

    /// The key under which the account keeps this activity.
    package var key: RecordKey {
        RecordKey(kind: .currentActivity, parts: 3) { writer in
            writer.identifier(device)
            writer.text(app)
            writer.text(instance)
        }
    }

    /// The name that a key spells.
    package init(_ key: RecordKey) throws(CBORError) {
        self = try CBORReader.whole(key.name[...]) { (reader) throws(CBORError) in
            try reader.array(count: 3)
            return ActivityName(
                device: try reader.identifier(), app: try reader.text(), instance: try reader.text())
        }
    }
}

/// What someone is doing, with what it takes to go on elsewhere.
package struct Activity: Equatable, Sendable {
    /// What kind of thing is done, in reverse DNS; decides who can continue it.
    package var type: String
    package var title: String?
    /// The payload: what it takes to go on.
    package var info: [PropertyValue: PropertyValue] = [:]
    package var webpage: String?
    package var keywords: Set<String> = []
    /// When the activity stops being offered.
    package var expiration: WallTime?
    package var started: WallTime
    /// When the person or the app last changed it.
    package var changed: WallTime
    /// Where it was continued last, if it was.
    package var continuation: Continuation?
    /// Fields of newer versions, kept as they are.
    package var unknown = Fields()

    /// That an activity was continued on another device.
    package struct Continuation: Equatable, Sendable {
        package var device: DeviceIdentifier
        package var time: WallTime

        package init(device: DeviceIdentifier, time: WallTime) { (self.device, self.time) = (device, time) }
    }

    package init(type: String, started: WallTime) {
        (self.type, self.started, changed) = (type, started, started)
    }

    /// Whether the activity is past its expiration at that time.
    package func isExpired(at now: WallTime) -> Bool { expiration.map { $0 <= now } ?? false }
}

extension Activity {
    /// The numbers of an activity's fields.
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
        static let known = expiration...continuation
    }

    /// The fields of a record of this activity.
    package var fields: Fields {
        var fields = unknown
        fields.set(Number.type) { $0.text(type) }
        fields.set(Number.title, title) { $0.text($1) }
        fields.set(Number.info, info.isEmpty ? nil : info) { PropertyValue.dictionary($1).encode(to: &$0) }
        fields.set(Number.webpage, webpage) { $0.text($1) }
        fields.set(Number.keywords, keywords.isEmpty ? nil : keywords) { writer, keywords in
            PropertyValue.set(Set(keywords.map { .string($0) })).encode(to: &writer)
        }
        fields.set(Number.expiration, expiration) { $0.integer($1.milliseconds) }
        fields.set(Number.started) { $0.integer(started.milliseconds) }
        fields.set(Number.changed) { $0.integer(changed.milliseconds) }
        fields.set(Number.continuation, continuation) { writer, continuation in
            writer.array(count: 2)
            writer.identifier(continuation.device)
            writer.integer(continuation.time.milliseconds)
        }
        return fields
    }

    /// The activity that these fields spell; it needs a type, and known fields in their known forms.
    package init(_ fields: Fields) throws(CBORError) {
        guard let type = try fields.read(Number.type, { (reader) throws(CBORError) in try reader.text() })
        else {
            throw CBORError(.missingField(Number.type), at: 0)
        }
        self.init(type: type, started: try fields.time(Number.started) ?? WallTime(milliseconds: 0))
        changed = try fields.time(Number.changed) ?? started
        expiration = try fields.time(Number.expiration)
        title = try fields.read(Number.title) { (reader) throws(CBORError) in try reader.text() }
        webpage = try fields.read(Number.webpage) { (reader) throws(CBORError) in try reader.text() }
        info = try fields.value(Number.info)?.pairs ?? [:]
        keywords = try fields.value(Number.keywords)?.strings ?? []
        continuation = try fields.read(Number.continuation) { (reader) throws(CBORError) in
            try reader.array(count: 2)
            return Continuation(
                device: try reader.identifier(), time: WallTime(milliseconds: try reader.integer()))
        }
        unknown = fields
        for number in Number.known { unknown[.number(number)] = nil }
    }
}

extension Fields {
    /// Reads a date of a numbered field.
    func time(_ number: UInt64) throws(CBORError) -> WallTime? {
        try read(number) { (reader) throws(CBORError) in WallTime(milliseconds: try reader.integer()) }
    }

    /// Reads a property-list value of a numbered field.
    func value(_ number: UInt64) throws(CBORError) -> PropertyValue? {
        try read(number) { (reader) throws(CBORError) in try PropertyValue(from: &reader) }
    }
}
