package import BatonCore

/// A short way to write writes down: times are numbers, and a life is the device that wrote it.
extension Write {
    package static func told(
        _ key: RecordKey, at time: UInt64, by life: UInt64 = 1, _ action: Action
    ) -> Write {
        let stamp = Stamp.told(time, by: life)
        return Write(
            dot: Dot(origin: Origin(life: stamp.life, lane: key.kind.lane), sequence: time), key: key,
            stamp: stamp,
            action: action)
    }

    /// A clear of a scope of the index.
    package static func clear(_ scope: Scope, at time: UInt64, by life: UInt64 = 2) -> Write {
        told(scope.clearKey(in: .index), at: time, by: life, .full(Content(fields: Fields())))
    }
}

extension Write.Action {
    package static func full(in scope: Scope = .none, _ fields: [UInt64: UInt64] = [1: 1]) -> Self {
        .full(Write.Content(scope: scope, fields: .told(fields)))
    }

    package static func partial(of base: UInt64, by life: UInt64 = 1, _ fields: [UInt64: UInt64]) -> Self {
        .partial(of: .told(base, by: life), .told(fields))
    }

    /// The counter of one device.
    package static func count(
        _ value: UInt64, begun: UInt64, by life: UInt64 = 1, in scope: Scope = .none
    ) -> Self {
        var fields = Fields()
        var writer = CBORWriter()
        writer.unsigned(value)
        fields[.counter(of: life)] = writer.bytes
        return .count(begun: .told(begun, by: life), Write.Content(scope: scope, fields: fields))
    }
}

extension FieldName {
    /// The counter of a device.
    package static func counter(of life: UInt64) -> FieldName {
        .part(1, DeviceIdentifier(high: 5, low: life))
    }
}

extension Stamp {
    package static func told(_ time: UInt64, by life: UInt64 = 1) -> Stamp {
        Stamp(time: HybridTime(value: time), life: Life(high: 1, low: life))
    }
}

extension Fields {
    /// Fields with small numbers as values.
    package static func told(_ values: [UInt64: UInt64]) -> Fields {
        var fields = Fields()
        for (name, value) in values { fields.set(name) { $0.unsigned(value) } }
        return fields
    }
}

extension RecordKey {
    /// An item, or a record of another kind.
    package static func told(_ number: UInt64 = 1, kind: RecordKind = .item) -> RecordKey {
        RecordKey(kind: kind, parts: 1) { $0.unsigned(number) }
    }
}

extension RecordKind {
    /// A kind without a meaning in any version.
    package static let unknown = RecordKind(rawValue: 901)
}
