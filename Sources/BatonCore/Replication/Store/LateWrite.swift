/// A write of this device that is named and not yet made: its content depends on what the store has in the transaction
/// that keeps it.
package struct LateWrite: Equatable, Sendable {
    package let dot: Dot
    package let stamp: Stamp
    package let action: LateAction

    package init(_ action: LateAction, dot: Dot, stamp: Stamp) {
        (self.action, self.dot, self.stamp) = (action, dot, stamp)
    }

    /// Returns the write, from records as they stand; nil if there is nothing to do.
    package func write(
        _ record: (RecordIdentity) throws(StoreFailure) -> Record?
    ) throws(StoreFailure) -> Write? {
        if case .activityOpening(let name, let scope, let device, let time) = action {
            let counted = try record(action.key.identity)
            let draft = Engagement.draft(opening: name.key, in: scope, by: device, at: time, after: counted)
            return draft.isWithinLimits ? draft.write(dot, at: stamp) : nil
        }
        // A later write, kept before this one could be made, stays as its writer wants it.
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

/// An app's change to an item, of which only the store can make a write.
package enum LateAction: Equatable, Sendable {
    /// Changes some attributes, and moves the item to another domain, if one is named.
    ///
    /// Fields that take an attribute away hold null.
    case update(ItemName, domain: String?, Fields)
    /// Counts that the item was opened on this device, at that time.
    case opening(ItemName, DeviceIdentifier, WallTime)
    /// Counts that a saved activity, which lies in the other lane in this scope, was opened on this device.
    case activityOpening(SavedActivityName, Scope, DeviceIdentifier, WallTime)

    /// The key of the record that is written.
    package var key: RecordKey {
        switch self {
        case .update(let name, _, _): name.key
        case .opening(let name, _, _): EngagementName(counting: name.key).key
        case .activityOpening(let name, _, _, _): EngagementName(counting: name.key).key
        }
    }

    /// The item, without which nothing is done; nil if none is needed.
    package var item: ItemName? {
        switch self {
        case .update(let name, _, _), .opening(let name, _, _): name
        case .activityOpening: nil
        }
    }

    /// Whether peers would take the write that is most probably made of it.
    var isWithinLimits: Bool {
        guard case .update(let name, let domain, let fields) = self else { return true }
        let scope = Scope.items(app: name.app, index: name.index, domain: domain)
        return Write.Action.full(Write.Content(scope: scope, fields: fields)).isWithinLimits()
    }

    /// Returns a write of those fields alone, or of the whole item if it moves.
    fileprivate func update(
        _ content: Write.Content, of incarnation: Stamp, _ name: ItemName, to domain: String?,
        _ fields: Fields
    ) -> Write.Action {
        do throws(CBORError) {
            let update = try Item.Update(domain: domain, fields)
            return update.action(on: try Item(name, content), name, of: incarnation)
        } catch {
            // An item in a form of a newer version: it stays where it is.
            return .partial(of: incarnation, fields)
        }
    }
}

extension Item.Update {
    /// Decodes the update from these fields; those that take an attribute away hold null.
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
    /// The time of the clock that the stamp was made by, or a later one.
    fileprivate var wallTime: WallTime { WallTime(milliseconds: Int64(time.value >> 16)) }
}
