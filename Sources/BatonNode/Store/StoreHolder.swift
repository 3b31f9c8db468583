import BatonCore
import BatonNetwork
package import BatonStore

/// The result of opening a store.
package struct StoreOpening: Sendable {
    /// The rescues of damaged lanes.
    ///
    /// The files of these lanes were quarantined.
    package let rescues: [LaneRescue]
    /// The durability reports in the store.
    let reports: Reports
    /// The quarantined writes in the store.
    let quarantined: [QuarantinedWrite]
    /// The notes of the requests to apps to index again.
    let reindex: [LocalNote]
    /// The paths of the files that a restored backup has replaced; nil if no backup was restored.
    var replaced: [String]?
    /// The databases that were moved long ago and were removed during the opening; nil if the opening did not check for
    /// any.
    fileprivate(set) var removed: RemovedDatabases?
    /// Whether the store is open for reading only, because its disk can't be written.
    var isReadOnly = false
    /// Whether the store was open for reading only before this opening.
    var wasReadOnly = false

    fileprivate init(of store: SQLiteStore, rescues: [LaneRescue]) throws(StoreFailure) {
        self.rescues = rescues
        (reports, quarantined) = (try store.summary().reports, store.quarantined())
        reindex = try store.notes(in: .reindex)
    }
}

/// The result of trying to open a read-only store for writing.
enum StoreReopening {
    /// The store is open for writing, or could not be opened at all. Both results are also reported as a
    /// `StoreOpening`.
    case done
    /// The disk can't be written yet. Therefore, the store was not opened again.
    case postponed
    /// The disk can be written, but this attempt again opened the store only for reading.
    case failed
}

/// Holds a store.
///
/// If the store is found to be damaged, replaces it with a rescued store.
///
/// The object belongs to the thread of the index lane, which uses the activities lane only while that lane is lent to
/// it.
final class StoreHolder {
    private let folder: StoreFolder
    private let account: AccountIdentifier
    /// The gate through which searches pass, and the size in bytes that the log of a lane may reach.
    private let readers: ReaderGate
    private let logBytes: Int
    private let device: DeviceIdentifier
    /// Stops the opening and the rescue of the store, and reports their progress.
    private let watch: RescueWatch
    /// The number of times that lanes were rescued since the node was started.
    private var rescueCount = 0
    /// The number of rescues after which the node gives up.
    ///
    /// A disk may damage data each time that it is written. More rescues would only fill this disk with quarantined
    /// files.
    static let rescuesMost = 4
    static let closed = StoreFailure(.failed, "the store was closed")
    static let notOpened = StoreFailure(.failed, "the store was not opened")
    /// The store, or the reason why there is none.
    private var store: Result<SQLiteStore, StoreFailure>
    /// The damage that readers have found in the present opening of the store, by lane.
    private var found: [Lane: StoreFailure] = [:]
    /// The result of opening the store; nil once it was reported.
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

    /// Opens the store.
    ///
    /// Lanes that turn out to be damaged during the opening are rescued.
    ///
    /// If a backup is to replace the store, the replacement is finished first.
    func open() {
        do throws(StoreFailure) {
            let replaced = try StoreRestoration.finish(in: folder, on: WallTime.today)
            receiveOpened(openToRead(after: open(damaged: [:]))) { $0.replaced = replaced }
        } catch {
            (store, opening) = (.failure(error), .failure(error))
        }
    }

    /// Opens a read-only store for writing, if its disk can be written now.
    ///
    /// If the store can still only be read, nothing is reported, because nothing has changed.
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

    /// Keeps the result of opening the store until the result is reported; `complete` adds further facts to it.
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

    /// Opens the store for reading only, if the disk can't be written.
    ///
    /// A store that is opened in this way stays as it is on the disk.
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
            // The person sees both reasons: the reason why the store can't be written, and the reason why it can't even
            // be read.
            return .failure(StoreFailure(.readOnly, "\(failure), and \(error)"))
        }
    }

    /// Returns a failure that says that the disk is full or can't be written.
    ///
    /// In these cases, SQLite may say only that a file can't be created.
    private func explained(_ failure: StoreFailure) -> StoreFailure {
        guard failure.code == .failed, let trouble = DiskTrouble(of: folder.path) else { return failure }
        return StoreFailure(trouble.code, failure.text)
    }

    /// Returns the result of opening the store, if it was not returned before.
    func takeOpening() -> Result<StoreOpening, StoreFailure>? { opening.take() }

    /// Returns a lane of the store, for use on the thread that has the lane.
    func lane(_ lane: Lane) -> LentLane { LentLane(store: store.map { $0.ownLane(lane) }) }

    /// Closes the store permanently.
    func close() { store = .failure(Self.closed) }

    /// Calls the first closure with the store.
    ///
    /// If there is no store, calls the second closure with the reason.
    func use(_ body: (SQLiteStore) -> Void, otherwise: (StoreFailure) -> Void) {
        switch store {
        case .success(let store): body(store)
        case .failure(let failure): otherwise(failure)
        }
    }

    /// Records damage that a reader has found.
    ///
    /// `opening` is the number of the store's opening in which the damage was found; nil means the present opening.
    ///
    /// If the disk can't be written, nothing can be rescued. In this case, the damage is ignored.
    func recordFailure(_ failure: StoreFailure, foundIn opening: Int? = nil) {
        guard let lane = failure.damage?.lane, !isReadOnly,
            opening.map({ $0 == readers.opening }) ?? true
        else { return }
        if found[lane] == nil { found[lane] = failure }
    }

    /// Rescues the lanes that were found to be damaged while the store was in use.
    func rescue(before witness: Witness) {
        let damaged = damagedLanes
        guard !damaged.isEmpty else { return }
        opening = self.open(damaged: damaged, goingOnWith: witness)
        use {
            witness.noteOrForget($0)
        } otherwise: { _ in
        }
    }

    /// The damage of each lane that was found to be damaged.
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
