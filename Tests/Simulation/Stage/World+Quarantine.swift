import BatonCore
import Support

/// A phase of a world's life in which a device can't read what others write.
extension World {
    private var stream: String { Phase.quarantining.rawValue }

    /// Has a device quarantine writes to some items, merges a batch of an app over these items, there or elsewhere, and
    /// then ends the quarantine.
    ///
    /// All must agree then.
    func mergeOverUnreadable() {
        let reader = streams[stream].pick(honest)
        let authors = honest.filter { $0.identity.device != reader.identity.device }
        guard !authors.isEmpty else { return }
        let author = streams[stream].pick(authors)
        let names = (0..<streams[stream].number(1...4)).map {
            ItemName(app: "org.unreadable", index: "i", identifier: "\($0)")
        }
        let first = names.filter { _ in streams[stream].chance(60) }
        author.write(.index, first.map { draft(of: $0, by: author) })
        guard play() else { return violate(.convergence, "the nodes never fall silent") }
        tell("\(reader.name) can't read what \(author.name) writes to some items")
        reader.quarantinesWrites = true
        unreadableRecords = Set(names.map(\.key.identity))
        reader.unreadable = UnreadableWrites(
            lives: [author.journal.life], records: unreadableRecords)
        for _ in 0..<streams[stream].number(1...3) { change(names, at: author) }
        guard play() else { return violate(.convergence, "the nodes never fall silent") }
        marks[.quarantined] += reader.quarantined.count
        restartInQuarantine(reader)
        mergeBatch(over: names, at: streams[stream].chance(70) ? reader : streams[stream].pick(honest))
        // A write behind a quarantined one is not claimed, either.
        change(names, at: author)
        author.write(in: .index, burst: 1) { _ in }
        guard play() else { return violate(.convergence, "the nodes never fall silent") }
        judgeReleased(by: reader)
        if violation == nil { endQuarantine(of: names, at: reader) }
    }

    /// Checks that a device released each quarantined write that was overwritten, also by a batch that it merged in steps.
    private func judgeReleased(by reader: SimulatedNode) {
        for write in reader.quarantined {
            guard let target = write.target, let record = reader.contents.record(target.identity),
                record.incarnation > target.incarnation
            else { continue }
            violate(
                .unknownIsKept, about: Violation.Subject(dots: [write.dot], at: reader),
                "\(reader.name) still quarantines \(write.dot.told(in: self)), which was overwritten")
        }
    }

    /// Ends the process of a device that quarantines writes, in half of these worlds.
    private func restartInQuarantine(_ reader: SimulatedNode) {
        guard streams[stream].chance(50) else { return }
        if streams[stream].chance(50) { reader.crash() } else { reader.stopInOrder() }
        play()
        reader.start()
        connectAll()
    }

    /// Has an app write the items once more, in a batch that its node stages.
    private func mergeBatch(over names: [ItemName], at node: SimulatedNode) {
        let pieces = names.filter { _ in streams[stream].chance(70) }.map { [draft(of: $0, by: node)] }
        node.stageWhole(pieces, for: ClientStateName(app: "org.unreadable", index: "i"))
    }

    /// Lets the device read everything, and overwrites each item, so that nothing is left of what it could not read.
    private func endQuarantine(of names: [ItemName], at reader: SimulatedNode) {
        tell("\(reader.name) can read everything again, and quarantined items are written anew")
        reader.unreadable = nil
        let writer = streams[stream].pick(honest)
        let quarantined = Set(reader.quarantined.compactMap(\.identity))
        let left = names.filter { quarantined.contains($0.key.identity) }
        writer.write(.index, left.map { draft(of: $0, by: writer) })
        // A device that began anew has closed its connections.
        connectAll()
        guard play() else { return violate(.convergence, "the nodes never fall silent") }
        // Only the next sessions tell what may be claimed since.
        cutAll()
        reader.quarantinesWrites = false
        unreadableRecords = []
        comeToRest()
        if violation == nil { judgeReleased(by: reader) }
    }

    /// Changes some of the items: in full, in part, or by a deletion.
    private func change(_ names: [ItemName], at node: SimulatedNode) {
        let name = streams[stream].pick(names)
        guard streams[stream].chance(50), let record = node.contents.record(name.key.identity), record.isThere
        else { return node.write(.index, [draft(of: name, by: node)]) }
        let fields = item(at: node).content(name).fields
        node.write(.index, [Journal.Draft(.partial(of: record.incarnation, fields), name.key)])
    }

    /// Returns a draft that writes an item in full, or deletes it.
    private func draft(of name: ItemName, by node: SimulatedNode) -> Journal.Draft {
        streams[stream].chance(25)
            ? Journal.Draft(.deletion, name.key)
            : Journal.Draft(.full(item(at: node).content(name)), name.key)
    }

    private func item(at node: SimulatedNode) -> Item {
        var item = Item(domain: nil, indexed: node.wallTime)
        item.attributes[.title] = .plain(.string("unreadable \(streams[stream].number(0...999))"))
        return item
    }
}
