import BatonCore
import BatonSecurity
import BatonStore
import Glibc

/// The items of protected indexes with opened content, in databases of their own, whose pages are encrypted.
///
/// The databases are a copy that can be made again at any time from the sealed items of the account's store. They are
/// removed and made anew if they are damaged, or if the store has changed in a way that they can't follow. The object
/// belongs to the thread of `OpenedItems`.
final class OpenedStore {
    private let folder: String
    private let credentials: Credentials
    private let key: ContentKey
    private let sealing: ItemSealing
    private let stop: SearchStop
    /// The deletions that the store had garbage-collected when the copy began with nothing; empty if it began earlier.
    ///
    /// They are not kept on the disk. If the node ends before the copy has everything, the copy may have to begin anew.
    private var collected = VersionVector()
    /// The time up to which expired items were removed since the databases were opened; nil before that.
    private var swept: WallTime?
    /// The open databases; nil before their first use, and after they were removed.
    private var open: (store: SQLiteStore, reader: SearchReader)?

    init(in folder: String, of credentials: Credentials, key: ContentKey, stop: SearchStop) {
        (self.folder, self.credentials, self.stop) = (folder, credentials, stop)
        self.key = key
        sealing = ItemSealing(with: key)
    }

    /// The name of the folder with the databases, within the folder of the account.
    static let folderName = "opened"

    // MARK: Following the store

    /// The place up to which the copy follows the store, and its claims.
    struct Place: Sendable {
        /// The place in the store; nil at the beginning.
        let token: ResumeToken?
        let covered: VersionVector
        /// The deletions that the store had garbage-collected when the copy began with nothing.
        let collected: VersionVector
    }

    /// Returns the place from which changes of the store are needed next.
    func place() throws(StoreFailure) -> Place {
        let store = try opened().store
        let summary = try store.summary(for: credentials.device)
        return Place(
            token: summary.resume[.index], covered: summary.complete.restricted(to: .index),
            collected: collected)
    }

    /// Adds changes of the store; returns the items that can't be opened, each with the reason.
    func add(_ part: ProtectedChanges.Part, after place: Place) throws(StoreFailure) -> [UnopenedItem] {
        if place.token == nil { collected = part.collected }
        let store = try opened().store
        let lane = store.ownLane(.index)
        var (writes, unopened): ([Write], [UnopenedItem]) = ([], [])
        for write in part.writes {
            // The name of a deleted item is not known. The copy only needs the deletions of items that it has.
            if write.identity.kind == .item, write.name == nil, try lane.record(write.identity) == nil {
                continue
            }
            writes.append(sealing.opened(write) { unopened.append(UnopenedItem(name: $0, reason: "\($1)")) })
        }
        var transaction = StoreTransaction(
            lane: .index, writes: writes, completing: part.complete ?? VersionVector(),
            resume: StoreTransaction.Resume(peer: credentials.device, token: part.next))
        transaction.sender = part.complete ?? place.covered
        transaction.isPart = part.complete == nil
        _ = try lane.commit(transaction)
        while try lane.settle(most: Self.settledAtOnce) != nil {}
        while try !lane.fillSearch() {}
        if part.complete != nil { try sweep(lane, as: part.swept) }
        return unopened
    }

    /// Removes expired items that the store has swept.
    ///
    /// Nobody else has these databases, so all of their updates are collectable.
    private func sweep(_ lane: SQLiteLane, as time: WallTime) throws(StoreFailure) {
        guard swept.map({ $0 < time }) ?? true else { return }
        let device = credentials.device
        try lane.group(durably: false) { () throws(StoreFailure) in
            try lane.report(of: device, having: try opened().store.complete)
        }
        var request = SweepRequest(time: time, roster: [device], most: Self.settledAtOnce)
        while let step = try lane.sweep(request) { request.after = step.next }
        swept = time
    }

    // MARK: Idle times

    /// Does the next step of erasing what was removed; returns false if nothing is left to erase.
    func erase() throws(StoreFailure) -> Bool { try opened().store.ownLane(.index).erase(.replaced) != .done }

    /// Frees the memory of cached pages, which can be read from the databases again.
    func releaseMemory() {
        guard let open else { return }
        for lane in Lane.allCases { open.store.ownLane(lane).releaseMemory() }
        open.reader.releaseMemory()
    }

    /// The number of records that are changed in one transaction after a clear.
    private static let settledAtOnce = 1000

    // MARK: Searching

    /// Asks the reader of the copy.
    func ask<Answer>(
        for wish: SearchWish, _ question: (SearchReader) throws(StoreFailure) -> Answer
    ) throws(StoreFailure) -> Answer {
        let reader = try opened().reader
        reader.interest = wish
        defer { reader.interest = nil }
        return try question(reader)
    }

    // MARK: The databases

    /// Removes the databases, so that the copy begins with nothing.
    func removeAll() throws(StoreFailure) {
        (open, swept) = (nil, nil)
        for lane in Lane.allCases {
            for suffix in ["", "-wal", "-shm"] {
                let path = "\(folder)/\(Self.folderName)/\(lane).sqlite\(suffix)"
                guard unsafe unlink(path) == 0 || errno == ENOENT else {
                    throw StoreFailure(.failed, "can't remove \(path): error \(errno)")
                }
            }
        }
    }

    /// Opens the databases, unless they are open.
    ///
    /// If they can't be read, for example because they were encrypted with another key, they are made anew.
    private func opened() throws(StoreFailure) -> (store: SQLiteStore, reader: SearchReader) {
        if let open { return open }
        let opened: (store: SQLiteStore, reader: SearchReader)
        do {
            opened = try begin()
        } catch  where ![.full, .readOnly, .locked].contains(error.code) {
            try removeAll()
            opened = try begin()
        }
        open = opened
        return opened
    }

    private func begin() throws(StoreFailure) -> (store: SQLiteStore, reader: SearchReader) {
        let path = "\(folder)/\(Self.folderName)"
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            let code: StoreFailure.Code = errno == ENOSPC ? .full : errno == EROFS ? .readOnly : .failed
            throw StoreFailure(code, "can't make the folder \(path): error \(errno)")
        }
        let cipher: PageKey
        do throws(SecurityError) {
            cipher = try key.pageKey(for: "opened items")
        } catch {
            throw StoreFailure(.failed, "\(error)")
        }
        let store = try SQLiteStore(
            folder: path, account: credentials.account, device: credentials.device, cipher: cipher)
        return (store, try SearchReader(folder: path, stop: stop, cipher: cipher))
    }
}

/// An item whose content can't be opened, because it was changed or sealed with another key.
struct UnopenedItem: Sendable {
    let name: ItemName
    let reason: String
}
