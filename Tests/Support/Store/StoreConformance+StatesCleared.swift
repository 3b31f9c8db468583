import BatonCore

extension StoreConformance {
    private typealias Device = IndexingDevice

    /// The effects of delete-alls and snapshots on the shown client state.
    static let statesCleared: [StoreCheck] = [
        StoreCheck("a delete-all before the client state, in its batch or an earlier one, keeps the state") {
            home, _ in
            let (author, other) = (Device(1), Device(2, try home.open()))
            try author.write([Device.clear(Device.scope), Device.item(1)], state: 1)
            try author.require(shows: 1, "where it was written")
            try author.send(to: other)
            try other.require(shows: 1, "after a delete-all in its batch")
            try author.write([Device.clear(.app("a"))])
            try author.send(to: other)
            try other.require(shows: nil, "after a delete-all of the app")
            try other.write([Device.item(2)], state: 2)
            try other.require(shows: 2, "who saw the delete-all")
            try other.send(to: author)
            try author.require(shows: 2, "who made the delete-all")
        },
        StoreCheck("a delete-all after the client state removes it") { home, _ in
            let (author, clearer, other) = (Device(1), Device(2), Device(3, try home.open()))
            try author.write([Device.item(1)], state: 1)
            for device in [clearer, other] { try author.send(to: device) }
            let clear = try clearer.write([Device.clear(Device.scope)])
            try require(clear.shown, is: [Device.name], "who is told")
            try clearer.send(to: other, bytes: 1, parts: 1)
            try other.require(shows: nil, "after the delete-all")
            try other.reopen(home)
            try other.require(shows: nil, "when opened again")
        },
        concurrent(Device.scope, isClearFirst: true),
        concurrent(Device.scope, isClearFirst: false),
        concurrent(.app("a"), isClearFirst: true),
        concurrent(.app("a"), isClearFirst: false),
        StoreCheck("a delete-all that was collected meanwhile keeps the client states that contain it") {
            home, _ in
            let (author, other) = (Device(1), Device(2, try home.open()))
            try author.write([Device.clear(Device.scope), Device.item(1)], state: 1)
            try author.send(to: other)
            try other.collect([author])
            try require(try other.store.records(of: .indexClear).isEmpty, "the clear is gone")
            try other.require(shows: 1, "without the clear")
            try other.write([Device.item(2)], state: 2)
            try other.require(shows: 2, "what is written afterwards")
        },
        StoreCheck("a delete-all is not collected while a client state does not contain it") { home, _ in
            let (author, clearer, other) = (Device(1), Device(2), Device(3, try home.open()))
            try clearer.write([Device.clear(Device.scope)])
            try author.write([])
            try author.write([Device.item(1)], state: 1)
            for device in [author, clearer] { try device.send(to: other) }
            for device in [author, clearer] { try other.send(to: device) }
            try other.collect([author, clearer])
            try require(try other.store.records(of: .indexClear).count, is: 1, "the clear stays")
            try other.require(shows: nil, "with the clear")
            try other.write([Device.item(2)], state: 2)
            for device in [author, clearer] { try other.send(to: device) }
            try other.collect([author, clearer])
            try require(try other.store.records(of: .indexClear).isEmpty, "the clear goes")
            try other.require(shows: 2, "what contains it")
        },
        StoreCheck("no client state is shown during a snapshot, and the new one at its end") {
            home, _ in
            let (author, other) = (Device(1), Device(2, try home.open()))
            try author.write([Device.item(1), Device.item(2)], state: 1)
            try author.send(to: other)
            try author.write([Device.deletion(1), Device.item(3)], state: 2)
            try author.collect([])
            var ranges = 0
            repeat {
                try author.sendSnapshot(to: other, parts: 1)
                ranges += 1
                let isWhole = try other.store.summary().dropped.isWithin(other.store.summary().complete)
                try other.require(shows: isWhole ? 2 : nil, "after \(ranges) ranges")
                try other.reopen(home)
            } while try !other.store.summary().dropped.isWithin(other.store.summary().complete)
            try require(ranges > 2, "there were \(ranges) ranges")
        },
        StoreCheck("a snapshot removes a client state that its sender knows to be gone") { home, _ in
            let (author, other) = (Device(1), Device(2, try home.open()))
            try author.write([Device.item(1)], state: 1)
            try author.send(to: other)
            try author.write([Device.clear(Device.scope)])
            try author.collect([])
            try require(
                try author.store.record(Device.name.key.identity), is: nil, "the writes of the sender")
            try author.sendSnapshot(to: other)
            try require(try other.newest(), is: nil, "the record")
            try other.require(shows: nil, "after the snapshot")
        },
        StoreCheck("a snapshot removes no delete-all that a client state here does not contain") { home, _ in
            let (author, clearer, stale) = (Device(1), Device(2), Device(3))
            let other = Device(4, try home.open())
            try clearer.write([Device.clear(Device.scope)])
            try stale.write([])
            try stale.write([Device.item(1)], state: 1)
            for device in [clearer, stale] {
                try device.send(to: author)
                try device.send(to: other)
            }
            try author.write([Device.item(2)], state: 2)
            try author.collect([])
            try require(try author.store.records(of: .indexClear).isEmpty, "the sender let it go")
            try author.sendSnapshot(to: other, parts: 1)
            try require(try other.newest()?.state, is: [1], "the newest")
            try other.require(shows: nil, "in the middle of it")
            try author.sendSnapshot(to: other)
            try other.require(shows: 2, "at its end")
            try other.collect([])
            try require(try other.store.records(of: .indexClear).isEmpty, "what contains it lets it go")
        },
        StoreCheck("a client state from before a collected delete-all is not shown after a snapshot") {
            home, _ in
            let (author, other) = (Device(1), Device(2, try home.open()))
            try author.write([Device.item(1)], state: 1)
            try author.send(to: other)
            try author.write([Device.clear(Device.scope), Device.item(2)], state: 2)
            try author.collect([])
            try author.sendSnapshot(to: other, parts: 1)
            // The last of these writes is newer than the claims at the snapshot's end.
            try author.write([Device.item(3)], state: 3)
            try author.sendSnapshot(to: other)
            try require(try other.newest()?.state, is: [3], "the newest")
            try other.require(shows: nil, "before the newest is covered")
            try author.send(to: other)
            try other.require(shows: 3, "once it is")
        },
        StoreCheck("a failed group changes neither the shown client state nor the waiting ones") { home, _ in
            let (author, other) = (Device(1), Device(2, try home.open()))
            try author.write([Device.item(1)], state: 1)
            try author.send(to: other)
            try other.lose([Device.item(2)], state: 2)
            try other.require(shows: 1, "after a lost state")
            try other.lose([Device.clear(Device.scope)], state: nil)
            try other.require(shows: 1, "after a lost delete-all")
            try author.write([Device.item(3)], state: 3)
            try author.write([Device.item(3, says: 2)])
            try author.send(to: other, bytes: 1, parts: 1)
            try other.lose([Journal.Draft(.deletion, Device.name.key)], state: nil)
            try other.reopen(home)
            try author.send(to: other)
            try other.require(shows: 3, "once what waited is covered")
        },
        StoreCheck("a state covers what is claimed after its batch, and the batch itself") { home, _ in
            let (author, other) = (Device(1), Device(2, try home.open()))
            try author.write([Device.item(1)])
            try author.send(to: other)
            try author.write([Device.item(2)])
            try author.write([Device.item(3)])
            try author.send(to: other, bytes: 1, parts: 1)
            let batch = try other.transaction([Device.item(4)], state: 1)
            let commit = try other.commit(batch)
            let covers = try other.newest()?.covers
            try require(covers, is: try other.store.summary().complete, "the covered writes")
            try require(covers?[author.written[0].dot.origin], is: 1, "what is covered of the other")
            try require(commit.additions.map(\.dot), is: batch.states.map(\.dot), "the write")
            try require(commit.shown, is: [Device.name], "who is told")
            try require(try other.commit(batch).additions.isEmpty, "a batch that is known is passed over")
            try require(try other.newest()?.covers, is: covers, "the covered writes then")
        },
        StoreCheck("a state of a store that claims as much as it may is whole, and not shown") { home, _ in
            let other = Device(1, try home.open())
            let origins = (1...UInt64(Limits.laneOrigins)).map {
                (Origin(life: Life(high: 77, low: $0), lane: .index), VersionVector.largestSequence)
            }
            try other.commit(
                StoreTransaction(lane: .index, writes: [], completing: VersionVector(origins)))
            let commit = try other.write([Device.item(1)], state: 1)
            let covers = try other.newest()?.covers
            try require(covers?.count, is: Limits.laneOrigins + 1, "the covered writes")
            try require(covers?.covers(commit.additions[0].dot), is: true, "it covers itself")
            try require(commit.additions[0].action.contentBytes <= Limits.writeBytes, "it can be written")
            try other.require(shows: nil, "where nothing further is claimed")
        },
    ]

    /// Returns a check with a delete-all and a state with a larger stamp, neither of whose writers had seen the
    /// other's.
    private static func concurrent(_ scope: Scope, isClearFirst: Bool) -> StoreCheck {
        let order = isClearFirst ? "before" : "after"
        return StoreCheck(
            "a delete-all of \(scope.parts) that a state's writer had not seen, and that came \(order) it, bars it"
        ) { home, _ in
            let (author, clearer, other) = (Device(1), Device(2), Device(3, try home.open()))
            try clearer.write([Device.clear(scope)])
            try author.write([])
            try author.write([Device.item(1)], state: 1)
            try (isClearFirst ? clearer : author).send(to: other)
            try other.require(shows: isClearFirst ? nil : 1, "with one of them")
            try (isClearFirst ? author : clearer).send(to: other)
            try require(try other.newest()?.state, is: [1], "the record")
            try other.require(shows: nil, "with both")
            try other.reopen(home)
            try other.write([Device.item(2)], state: 2)
            try other.require(shows: 2, "what contains the delete-all")
        }
    }
}
