import BatonCore

extension StoreConformance {
    private typealias Device = IndexingDevice

    /// The rule of shown client states: none covers something that is not there.
    static let states: [StoreCheck] = [
        StoreCheck(
            "a state is not shown before an item that was indexed before it and written again after it"
        ) {
            home, _ in
            let (author, other) = (Device(1), Device(2, try home.open()))
            try author.write([Device.item(1)], state: 1)
            try author.write([Device.item(1, says: 2)])
            try author.send(to: other, bytes: 1, parts: 1)
            try require(try other.newest() != nil, "the state came first")
            try other.require(shows: nil, "without the item")
            try author.send(to: other)
            try other.require(shows: 1, "with the item")
        },
        StoreCheck("a job that was continued on a second device shows its state with the items of both") {
            home, _ in
            let (first, second) = (Device(1), Device(2))
            let third = Device(3, try home.open())
            try first.write([Device.item(1)], state: 1)
            try first.send(to: second)
            try second.require(shows: 1, "where the job goes on")
            try second.write([Device.item(2)], state: 2)
            try second.write([Device.item(1, says: 2)])
            try second.send(to: third, bytes: 1, parts: 2)
            try require(try third.newest()?.state, is: [2], "what came of the second device")
            try third.require(shows: nil, "between the two origins")
            try first.send(to: third)
            try third.require(shows: nil, "with the items of the first")
            try second.send(to: third)
            try third.require(shows: 2, "with all items")
        },
        StoreCheck("a state that comes through a device that has only a part is not shown") { home, _ in
            let (author, between) = (Device(1), Device(2))
            let other = Device(3, try home.open())
            try author.write([Device.item(1)], state: 1)
            try author.write([Device.item(1, says: 2)])
            try author.send(to: between, bytes: 1, parts: 1)
            try between.send(to: other)
            try require(try other.newest() != nil, "the state came through")
            try other.require(shows: nil, "through a device that has only the state")
            try author.send(to: between)
            try between.send(to: other)
            try other.require(shows: 1, "through a device that has all")
        },
        StoreCheck("a newer state that is not covered yet does not hide the older one") { home, _ in
            let author = Device(1)
            let other = Device(2, try home.open())
            try author.write([Device.item(1)], state: 1)
            try author.send(to: other)
            try author.write([Device.item(2)], state: 2)
            try author.write([Device.item(2, says: 2)])
            try author.send(to: other, bytes: 1, parts: 1)
            try require(try other.newest()?.state, is: [2], "the newest")
            try other.require(shows: 1, "before the newest is covered")
            try other.reopen(home)
            try other.require(shows: 1, "after opening")
            try author.send(to: other)
            try other.require(shows: 2, "once it is covered")
        },
        StoreCheck("the later client state of two indexing devices is shown, and no earlier one after it") {
            home, _ in
            let (one, two, other) = (Device(1), Device(2), Device(3, try home.open()))
            try one.write([Device.item(1)], state: 1)
            try two.write([])
            try two.write([Device.item(2)], state: 2)
            try one.send(to: other)
            try other.require(shows: 1, "with one")
            try two.send(to: other)
            try other.require(shows: 2, "with both")
            try one.send(to: two)
            try two.require(shows: 2, "where the later was written")
            try two.send(to: one)
            try one.require(shows: 2, "where the earlier was written")
            let late = Device(4, nil)
            try two.send(to: late)
            try one.send(to: other)
            try other.require(shows: 2, "when the earlier comes once more")
        },
        StoreCheck("a clear of a domain removes no client state") { home, _ in
            let (author, clearer, other) = (Device(1), Device(2), Device(3, try home.open()))
            try author.write([Device.item(1, domain: "notes")], state: 1)
            for device in [clearer, other] { try author.send(to: device) }
            try clearer.write([Device.clear(.items(app: "a", index: "i", domain: "notes"))])
            try clearer.write([Device.clear(.items(app: "a", index: "j"))])
            try clearer.write([Device.clear(.activities(app: "a"))])
            try clearer.send(to: other)
            try require(try other.store.record(Device.key(1).identity)?.isThere, is: false, "the item")
            try other.require(shows: 1, "after the clear")
        },
        StoreCheck("a deletion removes the client state, and a later one is shown") {
            home, _ in
            let (author, other) = (Device(1), Device(2, try home.open()))
            try author.write([Device.item(1)], state: 1)
            try author.send(to: other)
            try author.write([Journal.Draft(.deletion, Device.name.key)])
            try author.send(to: other)
            try other.require(shows: nil, "after the deletion")
            try author.write([], state: 2)
            try author.send(to: other)
            try other.require(shows: 2, "afterwards")
        },
        StoreCheck("a client state that covers none of its own writes is never shown") { home, _ in
            let (author, other) = (Device(1), Device(2, try home.open()))
            try author.write([Device.item(1)], state: 1)
            try author.send(to: other)
            // As if a device with other records had named a newer state once more.
            let life = Life(high: 99, low: 99)
            let covers = try other.store.summary().complete
            let state = try ClientState([2], covers: covers, changed: WallTime(milliseconds: 0))
            let again = Write(
                dot: Dot(origin: Origin(life: life, lane: .index), sequence: 1), key: Device.name.key,
                stamp: Stamp(time: HybridTime(value: 1 << 60), life: life),
                action: .full(state.content(Device.name)))
            try other.commit(
                StoreTransaction(
                    lane: .index, writes: [again],
                    completing: VersionVector([(again.dot.origin, 1 as UInt64)])))
            try require(try other.newest()?.state, is: [2], "the newest")
            try other.require(shows: 1, "beside the one that has another dot")
        },
        StoreCheck("a rescued store that claims nothing shows nothing until it is whole") { home, _ in
            let (author, rescued) = (Device(1), Device(2, try home.open()))
            try author.write([Device.item(1)], state: 1)
            try author.write([Device.item(2)], state: 2)
            try rescued.commit(
                StoreTransaction(lane: .index, writes: author.written, completing: VersionVector()))
            try rescued.require(shows: nil, "without claims")
            try rescued.reopen(home)
            try rescued.require(shows: nil, "without claims, when opened again")
            try author.send(to: rescued, bytes: 1, parts: 1)
            try rescued.require(shows: nil, "before it is whole")
            try author.send(to: rescued)
            try rescued.require(shows: 2, "when it is whole")
        },
    ]
}
