/// Names how often and how recently a thing was opened, by the thing's own key.
package struct EngagementName: RecordName {
    /// The key of the thing.
    package let thing: RecordKey

    package static let kind = RecordKind.engagement
    package static let partCount = 2

    package init(_ thing: RecordKey) { self.thing = thing }

    package func encode(to writer: inout CBORWriter) {
        writer.unsigned(thing.kind.rawValue)
        writer.encoded(thing.name)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        let kind = RecordKind(rawValue: try reader.unsigned(upTo: RecordKind.largest))
        self.init(RecordKey(kind: kind, name: Array(try reader.encoded())))
    }
}

/// How often and how recently a thing was opened, on each device.
///
/// Each device counts in a field of its own, so that no two overwrite each other.
package struct Engagement: Equatable, Sendable {
    /// What the devices counted, in ascending order of devices.
    package private(set) var counters: [Counter] = []
    /// Fields of newer versions, kept as they are.
    package private(set) var unknown = Fields()

    /// What one device counted.
    package struct Counter: Equatable, Sendable {
        package let device: DeviceIdentifier
        /// How often the thing was opened there.
        package let times: UInt64
        /// When it was opened there last.
        package let last: WallTime

        package init(device: DeviceIdentifier, times: UInt64, last: WallTime) {
            (self.device, self.times, self.last) = (device, times, last)
        }
    }

    /// Nobody opened it.
    package init() {}

    /// What these devices counted, each once, in any order.
    package init(_ counters: [Counter]) { self.counters = counters.sorted { $0.device < $1.device } }

    // MARK: Queries

    /// What that device counted, if it did.
    package func counter(of device: DeviceIdentifier) -> Counter? { counters.first { $0.device == device } }

    /// What the device counts once the thing was opened there again, at that time.
    package func opened(by device: DeviceIdentifier, at time: WallTime) -> Counter {
        let times = counter(of: device)?.times ?? 0
        return Counter(device: device, times: times == .max ? times : times + 1, last: time)
    }

    // MARK: Fields

    /// The number of the field of which each device has a part.
    fileprivate static let counterNumber: UInt64 = 1

    /// The fields of a record of this engagement.
    package var fields: Fields {
        Fields { fields in
            for counter in counters { fields.field(counter.name) { counter.encode(to: &$0) } }
        }.completed(by: unknown)
    }

    /// The engagement that these fields spell.
    package init(_ fields: Fields) throws(CBORError) {
        var counters: [Counter] = []
        unknown = try fields.read { (name, reader) throws(CBORError) in
            guard case .part(Self.counterNumber, let device) = name else { return }
            counters.append(try Counter(device, from: &reader))
        }
        self.counters = counters
    }
}

extension Engagement.Counter {
    /// The name of the device's own field.
    package var name: FieldName { .part(Engagement.counterNumber, device) }

    /// The device's own field alone, for a write that counts.
    package var fields: Fields { Fields { $0.field(name) { encode(to: &$0) } } }

    fileprivate func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.unsigned(times)
        last.encode(to: &writer)
    }

    fileprivate init(_ device: DeviceIdentifier, from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(device: device, times: try reader.unsigned(), last: try WallTime(from: &reader))
    }
}
