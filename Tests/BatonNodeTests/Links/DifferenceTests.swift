import BatonCore
import BatonNode
import BatonStore
import Support
import Testing

/// Two nodes that claim the same writes, one of which has other contents.
@Suite struct `Nodes with different contents` {
    /// Changes the contents of a write in a home, under its old dot.
    private func damage(_ home: Home, _ account: AccountIdentifier) throws {
        let store = try SQLiteStore(folder: home.account(), account: account)
        let record = try #require(try store.records(of: .item).first)
        let write = try #require(record.survivingWrites.first { $0.isFull })
        guard case .full(let content) = write.action, let name = write.name else { return }
        var fields = content.fields
        fields.set(999) { $0.text("from nowhere") }
        var transaction = StoreTransaction(
            lane: .index,
            writes: [
                Write(
                    dot: write.dot, identity: write.identity, name: name, stamp: write.stamp,
                    action: .full(Write.Content(scope: content.scope, fields: fields)))
            ], completing: VersionVector())
        transaction.isRepair = true
        #expect(try store.commit(transaction).changed.count == 1)
    }

    @Test
    func
        `two nodes with different contents for one dot repair and report the difference when they connect`()
        throws
    {
        let folder = try TemporaryFolder()
        let quick: (inout Limits) -> Void = { $0.redialTime = .milliseconds(10)...(.milliseconds(100)) }
        var near = try RunningNode.first(folder, "near", quick)
        try near.admit("far")
        var far = try RunningNode(folder, "far", quick)
        let areInStep = { (nodes: [RunningNode]) in
            try nodes.allSatisfy { try $0.peers().allSatisfy { $0.isInStep && !$0.addresses.isEmpty } }
        }
        try eventually("two nodes in step") { try areInStep([near, far]) }
        var app = try ActedApp(near)
        let index = ClientStateName(app: "org.example", index: "notes")
        var attributes = AttributeSet()
        attributes[.title] = .plain(.string("told"))
        let change = IndexChange.item("1", Item(domain: "d", attributes: attributes))
        try #require(try app.ask(ChangeIndex(index, [change])).isSuccess)
        try eventually("the item on both") {
            try far.ask(SearchItems("told", most: 1)).get().items.count == 1 && areInStep([near, far])
        }
        #expect(try near.status().troubles.isEmpty && far.status().troubles.isEmpty)
        let (account, addresses) = (
            try near.status().account, [near.port, far.port].map { "127.0.0.1:\($0)" }
        )
        near.stop()
        far.stop()
        try damage(far.home, account)

        near = try RunningNode(folder, "near", at: addresses[0], quick)
        far = try RunningNode(folder, "far", at: addresses[1], quick)
        for node in [near, far] {
            try eventually("a repaired difference: \(node.lines)") {
                try node.status().troubles.contains {
                    $0.contains("and this device had different data, which was repaired")
                }
            }
            #expect(node.lines.contains { $0.contains("fault: ") && $0.contains("repairing") })
        }
        near.stop()
        far.stop()
        let checks = try [near, far].map { node in
            try SQLiteStore(folder: node.home.account(), account: account).check(at: InMemoryStore.past)
        }
        #expect(checks[0] == checks[1] && checks[0] != nil)
    }
}
