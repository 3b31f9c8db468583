extension Record {
    /// The key of the record; nil if only its deletion is known.
    package var key: RecordKey? { name.map { RecordKey(kind: identity.kind, name: $0) } }

    /// Whether the record exists: it was written in full and not deleted, or it has a counter.
    package var isThere: Bool {
        if case .full = opening { return true }
        return !counters.isEmpty
    }

    /// Whether anything is left of the writes to this record.
    package var isTraced: Bool { opening != .awaited || !updates.isEmpty || !counters.isEmpty }

    /// The current fields; nil if the record is deleted or its beginning is not known here.
    package var fields: Fields? {
        guard isThere else { return nil }
        let written = if case .full(_, let content) = opening { content.fields } else { Fields() }
        let changes = changes
        if changes.isEmpty { return written }
        let changed = Fields { fields in
            for (name, change) in changes.sorted(by: { $0.key < $1.key }) {
                fields.field(name) { $0.encoded(change.value) }
            }
        }
        return changed.completed(by: written)
    }

    /// The time when the record expires; every kind has it in the same field, so it is readable for unknown kinds too.
    package var expiration: WallTime? {
        do throws(CBORError) {
            return try fields?.time(0)
        } catch {
            // A value that is no date never comes.
            return nil
        }
    }

    /// Whether the record's expiration is not later than that time.
    package func isExpired(at time: WallTime) -> Bool { expiration.map { $0 <= time } ?? false }

    /// The visible fields that differ from the full write, each with its value and stamp.
    var changes: [FieldName: (value: [UInt8], stamp: Stamp)] {
        var changes: [FieldName: (value: [UInt8], stamp: Stamp)] = [:]
        if case .full = opening {
            for (name, update) in updates where update.origin.stamp >= incarnation {
                changes[name] = (update.value, update.origin.stamp)
            }
        }
        for (name, last) in lastCounters { changes[name] = (last.counter.value, last.counter.origin.stamp) }
        return changes
    }

    /// The last value of each counter, and its scope.
    var lastCounters: [FieldName: (counter: Counter, scope: Scope)] {
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
        return last
    }

    /// The writes that made this record and are not overwritten, in the order of their dots; each fits the limits of a
    /// write.
    ///
    /// A partial write contains only its fields that are still current. Merging these writes into an empty record makes
    /// this record again.
    package var survivingWrites: [Write] {
        var writes: [Write] = []
        switch opening {
        case .awaited: break
        case .full(let dot, let content):
            writes.append(write(WriteName(stamp: incarnation, dot: dot), .full(content)))
        case .deletion(let dot):
            writes.append(Write(deleting: identity, dot: dot, stamp: incarnation))
        }
        if !updates.isEmpty {
            var groups: [WriteName: FieldsWriter] = [:]
            for (name, update) in updates.sorted(by: { $0.key < $1.key }) {
                groups[update.origin, default: FieldsWriter()].field(name) { $0.encoded(update.value) }
            }
            for (origin, fields) in groups {
                for part in Fields(fields).parts {
                    writes.append(write(origin, .partial(of: incarnation, part)))
                }
            }
        }
        if !counters.isEmpty {
            for (group, fields) in groupedCounters {
                for part in Fields(fields).parts {
                    let content = Write.Content(scope: group.scope, fields: part)
                    writes.append(write(group.origin, .count(begun: group.begun, content)))
                }
            }
        }
        #if DEBUG
            if Faults.isPlanted(.oneDotARecord), let last = writes.map(\.dot).max() {
                return writes.map { $0.named(last) }.sorted { $0.precedes($1) }
            }
        #endif
        return writes.count < 2 ? writes : writes.sorted { $0.precedes($1) }
    }

    /// Returns a write to this record, which must have a name.
    private func write(_ origin: WriteName, _ action: Write.Action) -> Write {
        guard let name else { preconditionFailure("only a deleted record has no name") }
        return Write(dot: origin.dot, identity: identity, name: name, stamp: origin.stamp, action: action)
    }

    /// The properties that counters of one write share.
    private struct CounterGroup: Hashable {
        let origin: WriteName, begun: Stamp, scope: Scope
    }

    private var groupedCounters: [CounterGroup: FieldsWriter] {
        var groups: [CounterGroup: FieldsWriter] = [:]
        for (name, counter) in counters.sorted(by: { $0.key.field < $1.key.field }) {
            let group = CounterGroup(origin: counter.origin, begun: counter.begun, scope: name.scope)
            groups[group, default: FieldsWriter()].field(name.field) { $0.encoded(counter.value) }
        }
        return groups
    }
}

extension Write {
    /// The order of a record's surviving writes, the same everywhere even if a device is faulty.
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
