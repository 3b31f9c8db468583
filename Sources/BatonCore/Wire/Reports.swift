/// The durability reports of the account's devices.
///
/// In its report, a device says which writes it has stored durably.
///
/// A report only grows. It has no dot, and devices pass it on from one to the next. An empty report counts as no
/// report.
package struct Reports: Equatable, Sendable {
    private var vectors: [DeviceIdentifier: VersionVector] = [:]

    package init() {}

    // MARK: Commands

    /// Merges a report of a device into its known report.
    ///
    /// Empty reports are ignored, and so are new devices when the limit is reached.
    package mutating func join(_ device: DeviceIdentifier, _ vector: VersionVector) {
        guard !vector.isEmpty else { return }
        guard vectors[device] != nil || vectors.count < Limits.reportingDevices else { return }
        var known = vectors[device] ?? VersionVector()
        known.claim(vector, origins: Limits.vectorOrigins)
        vectors[device] = known
    }

    /// Merges a report and reduces the result.
    ///
    /// Lives that other lives in the report follow need not be named.
    package mutating func join(_ device: DeviceIdentifier, _ vector: VersionVector, in lineage: Lineage) {
        join(device, vector)
        vectors[device] = vectors[device].map(lineage.reduced)
    }

    /// Merges all reports of another set.
    package mutating func join(_ other: Reports) {
        for (device, vector) in other.sorted { join(device, vector) }
    }

    /// Removes the reports of these devices.
    package mutating func forget(_ devices: Set<DeviceIdentifier>) {
        vectors = vectors.filter { !devices.contains($0.key) }
    }

    // MARK: Queries

    /// The report of a device; nil if there is none.
    package subscript(device: DeviceIdentifier) -> VersionVector? { vectors[device] }

    package var isEmpty: Bool { vectors.isEmpty }

    /// The reports, sorted by their devices.
    ///
    /// The order is the same in every process.
    package var sorted: [(device: DeviceIdentifier, vector: VersionVector)] {
        vectors.map { ($0.key, $0.value) }.sorted { $0.device < $1.device }
    }

    /// Returns the reports that cover more than the reports of the same devices in the other set.
    package func beyond(_ other: Reports) -> Reports {
        var news = Reports()
        news.vectors = vectors.filter { device, vector in
            other[device].map { !vector.isWithin($0) } ?? true
        }
        return news
    }

    /// Returns only the reports of these devices.
    ///
    /// So the reports of other devices do not count towards the limit.
    package func of(_ devices: Set<DeviceIdentifier>) -> Reports {
        var part = Reports()
        part.vectors = vectors.filter { devices.contains($0.key) }
        return part
    }

    /// Returns the reports that a vector covers completely.
    package func within(_ complete: VersionVector) -> Reports {
        var part = Reports()
        part.vectors = vectors.filter { $0.value.isWithin(complete) }
        return part
    }

    /// Returns the vector of the transactions that all these devices have stored durably.
    ///
    /// It is nil if a device has no report, or if `complete` does not cover its report.
    ///
    /// Suppose that a device in the list has a transaction that the vector covers. Every write that the device made
    /// before that is in its report, and so it is here. Every write that it makes later has a later stamp. So no write
    /// that arrives from now on is older than a write that the vector covers.
    package func stable(
        among devices: some Sequence<DeviceIdentifier>, within complete: VersionVector, _ lineage: Lineage
    ) -> VersionVector? {
        var stable = complete
        for device in devices {
            guard let report = vectors[device], report.isWithin(complete) else { return nil }
            stable = stable.meet(lineage.expanded(report))
        }
        return stable
    }

    /// The SHA-256 of the encoding.
    ///
    /// It shows whether two nodes know the same reports.
    package var digest: [UInt8] {
        var writer = CBORWriter()
        encode(to: &writer)
        return SHA256.digest(writer.bytes)
    }
}

extension Reports {
    /// The reports, divided into messages that each fit into a frame.
    var frames: [Frame] {
        var (frames, part, bytes): ([Frame], Reports, Int) = ([], Reports(), 0)
        let finish = { (part: Reports) in
            if !part.isEmpty { frames.append(PeerMessage.reports(part).frame) }
        }
        for (device, vector) in sorted {
            let count = 64 + vector.count * Self.originBytes
            if bytes + count > Limits.frameBytes - 64 {
                finish(part)
                (part, bytes) = (Reports(), 0)
            }
            part.vectors[device] = vector
            bytes += count
        }
        finish(part)
        return frames
    }

    /// The maximum size of an encoded origin and its sequence number, in bytes.
    private static let originBytes = 28

    func encode(to writer: inout CBORWriter) {
        writer.array(count: vectors.count)
        for (device, vector) in sorted {
            writer.map { fields in
                fields.field(1) { $0.identifier(device) }
                fields.field(2) { vector.encode(to: &$0) }
            }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var last: DeviceIdentifier?
        let reports = try reader.array(upTo: Limits.reportingDevices) { (reader) throws(CBORError) in
            let start = reader.offset
            var device: DeviceIdentifier?, vector: VersionVector?
            try reader.fields { (field, reader) throws(CBORError) in
                switch field {
                case 1: device = try reader.identifier()
                case 2: vector = try VersionVector(from: &reader)
                default: break
                }
            }
            let named = try device.required(1, in: reader)
            if let last, last >= named { throw CBORError(.keysOutOfOrder, at: start) }
            last = named
            return (named, try vector.required(2, in: reader))
        }
        self.init()
        for (device, vector) in reports where !vector.isEmpty { vectors[device] = vector }
    }
}
