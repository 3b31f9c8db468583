package import BatonCore
import BatonNetwork
import BatonSecurity
import Glibc

/// Remembers, outside the home, how far the journal had come.
///
/// The next opening of the store thus knows whether its journal is the latest one.
///
/// The witness is in a place that is cleared when the machine restarts, and that no backup includes. If there is no
/// such place, or if the store and the witness differ, the device begins a new life. This keeps a dot that other
/// devices may have seen from being used again.
///
/// There is a note for each lane, which does not depend on the other lane (`LaneWitness`). A lane's note is updated
/// before a transaction of the lane is stored, and a dot is reported to other devices only when it is stored.
/// Therefore, if the last note of a lane agrees with the store, the lane has every dot that another device can have
/// seen, at whatever point the process ended. A transaction may also be sent to other devices before it is stored. In
/// this case, it is noted first (`noteTold`), and counts like a transaction that was about to be stored.
///
/// A life continues only if note and store agree in both lanes, and if both notes name that life and the same order of
/// arrival. If a life had begun but was not yet noted for both lanes, this life is over, and the life before it is
/// over, too.
package final class Witness: Sendable {
    let device: DeviceIdentifier
    /// The writes that were sent to other devices and that the disk then refused.
    private let refused: RefusedWitness
    private let lanes: PerLane<LaneWitness>
    /// The file with the number of the last settings; nil if there is no place for the witness.
    private let settings: WitnessFile?
    /// The beginning of each file, which identifies this start of the machine, the account and the device.
    private let head: [UInt8]

    /// Creates the witness of a home.
    ///
    /// If the path is nil, there is no witness, and every opening begins a new life.
    package init(path: String?, account: AccountIdentifier, device: DeviceIdentifier, bootID: String) {
        self.device = device
        let head = SHA256.digest(Array(bootID.utf8)) + account.bytes + device.bytes
        refused = RefusedWitness(path: path, head: head)
        (self.head, settings) = (head, path.map { WitnessFile(path: Self.settingsPath($0)) })
        lanes = PerLane { lane in
            LaneWitness(lane, path: path.map { Self.path($0, of: lane) }, head: head)
        }
    }

    /// Returns the path of a lane's file.
    package static func path(_ path: String, of lane: Lane) -> String { "\(path)-\(lane)" }

    /// Returns the path of the file with the number of the settings.
    package static func settingsPath(_ path: String) -> String { "\(path)-settings" }

    /// Removes the files of the lanes.
    ///
    /// The file about the settings stays valid, and is not removed.
    static func remove(at path: String) {
        for lane in Lane.allCases { unlink(self.path(path, of: lane)) }
        RefusedWitness.remove(at: path)
    }

    /// The life in which a journal writes from now on, and the progress of that life.
    package struct Opening: Equatable, Sendable {
        package let life: Life
        /// The numbers of the last transactions of the life in each lane.
        ///
        /// The dictionary is empty if the life begins now.
        package let sequences: [Lane: UInt64]
        /// The latest time of a write that is in the store, or that was sent to other devices before it was stored.
        package let clock: HybridTime
        /// The writes that the previous process may have sent to other devices before they were stored.
        package var toldAhead = VersionVector()
        /// Whether the store lacks changes that it had stored since the machine was started.
        ///
        /// In this case, the disk has returned less than was written, or somebody has restored an older copy of the
        /// home.
        package var lacksChanges = false
    }

    // MARK: Commands

    /// Opens the journal of a store.
    ///
    /// If the witness and the store agree, the life that wrote last continues. Otherwise, a new life begins.
    package func open(
        _ store: any AccountStore, using generator: inout some RandomNumberGenerator
    ) throws(StoreFailure) -> Opening {
        let seen = lanes.all.map { $0.read() }
        let summary = try store.summary()
        let toldAhead = VersionVector(seen.compactMap { $0?.toldAhead } + refused.read())
        let clock = seen.compactMap { $0?.toldTime }.reduce(summary.clock) { max($0, $1) }
        if let marks = try agreed(seen.map { $0?.agreed }, store), let life = marks.first?.life {
            begin(life)
            try recordStore(store)
            let sequences = marks.map { ($0.lane, $0.sequence) }
            return Opening(
                life: life, sequences: Dictionary(sequences) { first, _ in first }, clock: clock,
                toldAhead: toldAhead)
        }
        let lacksChanges = seen.contains { seen in
            seen.map { summary.heads[$0.kept.lane, default: .none] < $0.kept.head } ?? false
        }
        let life = Life(after: clock, of: device, random: generator.next())
        try store.begin(.random(using: &generator))
        begin(life)
        try recordStore(store)
        return Opening(
            life: life, sequences: [:], clock: clock, toldAhead: toldAhead, lacksChanges: lacksChanges)
    }

    /// Returns the last note of each lane, if all notes agree with the store; nil otherwise.
    ///
    /// The notes must also name the same life and the same order of arrival.
    private func agreed(
        _ noted: [LaneMark?], _ store: any AccountStore
    ) throws(StoreFailure) -> [LaneMark]? {
        var marks: [LaneMark] = []
        for mark in noted {
            guard let mark, try store.lane(mark.lane).mark(of: mark.life) == mark,
                marks.allSatisfy({ $0.life == mark.life && $0.order == mark.order })
            else { return nil }
            marks.append(mark)
        }
        return marks
    }

    /// Begins a new life of the journal.
    package func begin(_ life: Life) { for lane in lanes.all { lane.begin(life) } }

    /// Notes the marks that both lanes have stored, or are about to store.
    package func recordStore(_ store: any AccountStore, isKept: Bool = true) throws(StoreFailure) {
        for lane in Lane.allCases { try self.lane(lane).recordStore(store.lane(lane), isKept: isKept) }
    }

    /// Notes the marks that both lanes have stored, or are about to store.
    ///
    /// If a lane can't be read, its witness is removed.
    package func noteOrForget(_ store: any AccountStore, isKept: Bool = true) {
        for lane in Lane.allCases { self.lane(lane).noteOrForget(store.lane(lane), isKept: isKept) }
    }

    /// Notes a transaction that is about to be sent to other devices before it is stored.
    ///
    /// Returns false if the transaction can't be noted. It must then not be sent.
    ///
    /// This method may be called on a thread that does not have the lane.
    package func noteTold(_ sequence: UInt64, of life: Life, at time: HybridTime, in lane: Lane) -> Bool {
        self.lane(lane).noteTold(sequence, of: life, at: time)
    }

    /// Notes a transaction that was sent to other devices and that the disk then refused.
    ///
    /// The other devices will send the transaction back. The next process must know that this device wrote it.
    /// Otherwise, that process would mistake its home for an older copy.
    package func handleRefused(_ sequence: UInt64, of origin: Origin) { refused.add(sequence, of: origin) }

    // MARK: Settings

    /// Notes the number of the settings that all files in the home have now.
    func noteSettings(_ number: UInt64) {
        guard let settings else { return }
        var bytes = head
        bytes.append(addingCapacity: 8) { $0.append(number, last: 8) }
        // A file that can't be kept up to date could agree with a later state by chance. Therefore, it is removed.
        if !settings.write(bytes, at: 0, creating: true) { settings.remove() }
    }

    /// The number of the settings that were written last since the machine was started; nil if the number is unknown.
    var settingsNumber: UInt64? {
        let count = head.count + 8
        guard let bytes = settings?.read(upTo: count + 1), bytes.count == count, bytes.starts(with: head)
        else { return nil }
        return bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    // MARK: Queries

    /// Returns the witness of a lane, for the thread that has the lane.
    package func lane(_ lane: Lane) -> LaneWitness { lanes[lane] }
}
