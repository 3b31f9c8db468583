import Support
import Testing

@Suite struct `The store in memory` {
    @Test(arguments: StoreConformance.checks, Seeds.first(3))
    func `fulfils the store contract`(_ check: StoreCheck, seed: UInt64) throws {
        let disk = InMemoryStore()
        let home = StoreHome {
            // Unended batches are lost with the process.
            disk.state.index.staged = [:]
            return disk
        }
        try check.run(home, seed)
    }
}
