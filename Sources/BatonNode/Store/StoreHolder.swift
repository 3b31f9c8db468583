import BatonCore
import BatonNetwork
package import BatonStore

/// The outcome of opening a store.
package struct StoreOpening: Sendable {
    /// The rescues of damaged lanes, whose files were quarantined.
    package let rescues: [LaneRescue]
    /// The durability reports that the store has.
    let reports: Reports
    /// The writes that are quarantined in the store.
    let quarantined: [QuarantinedWrite]
    /// The requests to apps to index again, as notes.
    let reindex: [LocalNote]
    /// The files that a restored backup replaced; nil if no backup was restored.
    var replaced: [String]?
    /// The databases that were moved long ago and were removed now; nil if the opening did not look for any.
    fileprivate(set) var removed: RemovedDatabases?
    /// Whether the store is opened for reading only, because its disk can't be written.
    var isReadOnly = false
    /// Whether the store was open for reading only until now.
    var wasReadOnly = false

    fileprivate init(of store: SQLiteStore, rescues: [LaneRescue]) throws(StoreFailure) {
        self.rescues = rescues
        (reports, quarantined) = (try store.summary().reports, store.quarantined())
        reindex = try store.notes(in: .reindex)
    }
}

/// The outcome of trying to open a read-only store for writing.
enum StoreReopening {
    /// The store can be written, or could not be opened at all; both are reported as `StoreOpening`.
    case done
    /// The disk can't be written yet, so the store was not opened again.
    case postponed
    /// The disk can be written, but the store could again be opened only for reading.
    case failed
}

/// Holds a store, and replaces it with another one when it is found to be damaged.
///
/// It belongs to the thread of the index, which uses the other lane only while that lane is lent to it.
final class StoreHolder {
    private let folder: StoreFolder
    private let account: AccountIdentifier
    /// The gate that searches pass, and the size in bytes that the log of a lane may reach.
    private let readers: ReaderGate
    private let logBytes: Int
    private let device: DeviceIdentifier
    /// Stops the opening and the rescue of the store, and reports their progress.
    private let watch: RescueWatch
    /// How many times lanes were rescued since the node was started.
    private var rescueCount = 0
    /// The number of rescues after which the node gives up: a disk that damages what was just written is not worth
    /// filling with quarantined files.
    static let rescuesMost = 4
    static let closed = StoreFailure(.failed, "the store was closed")
    static let notOpened = StoreFailure(.failed, "the store was not opened")
    /// The store, or why there is none.
    private var store: Result<SQLiteStore, StoreFailure>
    /// The damage that readers found in the store as it is open now, by lane.
    private var found: [Lane: StoreFailure] = [:]
    /// The outcome of opening the store, if it was not reported yet.
    private var opening: Result<StoreOpening, StoreFailure>?

    init(
        folder: String, account: AccountIdentifier, device: DeviceIdentifier, watch: RescueWatch,
        readers: ReaderGate, logBytes: Int
    ) {
        (self.folder, self.account) = (StoreFolder(path: folder), account)
        (self.device, self.watch) = (device, watch)
        (self.readers, self.logBytes) = (readers, logBytes)
        store = .failure(Self.notOpened)
    }

    /// Opens the store, and rescues lanes whose damage shows during opening.
    ///
    /// If a backup was chosen to replace the store, that is done first.
    func open() {
        do throws(StoreFailure) {
            let replaced = try StoreRestoration.finish(in: folder, on: WallTime.today)
            receiveOpened(openToRead(after: open(damaged: [:]))) { $0.replaced = replaced }
        } catch {
            (store, opening) = (.failure(error), .failure(error))
        }
    }

    /// Opens a read-only store for writing, if its disk allows it by now.
    ///
    /// While the store can still only be read, nothing is reported, because nothing has changed.
    func reopen(before witness: Witness) -> StoreReopening {
        guard isReadOnly else { return .done }
        guard DiskTrouble(of: folder.path) != .readOnly else { return .postponed }
        let opened = openToRead(after: open(damaged: [:], beginsOrder: true))
        guard !isReadOnly else { return .failed }
        receiveOpened(opened) { $0.wasReadOnly = true }
        use {
            witness.noteOrForget($0)
        } otherwise: { _ in
        }
        return .done
    }

    /// Keeps the outcome of opening the store until it is reported, with what else is known of the store.
    private func receiveOpened(
        _ opened: Result<StoreOpening, StoreFailure>, _ complete: (inout StoreOpening) -> Void
    ) {
        opening = opened.map { opening in
            var opening = opening
            complete(&opening)
            return opening
        }
    }

    private var isReadOnly: Bool {
        guard case .success(let store) = store else { return false }
        return store.isReadOnly
    }

    /// Opens the store for reading only, as it is, if its disk can't be written.
    private func openToRead(
        after opened: Result<StoreOpening, StoreFailure>
    ) -> Result<StoreOpening, StoreFailure> {
        guard case .failure(let failure) = opened, failure.code == .readOnly else { return opened }
        do throws(StoreFailure) {
            let opened = try SQLiteStore(readOnly: folder, account: account, device: device)
            opened.readers = readers
            var opening = try StoreOpening(of: opened, rescues: [])
            opening.isReadOnly = true
            store = .success(opened)
            readers.noteOpening()
            return .success(opening)
        } catch {
            // The person sees both reasons: why nothing can be written, and why the store can't even be read.
            return .failure(StoreFailure(.readOnly, "\(failure), and \(error)"))
        }
    }

    /// Says that the disk is full or can't be written where SQLite says only that a file can't be created.
    private func explained(_ failure: StoreFailure) -> StoreFailure {
        guard failure.code == .failed, let trouble = DiskTrouble(of: folder.path) else { return failure }
        return StoreFailure(trouble.code, failure.text)
    }

    /// Returns the outcome of opening the store, once.
    func takeOpening() -> Result<StoreOpening, StoreFailure>? { opening.take() }

    /// Returns a lane of the store for the thread that has it.
    func lane(_ lane: Lane) -> LentLane { LentLane(store: store.map { $0.ownLane(lane) }) }

    /// Closes the store permanently.
    func close() { store = .failure(Self.closed) }

    /// Calls the first closure with the store, or the second one with the reason why there is none.
    func use(_ body: (SQLiteStore) -> Void, otherwise: (StoreFailure) -> Void) {
        switch store {
        case .success(let store): body(store)
        case .failure(let failure): otherwise(failure)
        }
    }

    /// Notes damage that a reader has found, in the given opening of the store or else in the present one.
    ///
    /// On a disk that can't be written nothing can be rescued, so damage there is ignored.
    func recordFailure(_ failure: StoreFailure, foundIn opening: Int? = nil) {
        guard let lane = failure.damage?.lane, !isReadOnly,
            opening.map({ $0 == readers.opening }) ?? true
        else { return }
        if found[lane] == nil { found[lane] = failure }
    }

    /// Rescues the lanes that were found to be damaged while the store was used.
    func rescue(before witness: Witness) {
        let damaged = damagedLanes
        guard !damaged.isEmpty else { return }
        opening = self.open(damaged: damaged, goingOnWith: witness)
        use {
            witness.noteOrForget($0)
        } otherwise: { _ in
        }
    }

    /// The lanes that were found to be damaged, with the damage.
    private var damagedLanes: [Lane: StoreFailure] {
        guard case .success(let store) = store else { return [:] }
        var damaged = found
        for lane in store.damagedLanes where damaged[lane] == nil {
            damaged[lane] = StoreFailure(
                .damaged, "the data read is not the data written", damage: StoreDamage(lane: lane))
        }
        return damaged
    }

    private func open(
        damaged: [Lane: StoreFailure], goingOnWith witness: Witness? = nil, beginsOrder: Bool = false
    ) -> Result<StoreOpening, StoreFailure> {
        // The files must be closed before they are moved.
        close()
        found = [:]
        do throws(StoreFailure) {
            guard rescueCount < Self.rescuesMost else {
                throw StoreFailure(.failed, "the disk repeatedly damages data as it is written")
            }
            let (opened, rescues) = try SQLiteStore.open(
                folder, account: account, device: device, day: WallTime.today, damaged: damaged, watch: watch)
            (opened.readers, opened.logBytes) = (readers, logBytes)
            if !rescues.isEmpty {
                rescueCount += 1
                for lane in rescues.map(\.lane) {
                    if let life = witness?.lane(lane).life { opened.abandon(life, in: lane) }
                    try opened.moveClock(to: HybridTime(shownBy: .now), in: lane)
                }
            }
            if !rescues.isEmpty || beginsOrder {
                var generator = SystemRandomNumberGenerator()
                try opened.begin(.random(using: &generator))
            }
            var opening = try StoreOpening(of: opened, rescues: rescues)
            opening.removed = RemovedDatabases(from: folder)
            store = .success(opened)
            readers.noteOpening()
            return .success(opening)
        } catch {
            let failure = explained(error)
            store = .failure(failure)
            return .failure(failure)
        }
    }
}
