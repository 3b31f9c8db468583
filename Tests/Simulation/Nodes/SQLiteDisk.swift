import BatonCore
import BatonStore
import Disks
import Support

/// A disk of the tests that holds the files of the product's store.
///
/// A process has the store open, and does not close it when it ends: the next process finds the files as they were
/// written, and opens them as the product does.
final class SQLiteDisk: SimulatedDisk {
    private var disk: TestDisk
    private var opened: SQLiteContents?
    private(set) var backup: DiskCopy?
    private var generator: SeededGenerator
    /// Draws the damage that is done to a store before it is rescued.
    private var rescues: SeededGenerator
    /// Draws how the words of items are gathered.
    private var searches: SeededGenerator
    /// Draws which node makes a backup, and what becomes of it.
    private var backups: SeededGenerator
    /// Draws when to check what a sync has brought to the disk.
    private var syncs: SeededGenerator
    private unowned let world: World
    private let identity: SessionIdentity
    private var name: String { identity.name }

    init(of identity: SessionIdentity, seed: UInt64, in world: World) {
        (self.identity, self.world) = (identity, world)
        generator = SeededGenerator(seed: seed, for: "disk")
        rescues = SeededGenerator(seed: seed, for: "rescues")
        backups = SeededGenerator(seed: seed, for: "backups")
        searches = SeededGenerator(seed: seed, for: "searches")
        syncs = SeededGenerator(seed: seed, for: "syncs")
        disk = TestDisk(seed: seed)
    }

    // The disk is released after the connections that use it.
    deinit { drop() }

    /// Whether the disk may have refused a write of this process; the write may be stored all the same.
    private var hasRefused = false

    var isFull = false {
        didSet {
            if isFull { hasRefused = true }
            setRoom()
        }
    }

    var isFailing = false {
        didSet {
            if isFailing { hasRefused = true }
            setFailure()
        }
    }

    /// Always nil: the store finds out by itself, and reports it as it does to a node.
    var refusal: StoreFailure? { nil }

    var store: any AccountStore { open.store }
    var contents: any StoreContents { open }
    var image: DiskCopy { .files(disk.image.afterProcesses) }

    func sync() { disk.settle() }

    /// The store has synced by itself what it must; this checks now and then that it did, as if the power failed now.
    func noteSync(of lanes: [Lane]) {
        guard !hasRefused, syncs.chance(10) else { return }
        let found = TestDisk(disk.image.afterPowerLoss(.forgets, &syncs))
        for lane in lanes {
            let here = open.look { (store) throws(StoreFailure) in try SyncedLane(lane, of: store) }
            do throws(StoreFailure) {
                let store = try SQLiteStore(folder: "", account: world.account, fileSystem: found.name)
                guard try SyncedLane(lane, of: store) != here else { continue }
                world.violate(
                    .acknowledgedIsKept, "\(name) kept its \(lane) durably, and has not synced all of it")
            } catch {
                world.end("\(name) can't open what would be left if the power went: \(error)")
            }
        }
        withExtendedLifetime(found) {}
    }

    func noteFailedSync(of lane: Lane) {}

    /// Gathers words of items that are not in the table of words.
    func workOn(toEnd: Bool) {
        guard let store = opened?.store else { return }
        do throws(StoreFailure) {
            try quietly { () throws(StoreFailure) in
                while try !store.fillSearch(most: searches.number(1...3)), toEnd {}
                for lane in Lane.allCases where world.diskTroubles.erases && searches.chance(20) {
                    _ = try store.ownLane(lane).erase(.replaced, pages: searches.number(1...3))
                }
            }
        } catch {
            world.end("\(name) can't gather words: \(error)")
        }
    }

    func endProcess() {
        let left = left
        begin(disk.image.afterProcesses)
        demand(left)
    }

    func close() {
        let left = left
        opened = nil
        begin(disk.image.afterProcesses)
        demand(left)
    }

    /// The content that the next process must find; nil where the disk may have refused something.
    private var left: BackedUp? { hasRefused ? nil : open.backedUp }

    /// Checks that a process finds what the one before it had.
    private func demand(_ left: BackedUp?) {
        guard let fault = left?.difference(from: open.backedUp) else { return }
        world.violate(.acknowledgedIsKept, "\(name) is opened again, and \(fault)")
    }

    func losePower() -> Bool {
        let before = open.state
        begin(disk.image.afterPowerLoss(generator.pick(world.diskTroubles.losses), &generator))
        return open.state != before
    }

    func backUp() {
        guard world.diskTroubles.backsUp, backups.chance(50) else { return backup = image }
        do throws(StoreFailure) {
            let contents = open
            let made = try quietly { () throws(StoreFailure) in
                try ProductBackup(of: contents, on: disk, identity)
            }
            if let fault = made.fault { world.violate(.acknowledgedIsKept, "\(name) backs up, and \(fault)") }
            backup = .backup(made)
        } catch {
            world.end("\(name) can't be backed up: \(error)")
        }
    }

    func put(_ image: DiskCopy) {
        switch image {
        case .empty: begin(DiskImage())
        case .files(var image):
            image.settle()
            begin(image)
        case .backup(let backup): restore(backup)
        case .memory: preconditionFailure("all disks of a world are of one kind")
        }
    }

    /// Restores a backup as a node does, which is closed meanwhile; a damaged backup is refused first.
    private func restore(_ backup: ProductBackup) {
        let clock = open.clock
        begin(disk.image.afterProcesses)
        do throws(StoreFailure) {
            if backups.chance(30) { try refuse(backup.damaged(by: &backups)) }
            if rescues.chance(30) { try cutRescue() }
            let order: ArrivalOrder = backups.identifier()
            try backup.prepare(on: disk, identity, order)
            try StoreRestoration.decide(in: StoreFolder(disk))
            // A restoration that was begun is carried out, whatever happens then.
            if backups.chance(50) {
                begin(disk.image.afterPowerLoss(backups.pick(world.diskTroubles.losses), &backups))
            }
            _ = try StoreRestoration.finish(in: StoreFolder(disk), on: "2026-01-02")
        } catch {
            world.end("\(name) can't restore its backup: \(error)")
        }
        for name in disk.image.fileNames where name.contains(".replaced-") { disk.remove(name) }
        disk.settle()
        world.marks[.restoredByProduct] += 1
        if let fault = backup.difference(from: open.backedUp) {
            world.violate(.acknowledgedIsKept, "\(name) comes from a backup, and \(fault)")
        }
        if open.clock < clock {
            world.violate(.dotsAreUnique, "\(name) comes from a backup with an earlier clock")
        }
    }

    /// Cuts off a rescue of the index once it has built a database that is yet to replace the damaged one.
    private func cutRescue() throws(StoreFailure) {
        var cut: DiskImage?
        disk.observe = { [unowned self] _ in
            if cut == nil, disk.exists("index.sqlite.rescued") { cut = disk.image.afterProcesses }
        }
        let damage = StoreFailure(.damaged, "the index is taken for damaged")
        _ = try SQLiteStore.open(
            StoreFolder(disk), account: world.account, day: "2026-01-02", damaged: [.index: damage])
        disk.observe = nil
        if let cut { begin(cut) }
    }

    /// Checks that a damaged backup is refused, and leaves nothing behind.
    private func refuse(_ damaged: ProductBackup) throws(StoreFailure) {
        let files = disk.image.fileNames
        do throws(StoreFailure) {
            try damaged.prepare(on: disk, identity, ArrivalOrder(high: 0, low: 0))
        } catch {
            world.marks[.backupsRefused] += 1
            guard error.code != .failed || disk.image.fileNames != files else { return }
            return world.violate(
                .acknowledgedIsKept, "\(name) refuses a damaged backup and keeps something of it: \(error)")
        }
        world.violate(.acknowledgedIsKept, "\(name) takes a damaged backup for a sound one")
    }

    func rescue() {
        // A store is opened before its damage is found, and is made where there was none.
        let before = open.standing
        // The journal of a store that was closed in order is empty, so that damage strikes the database.
        if rescues.chance(50) { opened = nil }
        var image = disk.image.afterProcesses
        let damaged = world.diskTroubles.damage && generator.chance(50) ? damage(&image) : []
        begin(image)
        let failure = StoreFailure(.damaged, "the store is taken for damaged")
        let (contents, told) = open(
            damaged: Dictionary(uniqueKeysWithValues: Lane.allCases.map { ($0, failure) }))
        opened = contents
        RescueTruth(name, before, contents.standing, damaged: damaged).judge(told, world)
        // Nobody needs the damaged files once they were checked.
        for name in disk.image.fileNames where name.contains(".damaged-") { disk.remove(name) }
    }

    /// Changes some bytes, near each other or anywhere; returns the names of the files.
    private func damage(_ image: inout DiskImage) -> Set<String> {
        var damaged: Set<String> = []
        for name in image.fileNames where image.count(of: name) > 0 && generator.chance(40) {
            damaged.insert(name)
            // The first page describes the others.
            let end = image.count(of: name)
            let reach = generator.chance(30) ? min(end, 4096) : end
            for _ in 0..<generator.pick([1, 3, 30]) {
                let place = generator.number(0...reach - 1)
                image.flip(name, at: place, by: UInt8(generator.number(1...255)))
            }
        }
        return damaged
    }

    /// Runs the closure while the disk succeeds in everything.
    private func quietly<Value>(_ body: () throws(StoreFailure) -> Value) throws(StoreFailure) -> Value {
        let faults = disk.faults
        disk.faults = DiskFaults()
        defer { disk.faults = faults }
        return try body()
    }

    // MARK: Opening

    /// Another process finds those files.
    private func begin(_ image: DiskImage) {
        drop()
        disk = TestDisk(image, seed: generator.next())
        hasRefused = isFull
    }

    /// Drops the store without an orderly end.
    private func drop() {
        disk.faults.isReadOnly = true
        opened = nil
    }

    /// The store, which is opened on first use; the caller has made room for that moment.
    private var open: SQLiteContents {
        if let opened { return opened }
        let contents = open(damaged: [:]).contents
        opened = contents
        return contents
    }

    private func open(
        damaged: [Lane: StoreFailure]
    ) -> (contents: SQLiteContents, rescues: [LaneRescue]) {
        do throws(StoreFailure) {
            let (store, rescues) = try quietly { () throws(StoreFailure) in
                try SQLiteStore.open(
                    StoreFolder(disk), account: world.account, day: "2026-01-02", damaged: damaged)
            }
            if putsOff { store.recordsAtOnce = 0 }
            if searches.chance(50) { store.searchBytesMost = searches.number(0...500) }
            if searches.chance(50) { store.wordsKeptLeast = searches.number(1...4) }
            setRoom()
            for rescue in rescues {
                if rescue.hasLosses {
                    world.tell("\(name) rescues \(rescue.writes) writes of its \(rescue.lane), and not all")
                    world.marks[.damageLosses] += 1
                }
                guard damaged[rescue.lane] == nil else { continue }
                world.violate(.acknowledgedIsKept, "\(name) finds its store damaged: \(rescue.cause)")
            }
            let contents = SQLiteContents(of: store, on: disk.name) {
                [unowned self] (look) throws(StoreFailure) in
                try quietly(look)
            }
            return (contents, rescues)
        } catch {
            world.end("\(name) can't open its store: \(error)")
        }
    }

    /// Whether this node's store puts off all work that it can.
    private var putsOff: Bool {
        var generator = SeededGenerator(seed: world.seed, for: "putting off of \(name)")
        return world.diskTroubles.putsOff && generator.chance(50)
    }

    private func setRoom() {
        disk.faults.capacity = isFull ? disk.image.count + generator.number(0...20_000) : nil
    }

    private func setFailure() {
        disk.faults.forgetsFailedSyncs = true
        disk.faults.failure =
            isFailing
            ? DiskFaults.Failure(
                generator.pick([.write, .write, .sync, .read, .truncate]), after: generator.number(0...6),
                isLasting: generator.chance(50)) : nil
    }
}
