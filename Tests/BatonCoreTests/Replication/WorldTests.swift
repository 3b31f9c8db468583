import Support
import Testing

@Suite struct `Nodes that exchange what they have` {
    @Test(arguments: Seeds.first(200))
    func `agree in the end, know it, and fall silent, whatever went wrong before`(_ seed: UInt64) {
        let violations = World(seed: seed).run()
        #expect(violations.isEmpty, "replay with BATON_SEED=\(seed): \(violations.prefix(3))")
    }

    /// Another process has other orders of sets and dictionaries, on which nothing may depend.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `do the same again for the same seed, also in another process`(_ seed: UInt64) async {
        let world = World(seed: seed)
        _ = world.run()
        let fingerprint = world.fingerprint
        await #expect(processExitsWith: .success) { [seed, fingerprint = fingerprint as UInt64] in
            let again = World(seed: seed)
            _ = again.run()
            precondition(again.fingerprint == fingerprint, "another run of one seed went another way")
        }
    }
}
