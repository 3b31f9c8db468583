import BatonCore

/// The deletion of everything about devices that are no longer part of the account.
extension StoreConformance {
    static let forgetting: [StoreCheck] = [
        StoreCheck("the resume positions of forgotten devices are deleted, and those of others stay") {
            home, _ in
            do {
                let store = try home.open()
                for (number, peer) in peers.enumerated() {
                    for lane in Lane.allCases { try tell(store, peer, lane, token(number)) }
                }
                try require(try store.forget([]), is: false, "whether claims are given up for nobody")
                for (number, peer) in peers.enumerated() { try requireToken(of: peer, number, in: store) }
                _ = try store.forget([peers[0], peers[2]])
            }
            let store = try home.open()
            for peer in [peers[0], peers[2]] { try requireToken(of: peer, nil, in: store) }
            try requireToken(of: peers[1], 1, in: store)
        },
        StoreCheck(
            "reports of devices that are gone are deleted, and reports of unclaimed writes are not stored"
        ) {
            home, _ in
            let known = claim(3, 2)
            do {
                let store = try home.open()
                _ = try store.commit(StoreTransaction(lane: .index, writes: [], completing: known))
                var reports = Reports()
                for peer in peers { reports.join(peer, known) }
                reports.join(DeviceIdentifier(high: 4, low: 4), claim(3, 3))
                _ = try store.keep(reports)
                try require(try store.summary().reports.sorted.map(\.device), is: peers, "who reported")
                _ = try store.forget([peers[1]])
            }
            let left = try home.open().summary().reports.sorted
            try require(left.map(\.device), is: [peers[0], peers[2]], "whose reports are left")
            try require(left.map(\.vector), is: [known, known], "what they say")
        },
        StoreCheck("a snapshot that can't be completed removes all claims of its lane") { home, _ in
            let own = Write.told(.told(1), at: 2, by: 3, .full())
            let life = own.dot.origin.life
            do {
                let store = try home.open()
                for lane in Lane.allCases {
                    try tell(store, peers[1], lane, token(1))
                    _ = try store.commit(
                        StoreTransaction(
                            lane: lane, writes: lane == .index ? [own] : [],
                            completing: claim(of: life, in: lane, 2)))
                }
                _ = try store.report(of: peers[2], having: try store.summary().complete)
                try begin(store, snapshotOf: peers[0], dropping: claim(8, 5))
                try begin(store, snapshotOf: peers[1], dropping: claim(9, 6))
                try require(try store.range(.first), is: .notNow, "a snapshot in the middle of another")
                try require(
                    try store.abandonSnapshots(of: [peers[2]]), is: false, "whether one of nobody counts")
                try require(
                    try store.abandonSnapshots(of: [peers[0]]), is: true, "whether claims are given up")
                try requireNothingClaimed(store, own)
                try require(
                    try store.lane(.index).mark(of: life), is: nil, "how far the life has come in the lane")
                // Earlier writes are kept, and nothing is claimed that may be missing.
                let later = Write.told(.told(2), at: 3, by: 3, .full())
                let commit = try store.commit(
                    StoreTransaction(
                        lane: .index, writes: [later], completing: claim(of: life, in: .index, 3)))
                try require(commit.changed.map(\.identity), is: [later.identity], "what is kept after it")
                try require(
                    try store.summary().complete[later.dot.origin], is: 0, "what is claimed of that life")
            }
            let store = try home.open()
            try require(
                try store.summary().complete.restricted(to: .index), is: VersionVector(), "the claims")
            try require(try store.summary(for: peers[1]).snapshots, is: [:], "the other snapshot")
            try require(try store.strays(of: [], in: .index), is: [], "what is nobody's")
            // It takes everything anew, and claims it then.
            var whole = StoreTransaction(
                lane: .index, writes: [], completing: claim(of: life, in: .index, 3))
            whole.sender = whole.completing
            _ = try store.commit(whole)
            try require(try store.summary().complete[own.dot.origin], is: 3, "the claims in the end")
        },
        StoreCheck("forgetting a device deletes the claims that its snapshot holds back") {
            home, _ in
            let store = try home.open()
            try begin(store, snapshotOf: peers[0], dropping: claim(8, 5))
            try require(try store.forget([peers[2]]), is: false, "whether one of nobody counts")
            try require(try store.forget([peers[0]]), is: true, "whether claims are given up")
        },
        StoreCheck("the progress of a snapshot that brought nothing unknown is deleted, and nothing else") {
            home, _ in
            let tombstone = Write.told(.told(1), at: 3, .deletion)
            do {
                let store = try home.open()
                _ = try store.commit(
                    StoreTransaction(lane: .index, writes: [tombstone], completing: claim(1, 3)))
                try require(
                    try store.collect(CollectRequest(roster: [])), is: 1, "the count of collected writes")
                try begin(store, snapshotOf: peers[0], dropping: claim(1, 2))
                try require(try store.forget(Set(peers)), is: false, "whether claims are given up")
            }
            let store = try home.open()
            try require(try store.summary(for: peers[0]).snapshots, is: [:], "the snapshot")
            try require(try store.summary().dropped, is: claim(1, 3), "the collected writes")
            let request = ChangesRequest(
                lane: .index, after: .none, covered: VersionVector(), bytes: .max)
            try require(try store.changes(request), is: .snapshotNeeded, "the answer to a peer that lacks it")
        },
        StoreCheck("deleted reports are there again if their group fails") { home, _ in
            do {
                let store = try home.open()
                try tell(store, peers[1], .activities, token(1))
                try begin(store, snapshotOf: peers[0], dropping: claim(8, 5))
                do {
                    try store.group { () throws(StoreFailure) in
                        _ = try store.forget(Set(peers))
                        throw StoreFailure(.full, "no room")
                    }
                } catch let failure as StoreFailure where failure.code == .full {}
                try requireHeldBack(store, true)
            }
            let store = try home.open()
            try require(try store.summary(for: peers[0]).snapshots.count, is: 1, "the snapshots")
            try require(
                try store.summary(for: peers[1]).resume, is: [.activities: token(1)], "the resume position")
            try requireHeldBack(store, true)
        },
    ]

    private static let peers = (UInt64(1)...3).map { DeviceIdentifier(high: 4, low: $0) }

    /// The last record of the snapshots so far.
    private static let end = RecordKey.told(50).identity

    private static func token(_ number: Int) -> ResumeToken { ResumeToken(bytes: [UInt8(number)]) }

    private static func claim(_ life: UInt64, _ sequence: UInt64) -> VersionVector {
        claim(of: Life(high: 1, low: life), in: .index, sequence)
    }

    private static func claim(of life: Life, in lane: Lane, _ sequence: UInt64) -> VersionVector {
        VersionVector([(Origin(life: life, lane: lane), sequence)])
    }

    private static func tell(
        _ store: any AccountStore, _ peer: DeviceIdentifier, _ lane: Lane, _ token: ResumeToken
    ) throws(StoreFailure) {
        _ = try store.commit(
            StoreTransaction(
                lane: lane, writes: [], completing: VersionVector(),
                resume: StoreTransaction.Resume(peer: peer, token: token)))
    }

    private static func requireToken(
        of peer: DeviceIdentifier, _ number: Int?, in store: any AccountStore
    ) throws {
        let expected = number.map { number in
            Dictionary(uniqueKeysWithValues: Lane.allCases.map { ($0, token(number)) })
        }
        try require(
            try store.summary(for: peer).resume, is: expected ?? [:], "where \(peer) told to go on")
    }

    /// Takes the first range of a peer's snapshot, which says what the peer garbage-collected.
    private static func begin(
        _ store: any AccountStore, snapshotOf peer: DeviceIdentifier, dropping dropped: VersionVector
    ) throws(StoreFailure) {
        var transaction = StoreTransaction(
            lane: .index, writes: [], completing: VersionVector(),
            resume: StoreTransaction.Resume(peer: peer, token: token(7)))
        transaction.range = ReceivedRange(
            after: nil, through: end, isEndAhead: false, known: dropped, dropped: dropped, horizon: .zero,
            start: dropped)
        _ = try store.commit(transaction)
    }

    /// Checks that nothing of the index is claimed, and the activities are unchanged.
    private static func requireNothingClaimed(_ store: any AccountStore, _ own: Write) throws {
        let summary = try store.summary(for: peers[1])
        let left = claim(of: own.dot.origin.life, in: .activities, 2)
        try require(summary.complete, is: left, "the claims")
        try require(summary.dropped, is: VersionVector(), "the collected writes")
        try require(summary.snapshots, is: [:], "the snapshots")
        try require(summary.resume, is: [.activities: token(1)], "the resume position")
        try require(summary.settled[.index], is: Arrival.none, "the settled place")
        try require(
            summary.reports.sorted.map(\.vector), is: [left], "what was reported")
        let changes = try read(store, .index)
        try require(changes.writes, is: [own], "the writes sent to others")
        try require(changes.complete, is: VersionVector(), "what is told to be claimed")
    }

    /// Checks whether the store can give no snapshot, and no digest, because it is in the middle of a snapshot.
    private static func requireHeldBack(_ store: any AccountStore, _ isHeldBack: Bool) throws {
        try require(try store.range(.first) == .notNow, is: isHeldBack, "whether no snapshot is given")
        try require(
            try store.check(at: InMemoryStore.past) == nil, is: isHeldBack, "whether no state is told")
    }
}

extension RangeRequest {
    /// A request for the beginning of a snapshot of the index.
    fileprivate static let first = RangeRequest(lane: .index, after: nil, since: nil, covered: nil, bytes: 9)
}
