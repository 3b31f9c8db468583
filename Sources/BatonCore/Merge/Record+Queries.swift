extension Record {
    /// The key of the record, unless only a deletion of it is known.
    package var key: RecordKey? { name.map { RecordKey(kind: identity.kind, name: $0) } }

    /// Whether the record is there: written in full and not deleted, or counted.
    package var isThere: Bool {
        if case .full = opening { return true }
        return !counters.isEmpty
    }

    /// The fields as they are now; nothing if the record is deleted or its beginning is not known here.
    package var fields: Fields? {
        guard isThere else { return nil }
        var fields = Fields()
        for (name, value, _) in visible { fields[name] = value }
        return fields
    }

    /// When the record expires; every kind has it in the same field, so that it needs not be understood.
    package var expiration: WallTime? {
        guard isThere, let value = visible.first(where: { $0.name == .expiration })?.value else { return nil }
        do throws(CBORError) {
            return try CBORReader.whole(value[...]) { (reader) throws(CBORError) in
                WallTime(milliseconds: try reader.integer())
            }
        } catch {
            // What is no date never comes.
            return nil
        }
    }

    /// What is seen of each field, with the stamp that it has, in the order of names.
    var visible: [(name: FieldName, value: [UInt8], stamp: Stamp)] {
        var fields: [FieldName: (value: [UInt8], stamp: Stamp)] = [:]
        if case .full(_, let content) = opening {
            for entry in content.fields.entries { fields[entry.name] = (entry.value, incarnation) }
            for (name, update) in updates where update.origin.stamp >= incarnation {
                fields[name] = (update.value, update.origin.stamp)
            }
        }
        for (name, counter) in lastCounters { fields[name] = (counter.value, counter.origin.stamp) }
        return fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value.value, $0.value.stamp) }
    }

    /// Of each counter the last one, wherever it belongs.
    private var lastCounters: [FieldName: Counter] {
        var last: [FieldName: (counter: Counter, scope: Scope)] = [:]
        for (name, counter) in counters {
            if let (standing, scope) = last[name.field] {
                let isLater =
                    standing == counter
                    ? scope.encoded.lexicographicallyPrecedes(name.scope.encoded)
                    : Self.precedes(standing, counter)
                guard isLater else { continue }
            }
            last[name.field] = (counter, name.scope)
        }
        return last.mapValues(\.counter)
    }

    /// The writes that made this record and are not overwritten, in the order of their dots.
    ///
    /// A write of single fields comes back with those that still stand. Merged into nothing, these writes make
    /// this record again.
    package var survivingWrites: [Write] {
        var writes: [Write] = []
        switch opening {
        case .awaited: break
        case .full(let dot, let content):
            writes.append(Write(dot: dot, key: namedKey, stamp: incarnation, action: .full(content)))
        case .deletion(let dot):
            writes.append(Write(deleting: identity, dot: dot, stamp: incarnation))
        }
        var partials: [WriteName: Fields] = [:]
        for (name, update) in updates { partials[update.origin, default: Fields()][name] = update.value }
        for (origin, fields) in partials {
            let action = Write.Action.partial(of: incarnation, fields)
            writes.append(Write(dot: origin.dot, key: namedKey, stamp: origin.stamp, action: action))
        }
        for (group, fields) in groupedCounters {
            let action = Write.Action.count(
                begun: group.begun, Write.Content(scope: group.scope, fields: fields))
            writes.append(
                Write(dot: group.origin.dot, key: namedKey, stamp: group.origin.stamp, action: action))
        }
        return writes.sorted { $0.precedes($1) }
    }

    /// What counters of one write have in common.
    private struct CounterGroup: Hashable {
        let origin: WriteName, begun: Stamp, scope: Scope
    }

    private var groupedCounters: [CounterGroup: Fields] {
        var groups: [CounterGroup: Fields] = [:]
        for (name, counter) in counters {
            let group = CounterGroup(origin: counter.origin, begun: counter.begun, scope: name.scope)
            groups[group, default: Fields()][name.field] = counter.value
        }
        return groups
    }

    /// The key, where something of the record is left that has a name.
    private var namedKey: RecordKey {
        guard let key else { preconditionFailure("only a deleted record has no name") }
        return key
    }
}

extension Write {
    /// The order in which a record tells its writes, the same everywhere even where a device is faulty.
    fileprivate func precedes(_ other: Write) -> Bool {
        if dot != other.dot { return dot < other.dot }
        if stamp != other.stamp { return stamp < other.stamp }
        if rank != other.rank { return rank < other.rank }
        guard case .count(let begun, let content) = action,
            case .count(let beginning, let others) = other.action
        else { return false }
        return begun == beginning
            ? content.scope.encoded.lexicographicallyPrecedes(others.scope.encoded) : begun < beginning
    }

    private var rank: Int {
        switch action {
        case .deletion: 0
        case .full: 1
        case .partial: 2
        case .count: 3
        }
    }
}
