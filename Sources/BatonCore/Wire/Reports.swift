/// The durability reports of the account's devices: what each device has stored durably, by its own statement.
///
/// A report only grows. It has no dot, and travels from one device to the next. An empty report counts as none.
package struct Reports: Equatable, Sendable {
    private var vectors: [DeviceIdentifier: VersionVector] = [:]

    package init() {}

    // MARK: Commands

    /// Merges a report of a device; ignores empty reports, and devices beyond the limit.
    package mutating func join(_ device: DeviceIdentifier, _ vector: VersionVector) {
        guard !vector.isEmpty else { return }
        guard vectors[device] != nil || vectors.count < Limits.reportingDevices else { return }
        var known = vectors[device] ?? VersionVector()
        known.claim(vector, origins: Limits.vectorOrigins)
        vectors[device] = known
    }

    /// Merges a report, and reduces it by the lineage: lives that other lives in it follow need not be named.
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

    /// The report of a device; nil if it has none.
    package subscript(device: DeviceIdentifier) -> VersionVector? { vectors[device] }

    package var isEmpty: Bool { vectors.isEmpty }

    /// The reports in the order of devices, which is the same in every process.
    package var sorted: [(device: DeviceIdentifier, vector: VersionVector)] {
        vectors.map { ($0.key, $0.value) }.sorted { $0.device < $1.device }
    }

    /// Returns the reports that contain more than the other set's reports of the same devices.
    package func beyond(_ other: Reports) -> Reports {
        var news = Reports()
        news.vectors = vectors.filter { device, vector in
            other[device].map { !vector.isWithin($0) } ?? true
        }
        return news
    }

    /// Returns the reports of these devices, so that reports of other devices do not use up the limit.
    package func of(_ devices: Set<DeviceIdentifier>) -> Reports {
        var part = Reports()
        part.vectors = vectors.filter { devices.contains($0.key) }
        return part
    }

    /// Returns the reports that lie entirely within a vector.
    package func within(_ complete: VersionVector) -> Reports {
        var part = Reports()
        part.vectors = vectors.filter { $0.value.isWithin(complete) }
        return part
    }

    /// Returns the vector that all these devices have stored durably; nil unless their reports lie within `complete`.
    ///
    /// A write that a device made before it had a transaction is in the device's report, and so is here; a write that
    /// it made afterwards has a later stamp. So no write that arrives from now on is older than a write that the vector
    /// covers.
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

    /// The SHA-256 of the encoding, which shows whether two nodes know different reports.
    package var digest: [UInt8] {
        var writer = CBORWriter()
        encode(to: &writer)
        return SHA256.digest(writer.bytes)
    }
}

extension Reports {
    /// The reports, divided into messages that fit a frame each.
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

    /// The most bytes of an origin and its sequence.
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
