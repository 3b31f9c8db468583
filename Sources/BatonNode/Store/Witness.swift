package import BatonCore
import BatonNetwork
import BatonSecurity
import Glibc

/// Remembers outside the home folder how far the journal had come, so that the next opening knows whether its journal
/// is the one that was written last.
///
/// It lies in a place that is cleared when the machine restarts, and that no backup includes. Without such a place, or
/// if store and witness differ in anything, the device begins a new life: a dot that others may have seen is never used
/// again.
///
/// Each lane is noted separately, whatever happens to the other one meanwhile (`LaneWitness`). Before a transaction of
/// a lane is stored, the note of that lane says so, and a dot is reported to anyone only when it is stored. So if a
/// lane's last note and the store agree, the lane holds every dot that anyone can have seen, wherever the process was
/// when it ended. When a transaction is sent to others before it is stored, the note says so first (`noteTold`), and
/// the transaction counts as one that was about to be stored.
///
/// A life continues only if note and store agree in both lanes, and both notes name that life and the same order of
/// arrival. A life that had begun but was not yet noted for both lanes is over, and so is the life before it.
package final class Witness: Sendable {
    let device: DeviceIdentifier
    /// The writes that were sent to others and that the disk refused.
    private let refused: RefusedWitness
    private let lanes: PerLane<LaneWitness>
    /// The file that notes the number of the last settings; nil without a place for it.
    private let settings: WitnessFile?
    /// The beginning of each file: it names this start of the machine, and the account and device.
    private let head: [UInt8]

    /// Makes the witness of a home; without a path there is none, and every opening begins a new life.
    package init(path: String?, account: AccountIdentifier, device: DeviceIdentifier, bootID: String) {
        self.device = device
        let head = SHA256.digest(Array(bootID.utf8)) + account.bytes + device.bytes
        refused = RefusedWitness(path: path, head: head)
        (self.head, settings) = (head, path.map { WitnessFile(path: Self.settingsPath($0)) })
        lanes = PerLane { lane in
            LaneWitness(lane, path: path.map { Self.path($0, of: lane) }, head: head)
        }
    }

    /// Returns the path of the file of a lane.
    package static func path(_ path: String, of lane: Lane) -> String { "\(path)-\(lane)" }

    /// Returns the path of the file about the settings.
    package static func settingsPath(_ path: String) -> String { "\(path)-settings" }

    /// Removes the files about lanes; the file about the settings stays valid.
    static func remove(at path: String) {
        for lane in Lane.allCases { unlink(self.path(path, of: lane)) }
        RefusedWitness.remove(at: path)
    }

    /// The life in which a journal writes from now on, and how far that life has come.
    package struct Opening: Equatable, Sendable {
        package let life: Life
        /// The last transactions of that life; none if it begins now.
        package let sequences: [Lane: UInt64]
        /// The latest time in the store, or of a write that was sent to others before it was stored.
        package let clock: HybridTime
        /// The writes that the last process may have sent before they were stored.
        package var toldAhead = VersionVector()
        /// Whether the store lacks changes that it had stored since the machine was started: the disk has returned less
        /// than was written, or somebody restored an older copy of the home.
        package var lacksChanges = false
    }

    // MARK: Commands

    /// Opens the journal of a store: continues the life that wrote last if witness and store agree, or else begins a
    /// new one.
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

    /// Returns the last note of each lane if the store has come exactly as far, with one life and one order; nil
    /// otherwise.
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

    /// Notes what both lanes have stored, or are about to store.
    package func recordStore(_ store: any AccountStore, isKept: Bool = true) throws(StoreFailure) {
        for lane in Lane.allCases { try self.lane(lane).recordStore(store.lane(lane), isKept: isKept) }
    }

    /// Notes what both lanes have stored; a lane that can't be read loses its witness.
    package func noteOrForget(_ store: any AccountStore, isKept: Bool = true) {
        for lane in Lane.allCases { self.lane(lane).noteOrForget(store.lane(lane), isKept: isKept) }
    }

    /// Notes a transaction that is about to be sent to others before it is stored; returns false if that can't be
    /// noted, so that it must not be sent.
    ///
    /// It may be called on a thread that does not have the lane.
    package func noteTold(_ sequence: UInt64, of life: Life, at time: HybridTime, in lane: Lane) -> Bool {
        self.lane(lane).noteTold(sequence, of: life, at: time)
    }

    /// Notes that the disk refused a transaction that was already sent to other devices.
    ///
    /// The other devices will send it back. The next process must know that this device wrote it, or it would take its
    /// home for an older copy.
    package func handleRefused(_ sequence: UInt64, of origin: Origin) { refused.add(sequence, of: origin) }

    // MARK: Settings

    /// Notes the number of the settings that all files in the home have.
    func noteSettings(_ number: UInt64) {
        guard let settings else { return }
        var bytes = head
        bytes.append(addingCapacity: 8) { $0.append(number, last: 8) }
        // A file that can't be kept up to date must not agree by chance with a later state.
        if !settings.write(bytes, at: 0, creating: true) { settings.remove() }
    }

    /// The number of the settings that were written last since the machine started; nil if it is not known.
    var settingsNumber: UInt64? {
        let count = head.count + 8
        guard let bytes = settings?.read(upTo: count + 1), bytes.count == count, bytes.starts(with: head)
        else { return nil }
        return bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    // MARK: Queries

    /// Returns the witness of one lane, for the thread that has that lane.
    package func lane(_ lane: Lane) -> LaneWitness { lanes[lane] }
}
