import BatonCore
import Support

/// An app that indexes a source of numbered items, a batch at a time, on whichever device it runs.
extension SimulatedNode {
    /// Continues from the state that is shown here, as a job does that knows nothing else.
    func index(_ job: ClientStateName) {
        guard isUp else { return }
        var position = show(job).map(Self.position) ?? 0
        let draw = { (range: ClosedRange<Int>) in self.world.streams["index"].number(range) }
        let items = indexDrafts(of: job, from: &position, draw)
        let update = draw(0...99) < 30 && position > 0 ? updateDraft(of: job, before: position, draw) : nil
        let isHeard = draw(0...99) < 80
        // The growth by an update is counted in another way.
        let condition = update == nil ? quota(of: job.app, for: items) : nil
        let drafts = items + [update].compactMap(\.self) + [state(position, of: job)]
        write(.index, drafts, condition: condition, isBatch: true) { [self] writes in
            if !isHeard { world.marks[.batchesUnheard] += 1 }
            considerClock(behind: writes)
        }
    }

    /// Returns the next changes that a job makes, from a position of its source on.
    func indexDrafts(
        of job: ClientStateName, from position: inout Int, _ draw: (ClosedRange<Int>) -> Int
    ) -> [Journal.Draft] {
        var drafts: [Journal.Draft] = []
        if draw(0...99) < 5 {
            drafts.append(clear(.items(app: job.app, index: job.index)))
            position = 0
        } else if draw(0...99) < 10 {
            drafts.append(clear(.items(app: job.app, index: job.index, domain: "d\(draw(0...2))")))
        }
        if position > 0, draw(0...99) < 30 {
            drafts.append(Journal.Draft(.deletion, Self.item(draw(0...position - 1), of: job).key))
        }
        for _ in 0..<draw(1...4) {
            let name = Self.item(position, of: job)
            var attributes = AttributeSet()
            attributes[.title] = .plain(.string("item \(position)"))
            if let words = world.words() { attributes[.keywords] = .plain(.array(words.map { .string($0) })) }
            var item = Item(domain: "d\(position % 3)", indexed: wallTime, attributes: attributes)
            if world.searchesMuch { describe(&item) }
            drafts.append(Journal.Draft(.full(item.content(name)), name.key))
            position += 1
        }
        return drafts
    }

    /// Gives an item more that searches and queries look at.
    private func describe(_ item: inout Item) {
        let stream = "describe"
        if world.streams[stream].chance(60) {
            item.attributes[.pageCount] = .plain(.integer(Int64(world.streams[stream].number(1...3))))
        }
        if world.streams[stream].chance(40), let words = world.words() {
            item.attributes[.textContent] = .plain(.string(words.joined(separator: " ")))
        }
        if world.streams[stream].chance(20) {
            let steps = world.streams[stream].number(1...40)
            item.expiration = wallTime.advanced(by: .milliseconds(world.profile.pace * steps))
        }
        if world.streams[stream].chance(10) {
            item.attributes[.rankingHint] = .plain(.integer(Int64(world.streams[stream].number(0...100))))
        }
    }

    /// Returns a change of an item, which removes an attribute and may move the item; the store makes a write of it.
    private func updateDraft(
        of job: ClientStateName, before position: Int, _ draw: (ClosedRange<Int>) -> Int
    ) -> Journal.Draft {
        var update = Item.Update()
        update.domain = draw(0...1) == 0 ? "d\(draw(0...2))" : nil
        update.indexed = wallTime
        update.removed = [.number(Attribute.keywords.number)]
        let name = Self.item(draw(0...position - 1), of: job)
        return Journal.Draft(late: .update(name, domain: update.domain, update.fields))
    }

    /// Returns the state that an app is shown here.
    func show(_ job: ClientStateName) -> ClientState? {
        guard isUp else { return nil }
        let found = ask { (store) throws(StoreFailure) in try store.shownState(of: job) }
        guard let shown = found else { return nil }
        world.marks[.statesShown] += 1
        world.noteShown(shown, at: self)
        return shown.state
    }

    /// Returns the item at a position of the source; there are few names, so that they meet.
    ///
    /// Names of one index share a prefix longer than a batch leaves out of a name after the one before it.
    private static func item(_ position: Int, of job: ClientStateName) -> ItemName {
        let beginning = job.index == "b" ? String(repeating: "folder/", count: 30) : ""
        return ItemName(app: job.app, index: job.index, identifier: "\(beginning)\(position % 6)")
    }

    private func clear(_ scope: Scope) -> Journal.Draft {
        Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: .index))
    }

    /// Returns a state that says how far the job is; what it covers is known when it is stored.
    func state(_ position: Int, of job: ClientStateName) -> Journal.Draft {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: position >> (24 - 8 * $0)) }
        do throws(ClientState.TooLong) {
            return try Journal.Draft(ending: bytes, of: job, changed: wallTime)
        } catch {
            preconditionFailure("four bytes are not too long: \(error)")
        }
    }

    static func position(_ state: ClientState) -> Int { state.state.reduce(0) { $0 << 8 | Int($1) } }
}
