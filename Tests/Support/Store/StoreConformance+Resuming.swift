import BatonCore

extension StoreConformance {
    static let resuming: [StoreCheck] = [
        StoreCheck("an order of arrival stays until another begins") { home, _ in
            let orders = (UInt64(1)...2).map { ArrivalOrder(high: $0, low: $0) }
            for order in orders {
                let store = try home.open()
                try store.begin(order)
                try require(try store.summary().order, is: order, "the order that was begun")
                try require(try home.open().summary().order, is: order, "the order after opening")
            }
        },
        StoreCheck("the last resume position of each peer and lane is stored with the writes that it sent") {
            home, seed in
            let peers = (UInt64(1)...2).map { DeviceIdentifier(high: $0, low: $0) }
            let history = History(seed: seed, lane: .index, length: 6)
            do {
                let store = try home.open()
                for (number, transaction) in history.transactions.enumerated() {
                    try tell(store, peers[number % 2], number, transaction)
                }
                try tell(store, peers[0], 77)
            }
            let store = try home.open()
            try require(
                try store.summary(for: peers[0]).resume, is: [.activities: token(77), .index: token(4)], "one"
            )
            try require(try store.summary(for: peers[1]).resume, is: [.index: token(5)], "the other")
            try require(
                try store.summary(for: DeviceIdentifier(high: 3, low: 3)).resume, is: [:], "a stranger")
            try require(try store.summary().resume, is: [:], "nobody")
        },
        StoreCheck("the resume position of a peer is rolled back with a group that fails") { home, seed in
            let (store, peer) = (try home.open(), DeviceIdentifier(high: 1, low: 1))
            let history = History(seed: seed, lane: .index, length: 2)
            try tell(store, peer, 1, history.transactions[0])
            do {
                try store.group { () throws(StoreFailure) in
                    try tell(store, peer, 2, history.transactions[1])
                    throw StoreFailure(.full, "no room")
                }
            } catch let failure as StoreFailure where failure.code == .full {}
            try require(try store.summary(for: peer).resume, is: [.index: token(1)], "the resume position")
        },
    ]

    private static func token(_ number: Int) -> ResumeToken { ResumeToken(bytes: [UInt8(number)]) }

    /// Stores what a peer sent, or only its news of the activities.
    private static func tell(
        _ store: any AccountStore, _ peer: DeviceIdentifier, _ number: Int, _ sent: StoreTransaction? = nil
    ) throws(StoreFailure) {
        var transaction =
            sent ?? StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
        transaction.resume = StoreTransaction.Resume(peer: peer, token: token(number))
        _ = try store.commit(transaction)
    }
}
