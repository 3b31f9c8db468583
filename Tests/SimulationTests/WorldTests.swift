import BatonCore
import Simulation
import Support
import Testing

@Suite struct `Nodes that exchange what they have` {
    @Test(arguments: Seeds.first(100))
    func `keep all promises, whatever went wrong`(_ seed: UInt64) { judge(seed, .swarm) }

    @Test(arguments: ProfileName.allCases.filter { $0 != .swarm }, Seeds.first(20))
    func `keep all promises, each where it is hard`(_ profile: ProfileName, _ seed: UInt64) {
        judge(seed, profile)
    }

    @Test(arguments: Seeds.first(8))
    func `keep all promises on the product's store`(_ seed: UInt64) { judge(seed, .swarm, on: .sqlite) }

    @Test(arguments: ProfileName.allCases.filter { $0 != .swarm }, Seeds.first(1))
    func `keep all promises on the product's store, each where it is hard`(
        _ profile: ProfileName, _ seed: UInt64
    ) { judge(seed, profile, on: .sqlite) }

    /// Each of these failed once, and the fault is mended.
    @Test(
        arguments: [
            // Clones of one device took each other's writes for lost ones of their own, between two batches of one stream.
            (880_944, .swarm),
            // A record that was overwritten meanwhile was taken for a difference between two devices.
            (3_000_619, .swarm),
            // Two snapshots of one lane at once: one took for nobody's what the other had brought.
            (909_535, .swarm),
            // Each needed a snapshot of the other, of another lane, and they never came past that.
            (709_190, .swarm),
            // A snapshot took for nobody's what a stream had brought, and was to claim.
            (1_107_574, .swarm),
            // A clear that all had let go was forgotten by all who did.
            (1_101_281, .swarm),
            // A lost life was adopted, and what it follows with it, which some then did not know.
            (6_100_902, .swarm),
            // A snapshot removed a client state that went on to be shown.
            (1381, .swarm),
            // A member of whom no record was left was entered as all met again, which was taken for what had not
            // changed.
            (226_921_089, .swarm),
            // A restored device claimed the update that had ended what the others swept, and never had it.
            (32_629, .expiry),
            // One that was emptied took one that was rescued, and claims nothing, for one that was met.
            (47_967, .expiry),
            // Twins gave two writes of one key one stamp, and a clear ended one of them.
            (437, .twins),
            // What a session had asked that had ended by then was done after its peer was revoked.
            (37, .roster),
            // A disk lost what was said of a device that was back, and nobody said it again.
            (11, .roster),
            // What was said of a device that was back had an earlier stamp than what it answered.
            (707, .roster),
            // A device that knew of no other let go of what all others lacked.
            (377, .roster),
            // A disk refused to forget what a revoked device had reported.
            (655, .roster),
            // A report that spoke of what was lost hid the later one.
            (20, .roster),
            // A device was refused with one of its chains and had another.
            (373, .swarm),
            // Each needed a snapshot of the other, and who was to give its one first was in the middle of another; later
            // a range took an update, which it brought, with what it changed.
            (143_189_825, .swarm),
            // A device told of an activity ahead of its disk, which then refused what was named before it: nobody was
            // met anew, and who had heard of the activity took it for known there.
            (241_804_466, .swarm), (455, .continuing),
            // Others were told that an activity is not to be seen any more, and the process ended before that was kept:
            // it came back as an end.
            (199, .continuing), (341, .continuing),
            // Two took an activity over; its own device kept the first end last, and told of the second until it started
            // anew.
            (1048, .continuing),
            // A snapshot brought that an activity had ended before who took it over, and the first went on to its own
            // device.
            (5479, .continuing),
            // What a device had finished in a life that it lost came back, and was the last end of what others took
            // over.
            (5486, .continuing),
        ] as [(UInt64, ProfileName)])
    func `keep all promises where they once did not`(_ seed: UInt64, _ profile: ProfileName) {
        judge(seed, profile, isAsItWas: true)
    }

    /// Each of these failed once as it is drawn, and the fault is mended.
    @Test(
        arguments: [
            // What a removed device had lost arrived at a device whose claims it did not change, and which therefore
            // never looked for it.
            (64_775_559, .roster),
            // A note that a device keeps for itself was refused by its disk, and the simulator went on as if a change
            // had been: it left the sessions waiting for good.
            (247_220_394, .times),
            // A witness went on with a life although others had been told of a later one.
            (91_000_892, .times),
            // Two lives that began within one millisecond were ordered by chance.
            (94_001_727, .swarm),
            // A trace was let go under the name that an adopter had given it.
            (96_000_378, .swarm),
            // A power loss, or a peer that was set back, brought back what had gone.
            (91_000_661, .continuing), (91_000_077, .continuing),
        ] as [(UInt64, ProfileName)])
    func `keep all promises as drawn where they once did not`(_ seed: UInt64, _ profile: ProfileName) {
        judge(seed, profile)
    }

    /// Each of these failed once on the product's store, and the fault is mended.
    @Test(
        arguments: [
            // The tables of a young database stood in a damaged journal alone, and nothing could be rescued.
            (4, .swarm),
            // A range took a client state that another device went on to hold, while what was written anew kept all from
            // comparing.
            (67_467, .swarm),
            // What a peer sent behind a write of which it was told was kept, and that write was not: nobody sent it
            // again.
            (50_198_326, .swarm),
        ] as [(UInt64, ProfileName)])
    func `keep all promises where they once did not on the product's store`(
        _ seed: UInt64, _ profile: ProfileName
    ) { judge(seed, profile, on: .sqlite, isAsItWas: true) }

    /// Plays a world, perhaps one in which only that happens which once happened in all.
    private func judge(
        _ seed: UInt64, _ profile: ProfileName, on store: StoreName = .memory, isAsItWas: Bool = false
    ) {
        let drawn = isAsItWas ? profile.plainProfile(for: seed) : profile.profile(for: seed)
        let violation = World(seed: seed, profile: drawn, on: store).run()
        #expect(
            violation == nil,
            "\(String(describing: violation)); make simulate SEED=\(seed) PROFILE=\(profile) STORE=\(store)")
    }
}

/// Whatever nodes ask of the product's store, it answers as the store in memory does, byte for byte and in every order.
@Suite struct `A world on both stores` {
    @Test(arguments: ProfileName.allCases, Seeds.first(1))
    func `tells one story`(_ profile: ProfileName, _ seed: UInt64) { compare(seed, profile) }

    /// Each of these told two once.
    @Test(
        arguments: [
            // One store remembered that a device had reported nothing, until it was opened again.
            (15, .swarm), (266, .snapshots),
            // Traces were let go in two orders.
            (383, .snapshots),
            // After a rescue the clock was another.
            (60240, .swarm),
        ] as [(UInt64, ProfileName)])
    func `tells one story where it once told two`(_ seed: UInt64, _ profile: ProfileName) {
        compare(seed, profile)
    }

    private func compare(_ seed: UInt64, _ profile: ProfileName) {
        let difference = StoreComparison(seed: seed, profile).run()
        #expect(
            difference == nil,
            "\(difference ?? ""); make simulate SEEDS=\(seed)-\(seed) PROFILE=\(profile) STORE=both")
    }

    /// A comparison that finds nothing may be a bad one.
    @Test func `tells two where one of the stores forgets something`() {
        let differing = (1...5).count { (seed: UInt64) in
            StoreComparison(seed: seed, .everyday).run { store, transaction in
                guard store == .sqlite, transaction.isOwn, transaction.writes.count > 1 else { return }
                transaction.writes.removeLast()
            } != nil
        }
        #expect(differing > 0)
    }
}

@Suite struct `One seed` {
    /// Another process has other orders of sets and dictionaries, on which nothing may depend.
    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `makes the same world again, also in another process and when it is told`(_ seed: UInt64) async {
        let world = World(seed: seed)
        _ = world.run()
        await #expect(processExitsWith: .success) { [seed, hash = world.traceHash as UInt64] in
            let again = World(seed: seed, isTold: true)
            _ = again.run()
            precondition(again.traceHash == hash, "another run of one seed went another way")
        }
    }

    @Test func `makes another world than the next`() {
        let hashes = (1...20).map { seed in
            let world = World(seed: UInt64(seed))
            _ = world.run()
            return world.traceHash
        }
        #expect(Set(hashes).count == hashes.count)
    }

    /// What is switched off must not change what the rest draws, or nothing could be left out of a failure.
    @Test func `draws what one concern does apart from all others`() {
        for seed in 1...30 as ClosedRange<UInt64> {
            var profile = ProfileName.everyday.profile(for: seed)
            let all = World(seed: seed, profile: profile, isTold: true)
            _ = all.run()
            profile[.pause] = 0
            profile[.cut] = 0
            let less = World(seed: seed, profile: profile, isTold: true)
            _ = less.run()
            #expect(crashes(all) == crashes(less))
        }
    }

    private func crashes(_ world: World) -> [Substring] {
        world.lines.filter { $0.contains("crashes with") }.compactMap { $0.split(separator: " ").first }
    }
}
