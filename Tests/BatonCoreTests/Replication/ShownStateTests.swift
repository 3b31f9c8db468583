import BatonCore
import Support
import Testing

@Suite struct `The rule of client states` {
    private let name = ClientStateName(app: "a", index: "i")
    private let origin = Origin(life: Life(high: 1, low: 1), lane: .index)
    private let another = Origin(life: Life(high: 1, low: 2), lane: .index)

    private func covers(_ sequences: UInt64...) -> VersionVector {
        VersionVector(zip([origin, another], sequences))
    }

    /// Returns a state that covers a vector; its own dot has the sequence of its time.
    private func write(_ state: UInt8, at time: UInt64, covers: VersionVector) throws -> Write {
        let state = try ClientState([state], covers: covers, changed: WallTime(milliseconds: 0))
        return .told(name.key, at: time, .full(state.content(name)))
    }

    private func verdict(
        _ writes: [Write], complete: VersionVector, dropped: VersionVector = VersionVector(),
        shown: ShownState? = nil, clears: [Dot] = []
    ) -> StateRule.Verdict {
        StateRule(complete: complete, dropped: dropped, lineage: Lineage())
            .verdict(on: Record(merging: writes), shown: shown, clears: clears)
    }

    @Test func `a state is shown as its full write says, whatever partial writes follow`() throws {
        let full = try write(1, at: 3, covers: covers(3))
        var fields = Fields()
        fields.set(1) { $0.data([9]) }
        let update = Write.told(name.key, at: 4, .partial(of: .told(3), fields))
        let shown = verdict([full, update], complete: covers(4)).shown
        #expect(shown?.state.state == [1])
        #expect(shown?.dot == full.dot && shown?.stamp == full.stamp && shown?.name == name)
    }

    @Test func `a partial write to an unknown state leaves the shown state unchanged`() throws {
        let first = try write(1, at: 3, covers: covers(3))
        let shown = verdict([first], complete: covers(3)).shown
        let waiting = Write.told(name.key, at: 9, .partial(of: .told(8), .told([30: 1])))
        #expect(verdict([first, waiting], complete: covers(9), shown: shown).shown == shown)
    }

    @Test func `after a snapshot has removed the newest state, the remaining state is shown`() throws {
        let (first, second) = (
            try write(1, at: 3, covers: covers(3)), try write(2, at: 5, covers: covers(5))
        )
        let shown = verdict([first, second], complete: covers(5)).shown
        #expect(shown?.state.state == [2])
        #expect(verdict([first], complete: covers(5), shown: shown).shown?.state.state == [1])
        let behind = try write(1, at: 3, covers: covers(3, 1))
        let missing = verdict([behind], complete: covers(5), shown: shown)
        #expect(missing == StateRule.Verdict(missing: Dot(origin: another, sequence: 1)))
    }

    @Test func `a verdict names one missing transaction at a time`() throws {
        let newest = try write(1, at: 3, covers: covers(3, 7))
        #expect(verdict([newest], complete: covers()).missing == Dot(origin: origin, sequence: 3))
        #expect(verdict([newest], complete: covers(5, 6)).missing == Dot(origin: another, sequence: 7))
        let shown = verdict([newest], complete: covers(3, 7))
        #expect(shown.missing == nil && shown.shown?.state.state == [1])
    }

    @Test func `a dropped and unclaimed origin hides even a state that was shown`() throws {
        let newest = try write(1, at: 3, covers: covers(3))
        let shown = verdict([newest], complete: covers(3)).shown
        let hidden = verdict([newest], complete: covers(3), dropped: covers(0, 2), shown: shown)
        #expect(hidden == StateRule.Verdict(missing: Dot(origin: another, sequence: 2)))
    }

    @Test func `a state is shown only if it covers each clear and its own dot, and can be read`() throws {
        let clear = Dot(origin: another, sequence: 2)
        let shown = try #require(
            verdict([write(1, at: 3, covers: covers(3, 2))], complete: covers(3, 2)).shown)
        let later = try write(2, at: 5, covers: covers(5, 1))
        #expect(verdict([later], complete: covers(5, 2), shown: shown, clears: [clear]).shown == shown)
        #expect(verdict([later], complete: covers(5, 2), shown: shown).shown?.state.state == [2])
        let itself = try write(3, at: 6, covers: covers(5, 2))
        #expect(verdict([itself], complete: covers(6, 2), shown: shown).shown == shown)
        let unreadable = Write.told(name.key, at: 7, .full(in: .none, [1: 1]))
        #expect(verdict([unreadable], complete: covers(7, 2), shown: shown).shown == shown)
        let strange = RecordKey.told(1, kind: .clientState)
        let state = try ClientState([1], covers: covers(7), changed: WallTime(milliseconds: 0))
        let unnamed = Write.told(strange, at: 7, .full(state.content(name)))
        #expect(verdict([unnamed], complete: covers(7, 2)).shown == nil)
    }

    @Test func `a deletion or an empty record ends the shown state`() throws {
        let first = try write(1, at: 3, covers: covers(3))
        let shown = try #require(verdict([first], complete: covers(3)).shown)
        let deletion = Write.told(name.key, at: 4, .deletion)
        #expect(verdict([first, deletion], complete: covers(4), shown: shown) == StateRule.Verdict())
        let rule = StateRule(complete: covers(4), dropped: VersionVector(), lineage: Lineage())
        let nothing = Record(name.key.identity)
        #expect(rule.verdict(on: nothing, shown: shown, clears: []) == StateRule.Verdict())
    }

    @Test func `the clears of an index are those of its own scope and of enclosing scopes`() {
        let scopes: [Scope] = [.app("a"), Scope(["a", "items"]), .items(app: "a", index: "i")]
        #expect(name.clears == scopes.map { $0.clearKey(in: .index).identity })
    }

    @Test func `a clear that a state does not cover is kept, even if the state is unreadable`() throws {
        let clear = name.clears[2]
        let dots = { (identity: RecordIdentity) in
            identity == clear ? Dot(origin: another, sequence: 2) : nil
        }
        let unseen = { (write: Write) in Record(write).unseenClears(Lineage(), dots) }
        #expect(try unseen(write(1, at: 3, covers: covers(3, 1))) == [clear])
        #expect(try unseen(write(1, at: 3, covers: covers(3, 2))) == [])
        #expect(unseen(.told(name.key, at: 3, .full(in: .none, [1: 1]))) == [clear])
        #expect(unseen(.told(name.key, at: 3, .deletion)) == [])
    }

    @Test func `a client state in a batch gets a dot and a stamp like a write, and covers what is complete`()
        throws
    {
        var journal = Journal(life: Life(high: 1, low: 1), latest: .zero)
        let item = ItemName(app: "a", index: "i", identifier: "x").key
        let (now, changed) = (WallTime(milliseconds: 7), WallTime(milliseconds: 6))
        let drafts = [
            Journal.Draft(.deletion, item), try Journal.Draft(ending: [1], of: name, changed: changed),
            Journal.Draft(.deletion, item),
        ]
        let named = journal.transaction(.index, drafts, now: now)
        let batch = try #require(named)
        #expect(batch.writes.map(\.dot.place) == [0, 2])
        let ending = try #require(batch.states.first)
        #expect(ending.dot == Dot(origin: origin, sequence: 1, place: 1))
        #expect(ending.stamp > batch.writes[0].stamp && ending.stamp < batch.writes[1].stamp)
        let activities = Origin(life: another.life, lane: .activities)
        let complete = VersionVector([(another, 4 as UInt64), (activities, 5 as UInt64)])
        let write = ending.write(after: complete, completing: batch.completing, Lineage())
        #expect(write.dot == ending.dot && write.stamp == ending.stamp)
        guard case .full(let content) = write.action else { throw CBORError(.outOfRange, at: 0) }
        let expected = try ClientState([1], covers: covers(1, 4), changed: changed)
        #expect(content == expected.content(name))
    }

    @Test func `a state that peers would refuse is refused before it gets a dot`() throws {
        #expect(throws: ClientState.TooLong(count: 251)) {
            try Journal.Draft(
                ending: [UInt8](repeating: 0, count: 251), of: name, changed: .init(milliseconds: 0))
        }
        var journal = Journal(life: Life(high: 1, low: 1), latest: .zero)
        let long = ClientStateName(app: String(repeating: "a", count: Scope.bytesMost), index: "i")
        let draft = try Journal.Draft(ending: [1], of: long, changed: WallTime(milliseconds: 0))
        #expect(journal.transaction(.index, [draft], now: WallTime(milliseconds: 0)) == nil)
    }
}
