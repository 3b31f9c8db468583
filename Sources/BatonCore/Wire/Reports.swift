/// What each device of the account is known to have for good, as it reported itself.
///
/// A report only grows. It takes no dot, and travels from one device to the next. One that says nothing is none.
package struct Reports: Equatable, Sendable {
    private var vectors: [DeviceIdentifier: VersionVector] = [:]

    package init() {}

    // MARK: Commands

    /// Takes a report of a device into account; more devices than the limit are passed over, and so is a report that
    /// says nothing.
    package mutating func join(_ device: DeviceIdentifier, _ vector: VersionVector) {
        guard !vector.isEmpty else { return }
        guard vectors[device] != nil || vectors.count < Limits.reportingDevices else { return }
        var known = vectors[device] ?? VersionVector()
        known.claim(vector, origins: Limits.vectorOrigins)
        vectors[device] = known
    }

    /// Takes a report into account whose device followed earlier lives of its own and others' by that lineage; they
    /// need not be named.
    package mutating func join(_ device: DeviceIdentifier, _ vector: VersionVector, in lineage: Lineage) {
        join(device, vector)
        vectors[device] = vectors[device].map(lineage.reduced)
    }

    /// Takes all that another knows into account.
    package mutating func join(_ other: Reports) {
        for (device, vector) in other.sorted { join(device, vector) }
    }

    /// Forgets what those devices reported.
    package mutating func forget(_ devices: Set<DeviceIdentifier>) {
        vectors = vectors.filter { !devices.contains($0.key) }
    }

    // MARK: Queries

    /// What a device reported, if it did.
    package subscript(device: DeviceIdentifier) -> VersionVector? { vectors[device] }

    package var isEmpty: Bool { vectors.isEmpty }

    /// In the order of devices, which is the same in every process.
    package var sorted: [(device: DeviceIdentifier, vector: VersionVector)] {
        vectors.map { ($0.key, $0.value) }.sorted { $0.device < $1.device }
    }

    /// The reports that the other does not have as far.
    package func beyond(_ other: Reports) -> Reports {
        var news = Reports()
        news.vectors = vectors.filter { device, vector in
            other[device].map { !vector.isWithin($0) } ?? true
        }
        return news
    }

    /// The reports of those devices: what is said of others is nobody's, and would fill the place of theirs.
    package func of(_ devices: Set<DeviceIdentifier>) -> Reports {
        var part = Reports()
        part.vectors = vectors.filter { devices.contains($0.key) }
        return part
    }

    /// The reports that are covered as a whole.
    package func within(_ complete: VersionVector) -> Reports {
        var part = Reports()
        part.vectors = vectors.filter { $0.value.isWithin(complete) }
        return part
    }

    /// What all those devices have for good, if all that they have is covered here.
    ///
    /// Whatever a device wrote before it had something stands in its report, and so here; what it wrote later is
    /// later than that. So nothing that arrives from now on is older than what they all have.
    package func stable(
        among devices: some Sequence<DeviceIdentifier>, within complete: VersionVector, _ lineage: Lineage
    ) -> VersionVector? {
        var stable = complete
        for device in devices {
            #if DEBUG
                if Faults.isPlanted(.tombstoneWithoutStability), let report = vectors[device] {
                    stable = stable.meet(lineage.expanded(report))
                    continue
                }
            #endif
            guard let report = vectors[device], report.isWithin(complete) else { return nil }
            stable = stable.meet(lineage.expanded(report))
        }
        return stable
    }

    /// Tells what two nodes know apart: the SHA-256 of the encoding.
    package var digest: [UInt8] {
        var writer = CBORWriter()
        encode(to: &writer)
        return SHA256.digest(writer.bytes)
    }
}

extension Reports {
    /// Parts of these that fit a frame each.
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

    /// The most that an origin and its sequence take.
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
