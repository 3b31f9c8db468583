/// Names the record that counts how often and how recently a thing was opened.
///
/// The name contains only a hash of the thing's key.
///
/// Because of the hash, the record of a deleted thing does not reveal which thing it was, even if the record arrives
/// late.
package struct EngagementName: RecordName {
    /// The identity of the thing.
    package let thing: RecordIdentity

    package static let kind = RecordKind.engagement
    package static let partCount = 2

    package init(counting thing: RecordKey) { self.init(counting: thing.identity) }

    package init(counting thing: RecordIdentity) { self.thing = thing }

    package func encode(to writer: inout CBORWriter) {
        writer.unsigned(thing.kind.rawValue)
        writer.identifier(thing.hash)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        let kind = RecordKind(rawValue: try reader.unsigned(upTo: RecordKind.largest))
        self.init(counting: RecordIdentity(kind: kind, hash: try reader.identifier()))
    }
}

/// The count of how often and how recently a thing was opened on each device.
///
/// Each device has a field of its own for its count, so that no device overwrites the count of another one.
package struct Engagement: Equatable, Sendable {
    /// The devices' counters, in ascending order of devices.
    package private(set) var counters: [Counter] = []
    /// The fields that only newer versions know, kept unchanged.
    package private(set) var unknown = Fields()

    /// The counter of one device.
    package struct Counter: Equatable, Sendable {
        package let device: DeviceIdentifier
        /// The number of times that the thing was opened on the device.
        package let times: UInt64
        /// The time when the thing was last opened on the device.
        package let last: WallTime

        package init(device: DeviceIdentifier, times: UInt64, last: WallTime) {
            (self.device, self.times, self.last) = (device, times, last)
        }
    }

    /// Creates an engagement without counters.
    package init() {}

    /// Creates an engagement from counters in any order.
    ///
    /// There must be at most one counter for each device.
    package init(_ counters: [Counter]) { self.counters = counters.sorted { $0.device < $1.device } }

    // MARK: Queries

    /// Returns the counter of a device; nil if it has none.
    package func counter(of device: DeviceIdentifier) -> Counter? { counters.first { $0.device == device } }

    /// Returns a device's counter after the thing was opened there once more, at `time`.
    package func opened(by device: DeviceIdentifier, at time: WallTime) -> Counter {
        let times = counter(of: device)?.times ?? 0
        return Counter(device: device, times: times == .max ? times : times + 1, last: time)
    }

    // MARK: Fields

    /// The number of the field for counters.
    ///
    /// The field has one part for each device.
    fileprivate static let counterNumber: UInt64 = 1

    /// The fields of a record of this engagement.
    package var fields: Fields {
        Fields { fields in
            for counter in counters { fields.field(counter.name) { counter.encode(to: &$0) } }
        }.completed(by: unknown)
    }

    /// Reads an engagement from its fields.
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
    /// The name of the device's field.
    package var name: FieldName { .part(Engagement.counterNumber, device) }

    /// A list that has only the device's field, for the write that counts an opening.
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
