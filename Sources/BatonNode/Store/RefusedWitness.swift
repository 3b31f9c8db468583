import BatonCore
import BatonNetwork
import Glibc

/// Remembers writes that were sent to other devices before the disk refused them.
///
/// They are stored in a file beside the witness.
///
/// The writes belong to lives that have ended, so no journal continues them. For each life and lane, only the last such
/// write is noted, so the file is small. If there are too many, the oldest is forgotten.
final class RefusedWitness: Sendable {
    private let path: String?
    /// The beginning of the file, which identifies this start of the machine, and the account and device of the
    /// journal.
    private let head: [UInt8]

    /// The largest number of origins that are remembered.
    private static let most = 256

    private static let entryCount = Life.byteCount + 9

    init(path: String?, head: [UInt8]) { (self.path, self.head) = (path.map { $0 + "-refused" }, head) }

    /// Removes the file that belongs to a witness.
    static func remove(at path: String) { unlink(path + "-refused") }

    /// Notes a write that was sent and then refused.
    ///
    /// If noting it fails, this device may later mistake its home for an older copy. It would then be private until its
    /// person decides.
    func add(_ sequence: UInt64, of origin: Origin) {
        guard let path else { return }
        var known = read().filter { $0.0 != origin || $0.1 > sequence }
        if !known.contains(where: { $0.0 == origin }) { known.append((origin, sequence)) }
        var bytes = head
        for (origin, sequence) in known.suffix(Self.most) {
            bytes += origin.life.bytes
            bytes.append(origin.lane.rawValue)
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * $0)) }
        }
        // If the file was written only in part, it is read up to the last complete entry.
        if !WitnessFile(path: path).write(bytes, at: 0, creating: true) { unlink(path) }
    }

    /// Returns the writes that were noted since the machine was started.
    func read() -> [(Origin, UInt64)] {
        guard let path,
            let bytes = WitnessFile(path: path).read(upTo: head.count + Self.most * Self.entryCount),
            bytes.starts(with: head)
        else { return [] }
        var noted: [(Origin, UInt64)] = []
        for start in stride(from: head.count, through: bytes.count - Self.entryCount, by: Self.entryCount) {
            let entry = bytes[start..<start + Self.entryCount]
            guard let life = Life(bytes: entry.prefix(Life.byteCount)),
                let lane = Lane(rawValue: entry[start + Life.byteCount])
            else { continue }
            noted.append((Origin(life: life, lane: lane), entry.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }))
        }
        return noted
    }
}
