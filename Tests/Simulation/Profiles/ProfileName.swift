import Support

/// A family of profiles; the seed draws one of it.
package enum ProfileName: String, CaseIterable, Sendable {
    /// Everything together: each seed switches on about half of all happenings, with rates of its own.
    case swarm
    /// Everyday troubles: bad connections, crashes, an empty battery.
    case everyday
    /// Backups that are restored, clones, stores that are emptied or rescued.
    case restores
    /// Deletions and clears, and tombstones that are collected while devices are away.
    case deletions
    /// Indexing jobs that crash, on several devices at once.
    case indexing
    /// Snapshots that are cut in the middle, with disks that are full.
    case snapshots
    /// Machines that are cloned while they run.
    case twins
    /// Items that expire and are swept, while days pass.
    case expiry
    /// Devices and owners that are revoked or removed, or were never admitted.
    case roster
    /// Two accounts whose devices meet each other by mistake.
    case accounts
    /// Apps that change their activities, and people who continue them elsewhere.
    case continuing
    /// A member that writes with times that no clock shows, and clocks that are years ahead and come back.
    case times
    /// A member that writes activities in the names of other devices.
    case impostors
    /// People who search while apps index, delete, and end activities.
    case searching

    /// Returns the profile of that seed; a third of all worlds have the product's constants.
    package func profile(for seed: UInt64) -> Profile {
        var profile = laterProfile(for: seed)
        var waiting = SeededGenerator(seed: seed, for: "late frames")
        if waiting.chance(30) { profile.lateFrames = waiting.pick([10, 50, 90]) }
        // Twins agree only because they compare, and nothing is swept where nobody compares.
        var comparing = SeededGenerator(seed: seed, for: "comparing")
        if comparing.chance(33), self != .twins, profile[.day] == 0 {
            (profile.comparesStates, profile.plantsDifference) = (false, false)
        }
        var overtaking = SeededGenerator(seed: seed, for: "overtaking")
        if self == .indexing && overtaking.chance(40) || self == .swarm && overtaking.chance(20) {
            profile[.overtake] = profile[.index] > 0 ? 150 : 0
        }
        var saving = SeededGenerator(seed: seed, for: "saving")
        if [.indexing, .everyday, .swarm].contains(self), profile[.strangeTime] == 0,
            saving.chance(self == .swarm ? 20 : 40)
        {
            profile[.save] = saving.pick([60, 150])
        }
        var searching = SeededGenerator(seed: seed, for: "searching")
        // Items that expire belong to no app there.
        if self == .searching || searching.chance(15), profile[.cloneRunning] + profile[.expire] == 0 {
            profile[.search] = self == .searching ? 500 : 100
            if searching.chance(67) { profile.constants.drawSearch(&searching) }
        }
        return profile
    }

    /// Returns the profile that the seed had before frames waited, and when all devices compared what they hold.
    package func laterProfile(for seed: UInt64) -> Profile {
        var profile = earlierProfile(for: seed)
        var more = SeededGenerator(seed: seed, for: "more constants")
        if more.chance(67) { profile.constants.drawMore(&more) }
        var upkeep = SeededGenerator(seed: seed, for: "upkeep")
        if upkeep.chance(25) { profile[.failedUpkeep] = upkeep.pick([100, 400]) }
        if self == .twins, upkeep.chance(30) { profile[.stop] = 60 }
        if self == .twins, upkeep.chance(25) {
            profile.always([.expire: 150, .day: 80])
            profile.always([.cut: 200])
        }
        var losing = SeededGenerator(seed: seed, for: "losing senders")
        if losing.chance(self == .snapshots ? 40 : 15), self != .twins { profile[.loseSender] = 200 }
        var losingStores = SeededGenerator(seed: seed, for: "losing stores")
        if losingStores.chance(25) { profile.loseStores(of: self) }
        var behindBatches = SeededGenerator(seed: seed, for: "clock behind batches")
        if [.swarm, .everyday, .indexing].contains(self), behindBatches.chance(25) {
            profile.setClocksBack(&behindBatches)
        }
        var enduring = SeededGenerator(seed: seed, for: "enduring")
        if enduring.chance(30) { profile.endureMore(&enduring) }
        return profile
    }

    /// Returns the profile that the seed had before constants and faults were added; the worlds of many seeds that
    /// failed once would be others now.
    package func earlierProfile(for seed: UInt64) -> Profile {
        var profile = plainProfile(for: seed)
        var constants = SeededGenerator(seed: seed, for: "constants")
        if constants.chance(67) { profile.constants = Profile.Constants(&constants) }
        var everywhere = SeededGenerator(seed: seed, for: "everywhere")
        if profile[.cloneRunning] == 0 { profile.addWhatIsEverywhere(&everywhere) }
        // A stream of its own, so that later additions left the rest as it was.
        var opening = SeededGenerator(seed: seed, for: "opening")
        if profile[.cloneRunning] == 0, opening.chance(30) { profile[.open] = 150 }
        // Often enough that most of these worlds take snapshots, also of counters and changed records.
        if self == .snapshots, everywhere.chance(50) {
            profile.always([.change: 300, .report: 600])
            profile.always([.empty: 60, .cut: 60])
        }
        // A rescue is worth playing only where there are items and batches that are not merged.
        var rescuing = SeededGenerator(seed: seed, for: "rescuing")
        if self == .restores, profile[.rescue] > 0, rescuing.chance(50) {
            profile.always([.index: 100, .stage: 400])
            profile.always([.rescue: 40])
        }
        return profile
    }

    /// Returns the same profile without the happenings of every profile, and with the product's constants.
    package func plainProfile(for seed: UInt64) -> Profile {
        var generator = SeededGenerator(seed: seed, for: "profile")
        // Streams of their own, so that later additions left the other worlds as they were.
        var (syncing, copying) = (
            SeededGenerator(seed: seed, for: "syncing"), SeededGenerator(seed: seed, for: "copying")
        )
        var profile = Profile.drawn(&generator)
        profile.syncing = syncing.pick([5, 50, 50, 95])
        switch self {
        case .swarm:
            profile.swarm(&generator)
            // Rosters have a stream of their own, so that worlds without one stay as they were.
            var asking = SeededGenerator(seed: seed, for: "asking")
            if asking.chance(10), profile[.rubbish] == 0 { profile.ask(&asking) }
            // Neighbours have a stream of their own, too.
            var neighbouring = SeededGenerator(seed: seed, for: "neighbouring")
            if neighbouring.chance(5), !profile.hasRoster {
                (profile.neighbours, profile[.misdial]) = (2, 60)
            }
            // Happenings that no swarm has.
            var continuing = SeededGenerator(seed: seed, for: "continuing")
            if continuing.chance(4) { return ProfileName.continuing.plainProfile(for: seed) }
            var timing = SeededGenerator(seed: seed, for: "timing")
            if timing.chance(2) { return ProfileName.times.plainProfile(for: seed) }
            // Happenings that a swarm has too rarely by chance.
            if copying.chance(20) {
                profile = ProfileName.snapshots.plainProfile(for: seed)
                profile.copies()
            }
        case .everyday:
            profile.always([.write: 200, .activity: 80, .change: 80, .index: 60, .show: 60, .clear: 20])
            profile.some(
                [.cut: 60, .crash: 20, .powerLoss: 10, .pause: 20, .away: 10, .halfOpen: 10], &generator)
        case .restores:
            profile.always([.write: 150, .change: 150, .report: 250])
            profile.meetsOften()
            profile.always([.backup: 40, .restore: 40])
            profile.some(
                [.clone: 15, .empty: 15, .rescue: 15, .cut: 40, .crash: 20, .powerLoss: 20, .away: 10],
                &generator)
        case .deletions:
            profile.always([.write: 150, .change: 200, .clear: 60, .report: 100])
            profile.some([.away: 20, .cut: 60, .crash: 20, .partition: 20, .powerLoss: 10], &generator)
        case .indexing:
            profile.always([.index: 200, .show: 200, .clear: 20])
            profile.some([.cut: 80, .crash: 30, .powerLoss: 15, .failedGroup: 30], &generator)
            if generator.chance(50) { profile[.report] = 40 }
        case .snapshots:
            profile.always([.write: 250, .change: 150, .report: 250])
            profile.always([.join: 25, .empty: 25, .cut: 200])
            profile.meetsOften()
            profile.keys = 8
            profile.some([.fullInSnapshot: 300, .fullDisk: 15, .crash: 20, .slowReader: 20], &generator)
            profile.batchBytes = generator.pick([1, 200])
            if copying.chance(30) { profile.copies() }
        case .expiry:
            profile.always([.expire: 250, .day: 120, .report: 100])
            // Many clocks are wrong: what has expired must not depend on the clock of one device.
            profile.always([.clock: 60])
            profile.meetsOften()
            // Days pass for people and clocks, and not for timers: nodes send their claims when they meet anew.
            profile.connecting = 900
            profile.always([.cut: 200])
            profile.some(
                [
                    .crash: 20, .powerLoss: 20, .pause: 20, .away: 20, .backup: 20, .restore: 10,
                    .join: 5, .empty: 5, .rescue: 5,
                ], &generator)
        case .roster:
            profile.always([.write: 150, .change: 150, .clear: 20, .report: 150])
            profile.ask(&generator)
            profile.some(
                [
                    .cut: 60, .crash: 20, .powerLoss: 10, .partition: 30, .away: 20, .pause: 20, .join: 15,
                    .leave: 10, .destroy: 10, .restore: 10, .empty: 5, .rescue: 5, .clock: 10,
                    .failedGroup: 20,
                    .halfOpen: 10, .duplicate: 20, .fullInSnapshot: 100,
                ], &generator)
            if profile[.restore] > 0 { profile[.backup] = 30 }
        case .accounts:
            profile.always([.write: 200, .activity: 80, .change: 80, .index: 60, .clear: 20])
            (profile.nodes, profile.neighbours) = (min(profile.nodes, 4), generator.number(2...3))
            profile.always([.misdial: generator.pick([60, 200])])
            profile.some(
                [.cut: 60, .crash: 20, .powerLoss: 10, .pause: 20, .away: 10, .halfOpen: 10, .join: 10],
                &generator)
            if generator.chance(30) { profile[.report] = 150 }
        case .continuing:
            profile.always([.act: generator.pick([100, 300]), .goOn: 300, .hide: 15, .index: 40])
            profile.some(
                [
                    .cut: 80, .crash: 30, .powerLoss: 15, .pause: 20, .away: 20, .halfOpen: 20, .oneWay: 10,
                    .partition: 20, .duplicate: 20, .failedGroup: 30, .fullDisk: 10,
                ], &generator)
            if generator.chance(50) { profile[.report] = 150 }
            // A stream of its own, so that later additions left the rest as it was.
            var losing = SeededGenerator(seed: seed, for: "losing")
            profile.always([.forget: losing.pick([10, 40]), .deleteSaved: losing.pick([10, 40])])
            profile.some([.restore: 15, .clone: 10, .empty: 5, .rescue: 5], &losing)
            if profile[.restore] > 0 { profile[.backup] = 40 }
            // Losing settings has a stream of its own, too.
            var losingSettings = SeededGenerator(seed: seed, for: "losing settings")
            profile.some([.loseSettings: 15], &losingSettings)
        case .times:
            profile.always([.act: 300, .write: 100, .index: 40])
            profile.always([.strangeTime: generator.pick([20, 60]), .clock: 30])
            profile.some(
                [.cut: 60, .crash: 20, .pause: 20, .away: 10, .failedGroup: 20], &generator)
            if generator.chance(50) { profile[.report] = 150 }
        case .impostors:
            profile.always([.act: generator.pick([100, 300]), .goOn: 100, .index: 40])
            profile.always([.impersonate: generator.pick([30, 100])])
            profile.some(
                [
                    .cut: 60, .crash: 20, .powerLoss: 10, .pause: 20, .away: 10, .partition: 20,
                    .failedGroup: 30, .fullDisk: 10, .restore: 10,
                ], &generator)
            if profile[.restore] > 0 { profile[.backup] = 40 }
            if generator.chance(50) { profile[.report] = 150 }
        case .searching:
            profile.always([.index: 250, .search: 500, .open: 60, .act: generator.pick([0, 100, 200])])
            profile.some(
                [
                    .cut: 40, .crash: 20, .powerLoss: 10, .stop: 20, .failedGroup: 20, .rescue: 10,
                    .restore: 10,
                    .empty: 5,
                ], &generator)
            if generator.chance(50) { profile.always([.clear: 20]) }
            if generator.chance(50) { profile.always([.deleteSaved: 30, .forget: 20]) }
            if profile[.act] == 0 { profile.always([.deleteSaved: 0, .forget: 0]) }
            if profile[.restore] > 0 { profile[.backup] = 40 }
            if generator.chance(50) { profile[.report] = 150 }
        case .twins:
            profile.always([.write: 200, .activity: 80, .change: 80, .index: 60, .clear: 20])
            profile.always([.cloneRunning: 30])
            profile.some([.cut: 60, .pause: 20, .away: 10, .halfOpen: 10, .partition: 20], &generator)
        }
        if profile.collects { profile.oldNodes = 0 }
        return profile
    }
}

extension Profile {
    /// Draws the properties that all worlds have.
    fileprivate static func drawn(_ generator: inout SeededGenerator) -> Profile {
        var profile = Profile()
        // Most worlds are small, because faults are found soonest in small ones.
        profile.nodes = generator.chance(70) ? generator.number(2...4) : generator.number(5...8)
        profile.shape = generator.pick(Shape.allCases)
        profile.steps = generator.number(15...100)
        profile.delay = generator.pick([1, 2, 20, 200])
        profile.pace = max(1, profile.delay * generator.pick([1, 2, 5, 20]) / 2)
        profile.batchBytes = generator.pick([1, 200, 1000, 10_000, 256 << 10])
        profile.burst = generator.pick([1, 1, 2, 4])
        profile.keys = generator.pick([2, 3, 3, 6])
        profile.connecting = generator.pick([50, 200, 500])
        return profile
    }

    /// Switches about half of everything on.
    fileprivate mutating func swarm(_ generator: inout SeededGenerator) {
        self[.write] = generator.pick([50, 150, 300])
        for operation in Operation.allCases
        where ![.write, .expire, .day].contains(operation) && !operation.isOfRoster && !operation.isOfApps
            && !operation.isOfEveryProfile && !operation.isDrawnByItself
            && generator.chance(50)
        {
            self[operation] = generator.pick([30, 80, 200])
        }
        // Tombstones are collected only where all meet often.
        if collects, generator.chance(50) {
            self[.report] = 250
            meetsOften()
        }
        if self[.bulk] > 0 { self[.bulk] = generator.chance(10) ? 20 : 0 }
        if self[.index] > 0 { self[.show] = 100 }
        for fault in Fault.allCases
        where ![.cloneRunning, .misdial, .strangeTime, .impersonate, .stop].contains(fault)
            && !fault.isOfRoster
            && !fault.isDrawnByItself && generator.chance(40)
        {
            self[fault] = fault.isRare ? generator.pick([5, 15, 40]) : generator.pick([10, 30, 80])
        }
        if self[.restore] > 0 { self[.backup] = 30 }
        if self[.fullInSnapshot] > 0 { self[.fullInSnapshot] = 200 }
        if !collects, generator.chance(30) { oldNodes = generator.number(1...2) }
    }

    /// Switches on some of the happenings that every profile may have.
    fileprivate mutating func addWhatIsEverywhere(_ generator: inout SeededGenerator) {
        for (operation, rate) in [Operation.stage: 400, .hold: 15, .tell: 40, .newer: 40] as KeyValuePairs
        where generator.chance(30) && self[operation] == 0 {
            self[operation] = rate
        }
        if generator.chance(30) { self[.stop] = 60 }
        plantsDifference = generator.chance(30)
        if generator.chance(30), !hasRoster {
            lasting = generator.pick(LastingFault.allCases)
            // Checkers use clocks to judge expiring items and activities.
            if lasting == .clock, self[.day] > 0 || hasApps { lasting = nil }
            // A device that was cut off for long from clocks that are far ahead writes earlier times than theirs.
            if hasApps, self[.strangeTime] + self[.clock] > 0 { lasting = nil }
        }
    }

    /// Has one device not recover in worlds with a roster, with strange times, or with twins.
    fileprivate mutating func endureMore(_ generator: inout SeededGenerator) {
        guard hasRoster || hasApps && self[.strangeTime] > 0 || self[.cloneRunning] > 0 else { return }
        lasting = generator.pick(LastingFault.allCases)
        // Checkers use clocks to judge activities and twins.
        if lasting == .clock, hasApps || self[.cloneRunning] > 0 { lasting = nil }
        // A twin that begins a life because of its disk does not learn of the other one by its life.
        if lasting == .full, self[.cloneRunning] > 0 { lasting = nil }
    }

    /// Has stores lost or put back, beside files that say what is withheld and who was revoked.
    fileprivate mutating func loseStores(of name: ProfileName) {
        switch name {
        case .roster: always([.revoke: 60])
        case .continuing: always([.hide: 40])
        default: return
        }
        always([.backup: 60, .restore: 30, .empty: 10])
    }

    /// Has clocks set back behind batches, unless checkers use clocks to judge what expires.
    fileprivate mutating func setClocksBack(_ generator: inout SeededGenerator) {
        guard self[.index] + self[.stage] > 0, self[.day] == 0, !hasApps else { return }
        self[.clockBehindBatch] = generator.pick([100, 400])
    }

    /// Sets up two devices and copies of their disks, which take snapshots over and over.
    ///
    /// Tombstones that one copy has reported are collected, and the other copy lacks them, so that snapshots begin
    /// anew.
    fileprivate mutating func copies() {
        (nodes, connecting) = (2, 900)
        for (operation, rate) in [Operation.write: 100, .change: 100] { self[operation] = rate }
        for (fault, rate) in [Fault.clone: 30, .fullInSnapshot: 900, .join: 0, .empty: 0, .cut: 0] {
            self[fault] = rate
        }
    }

    /// Switches on revocations, removals and strangers, with enough devices left.
    fileprivate mutating func ask(_ generator: inout SeededGenerator) {
        (nodes, connecting) = (generator.number(3...6), generator.pick([200, 500]))
        always([.revoke: generator.pick([20, 60]), .admit: 20])
        always([.giveUp: generator.pick([20, 60])])
        if generator.chance(50) { self[.forge] = 30 }
        some([.feud: 15, .intrude: 15], &generator)
        oldNodes = 0
    }

    /// A few devices that are connected most of the time.
    fileprivate mutating func meetsOften() { (nodes, connecting) = (min(nodes, 4), 500) }

    fileprivate mutating func always(_ rates: KeyValuePairs<Operation, Int>) {
        for (operation, rate) in rates { self[operation] = rate }
    }

    fileprivate mutating func always(_ rates: KeyValuePairs<Fault, Int>) {
        for (fault, rate) in rates { self[fault] = rate }
    }

    /// Switches about half of them on.
    fileprivate mutating func some(
        _ rates: KeyValuePairs<Fault, Int>, _ generator: inout SeededGenerator
    ) {
        for (fault, rate) in rates where generator.chance(50) { self[fault] = rate }
    }
}

extension Fault {
    /// Whether a world can stand it only a few times.
    fileprivate var isRare: Bool {
        switch self {
        case .restore, .clone, .cloneRunning, .empty, .rescue, .loseSettings, .destroy, .join, .leave,
            .rubbish:
            true
        default: false
        }
    }
}
