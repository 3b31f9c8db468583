/// A write of this device that is named and not yet made: its content depends on what the store has in the transaction
/// that stores it.
package struct LateWrite: Equatable, Sendable {
    package let dot: Dot
    package let stamp: Stamp
    package let action: LateAction

    package init(_ action: LateAction, dot: Dot, stamp: Stamp) {
        (self.action, self.dot, self.stamp) = (action, dot, stamp)
    }

    /// Returns the write, made from the present records; nil if there is nothing to do.
    package func write(
        _ record: (RecordIdentity) throws(StoreFailure) -> Record?
    ) throws(StoreFailure) -> Write? {
        if case .activityOpening(let name, let scope, let device, let time) = action {
            let counted = try record(action.key.identity)
            let draft = Engagement.draft(opening: name.key, in: scope, by: device, at: time, after: counted)
            return draft.isWithinLimits ? draft.write(dot, at: stamp) : nil
        }
        // A later write that was stored before this write could be made wins, so nothing is done.
        guard let name = action.item, let item = try record(name.key.identity), let content = item.content,
            item.incarnation < stamp, item.expiration.map({ $0 > stamp.wallTime }) ?? true
        else { return nil }
        let draft: Journal.Draft
        switch action {
        case .update(let name, let domain, let fields):
            draft = Journal.Draft(
                action.update(content, of: item.incarnation, name, to: domain, fields), name.key)
        case .opening(let name, let device, let time):
            draft = Engagement.draft(
                opening: name.key, in: content.scope, by: device, at: time,
                after: try record(action.key.identity))
        case .activityOpening: return nil
        }
        return draft.isWithinLimits ? draft.write(dot, at: stamp) : nil
    }
}

/// An app's change that only the store can turn into a write, because it depends on the present records.
package enum LateAction: Equatable, Sendable {
    /// Changes some attributes of an item, and moves the item if a domain is given.
    ///
    /// A field that removes an attribute holds null.
    case update(ItemName, domain: String?, Fields)
    /// Counts an opening of an item on this device, and notes its time.
    case opening(ItemName, DeviceIdentifier, WallTime)
    /// Counts an opening of a saved activity on this device, and notes its time; the scope is that of the activity,
    /// which is in the other lane.
    case activityOpening(SavedActivityName, Scope, DeviceIdentifier, WallTime)

    /// The key of the record that is written.
    package var key: RecordKey {
        switch self {
        case .update(let name, _, _): name.key
        case .opening(let name, _, _): EngagementName(counting: name.key).key
        case .activityOpening(let name, _, _, _): EngagementName(counting: name.key).key
        }
    }

    /// The item that must exist for the change to have an effect; nil if none need exist.
    package var item: ItemName? {
        switch self {
        case .update(let name, _, _), .opening(let name, _, _): name
        case .activityOpening: nil
        }
    }

    /// Whether peers would accept the write that this most probably becomes.
    var isWithinLimits: Bool {
        guard case .update(let name, let domain, let fields) = self else { return true }
        let scope = Scope.items(app: name.app, index: name.index, domain: domain)
        return Write.Action.full(Write.Content(scope: scope, fields: fields)).isWithinLimits()
    }

    /// Returns an action with these fields alone, or with the whole item if it moves.
    fileprivate func update(
        _ content: Write.Content, of incarnation: Stamp, _ name: ItemName, to domain: String?,
        _ fields: Fields
    ) -> Write.Action {
        do throws(CBORError) {
            let update = try Item.Update(domain: domain, fields)
            return update.action(on: try Item(name, content), name, of: incarnation)
        } catch {
            // The item was written by a newer version: change its fields, and do not move it.
            return .partial(of: incarnation, fields)
        }
    }
}

extension Item.Update {
    /// Decodes the update from its fields; a field that removes an attribute holds null.
    package init(domain: String?, _ fields: Fields) throws(CBORError) {
        self.init()
        self.domain = domain
        _ = try fields.read { (name, reader) throws(CBORError) in
            if reader.nextIsNull {
                try reader.null()
                removed.insert(name)
                return
            }
            switch name {
            case .number(Item.Number.expiration): expiration = try WallTime(from: &reader)
            case .number(Item.Number.indexed): indexed = try WallTime(from: &reader)
            default: try attributes.append(name, &reader)
            }
        }
    }
}

extension Stamp {
    /// The wall-clock time in the stamp; its author's clock may have been behind it.
    fileprivate var wallTime: WallTime { WallTime(milliseconds: Int64(time.value >> 16)) }
}
