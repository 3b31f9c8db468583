package import BatonCore
import BatonNetwork
import BatonSecurity
import Glibc

/// Remembers outside the home how far the journal had come, so that the next opening knows whether it is the one
/// that was written last.
///
/// It lies where nothing survives a restart of the machine, and no backup reaches. Where there is no such place,
/// or the two differ in anything, the device begins a new life: a dot that others may have seen is never named
/// again.
///
/// Each lane is noted by itself, whatever becomes of the other one meanwhile (`LaneWitness`): before a transaction of a
/// lane is kept, the note of that lane says so, and whoever is told of a dot is told when it is kept. So a lane in which
/// the last note and the store agree holds every dot of it that anyone can have seen, wherever the process was when it
/// ended. Where others are told of a transaction before it is kept, the note says so first (`noteTold`), and counts as
/// one of what was about to be kept.
///
/// A life goes on only if that is so of both lanes, and both notes speak of that life and of one order of arrival: a
/// life that began, and had not been noted of both lanes yet, is over, and so is the one before it.
package final class Witness: Sendable {
    let device: DeviceIdentifier
    private let activities: LaneWitness
    private let index: LaneWitness

    /// The witness of a home; without a path there is none, and every opening begins a life.
    package init(path: String?, account: AccountIdentifier, device: DeviceIdentifier, bootID: String) {
        self.device = device
        let head = SHA256.digest(Array(bootID.utf8)) + account.bytes + device.bytes
        let lane = { (lane: Lane) in
            LaneWitness(lane, path: path.map { Self.path($0, of: lane) }, head: head)
        }
        (activities, index) = (lane(.activities), lane(.index))
    }

    /// The file of a lane.
    package static func path(_ path: String, of lane: Lane) -> String { "\(path)-\(lane)" }

    /// Removes the files of a witness.
    static func remove(at path: String) {
        for lane in Lane.allCases { unlink(self.path(path, of: lane)) }
    }

    /// How a journal goes on, or begins.
    package struct Opening: Equatable, Sendable {
        package let life: Life
        /// The last transactions of that life; none if it begins.
        package let sequences: [Lane: UInt64]
        /// The latest time that the store has, or that others were told of before it was kept.
        package let clock: HybridTime
        /// What others may have been told of before it was kept, and the process ended.
        package var toldAhead = VersionVector()
        /// Whether the store lacks what it had kept since the machine was started: the disk has returned less than was
        /// written, or somebody put an older copy of the home back.
        package var lacksChanges = false
    }

    // MARK: Commands

    /// Opens the journal of a store: goes on with the life that wrote last if nothing speaks against it.
    package func open(
        _ store: any AccountStore, using generator: inout some RandomNumberGenerator
    ) throws(StoreFailure) -> Opening {
        let seen = lanes.map { $0.read() }
        let summary = try store.summary()
        let toldAhead = VersionVector(seen.compactMap { $0?.toldAhead })
        let clock = seen.compactMap { $0?.toldTime }.reduce(summary.clock) { max($0, $1) }
        if let marks = try agreed(seen.map { $0?.agreed }, store), let life = marks.first?.life {
            begin(life)
            try note(store)
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
        try note(store)
        return Opening(
            life: life, sequences: [:], clock: clock, toldAhead: toldAhead, lacksChanges: lacksChanges)
    }

    /// What was noted last of each lane, if the store has come exactly as far, with one life and one order.
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

    /// The journal begins a new life.
    package func begin(_ life: Life) { for lane in lanes { lane.begin(life) } }

    /// Takes note of what both lanes have kept, or are about to keep.
    package func note(_ store: any AccountStore, isKept: Bool = true) throws(StoreFailure) {
        for lane in Lane.allCases { try self.lane(lane).note(store.lane(lane), isKept: isKept) }
    }

    /// Takes note of what both lanes have kept; of a lane of which that can't be read there is no witness any more.
    package func noteOrForget(_ store: any AccountStore, isKept: Bool = true) {
        for lane in Lane.allCases { self.lane(lane).noteOrForget(store.lane(lane), isKept: isKept) }
    }

    /// Others are about to be told of a transaction that is not kept yet; false if that can't be noted, and so must not
    /// be.
    ///
    /// It may be called by a thread that does not have the lane.
    package func noteTold(_ sequence: UInt64, of life: Life, at time: HybridTime, in lane: Lane) -> Bool {
        self.lane(lane).noteTold(sequence, of: life, at: time)
    }

    /// Forgets what it knows, in both lanes, until a life begins: the next process then begins a life, too.
    package func remove() { for lane in lanes { lane.remove() } }

    // MARK: Queries

    /// The witness of one lane, for who has that lane.
    package func lane(_ lane: Lane) -> LaneWitness { lane == .activities ? activities : index }

    private var lanes: [LaneWitness] { [activities, index] }
}

extension Witness {
    /// The witness of an account on a home.
    convenience init(_ home: Home, _ credentials: Credentials) throws(NetworkError) {
        self.init(
            path: home.witness(), account: credentials.account, device: credentials.device,
            bootID: try ProcessIdentity.currentBootID())
    }
}
