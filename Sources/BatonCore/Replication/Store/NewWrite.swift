/// A write of this device that a transaction will store, reduced to the facts that decide whether it has an effect.
///
/// A write has no effect if its record already has a later stamp with a time that no wall clock shows. The write's own
/// stamp decides this, and not the clock at the commit. After it gave the stamp, the clock may have followed the time
/// of a peer.
package struct NewWrite: Equatable, Sendable {
    package let identity: RecordIdentity
    package let stamp: Stamp
    package let effect: Effect
    /// The scope in which the write puts its record; nil if the write does not name a scope.
    package let scope: Scope?

    /// The intended effect of a write.
    package enum Effect: Equatable, Sendable {
        /// Begins an incarnation or counters.
        case opening
        case deletion
        /// Changes these fields of an existing record.
        case update(Fields)
        /// Ends everything older in a scope.
        case clear(Clear)
    }

    /// Whether the write has no effect, or only a partial effect, because of its current record or a clear.
    ///
    /// If the record does not exist, a deletion has nothing to do, and an update has nothing to change. A deletion does
    /// not end counters that began later. A clear of the same scope that is out of reach already does what this clear
    /// would do. `isSurvived(by:begun:)` says what a clear may leave.
    package func isOutranked(by record: Record?, clearedAt cleared: Stamp?) -> Bool {
        // All devices write the same content to a record of a permanent kind.
        guard !identity.kind.isPermanent else { return false }
        let isCleared = cleared?.isOutOfReach(of: stamp) ?? false
        switch effect {
        case .opening: return isCleared || record?.incarnation.isOutOfReach(of: stamp) ?? false
        case .deletion:
            guard let record, record.isThere else { return false }
            return record.incarnation.isOutOfReach(of: stamp)
                || record.counters.values.contains { $0.begun.isOutOfReach(of: stamp) }
        case .update(let fields):
            guard let record, record.isThere else { return false }
            return isCleared || record.incarnation.isOutOfReach(of: stamp)
                || fields.contains { record.updates[$0.name]?.origin.stamp.isOutOfReach(of: stamp) ?? false }
        case .clear: return false
        }
    }

    /// Whether this write is a clear that does not end another write in `scope` that has the stamp `begun`.
    package func isSurvived(by scope: Scope, begun: Stamp) -> Bool {
        guard case .clear(let clear) = effect, !clear.scope.isEmpty else { return false }
        return scope.isWithin(clear.scope) && begun.isOutOfReach(of: stamp)
    }
}

extension Stamp {
    /// Whether this stamp is later than the stamp `own`, and also has a time that no wall clock shows.
    ///
    /// If both stamps have plausible times, the later stamp rightly wins.
    fileprivate func isOutOfReach(of own: Stamp) -> Bool { time.isUnbelieved && self > own }
}

extension NewWrite {
    /// Creates the reduced form of a complete write.
    package init(_ write: Write) {
        let scope: Scope?
        let effect: Effect
        switch write.action {
        case .full(let content):
            scope = content.scope
            effect = Record(write).clear.map(Effect.clear) ?? .opening
        case .count(_, let content): (scope, effect) = (content.scope, .opening)
        case .deletion: (scope, effect) = (nil, .deletion)
        case .partial(_, let fields): (scope, effect) = (nil, .update(fields))
        }
        self.init(identity: write.identity, stamp: write.stamp, effect: effect, scope: scope)
    }

    /// Creates the reduced form of a write whose content the store will decide.
    init(_ late: LateWrite) {
        let scope: Scope?
        let effect: Effect
        switch late.action {
        case .update(let name, let domain, let fields):
            // Without a domain, the item stays in its scope. The scope need not be checked, because a clear out of
            // reach would have ended the item already.
            scope = domain.map { .items(app: name.app, index: name.index, domain: $0) }
            effect = .update(fields)
        case .opening: (scope, effect) = (nil, .opening)
        case .activityOpening(_, let place, _, _): (scope, effect) = (place, .opening)
        }
        self.init(identity: late.action.key.identity, stamp: late.stamp, effect: effect, scope: scope)
    }

    /// Creates the reduced form of the client state at the end of a batch.
    init(_ state: EndingState) {
        let scope = Scope.items(app: state.name.app, index: state.name.index)
        self.init(identity: state.name.key.identity, stamp: state.stamp, effect: .opening, scope: scope)
    }
}

extension StoreTransaction {
    /// Whether this device's journal gave the writes their stamps; false if the writes came from a peer or a file.
    package var isNamedHere: Bool { isOwn && !completing.isEmpty }

    /// The writes that this device makes with the transaction.
    ///
    /// The drafts of a staged batch are not included (`StagedBatch.newWrite(_:at:)`).
    ///
    /// Adopted writes are not included, because they are not changes by this device.
    package var newWrites: [NewWrite] {
        guard isNamedHere else { return [] }
        return writes.filter { !$0.isAdopted }.map { NewWrite($0) } + late.map { NewWrite($0) }
            + states.map { NewWrite($0) }
    }
}

extension StagedBatch {
    /// Returns the write that the draft at this place will become; nil if it becomes none.
    package func newWrite(_ draft: Journal.Draft, at place: Int) -> NewWrite? {
        let (dot, stamp) = name(at: place)
        if case .late(let action) = draft.subject {
            return NewWrite(LateWrite(action, dot: dot, stamp: stamp))
        }
        return draft.write(dot, at: stamp).map { NewWrite($0) }
    }
}
