/// A write of this device that has a dot and a stamp, but no content yet.
///
/// The content depends on the records that the store has when it stores the write.
package struct LateWrite: Equatable, Sendable {
    package let dot: Dot
    package let stamp: Stamp
    package let action: LateAction

    package init(_ action: LateAction, dot: Dot, stamp: Stamp) {
        (self.action, self.dot, self.stamp) = (action, dot, stamp)
    }

    /// Returns the write, created from the current records; nil if there is nothing to write.
    package func write(
        _ record: (RecordIdentity) throws(StoreFailure) -> Record?
    ) throws(StoreFailure) -> Write? {
        if case .activityOpening(let name, let scope, let device, let time) = action {
            let counted = try record(action.key.identity)
            let draft = Engagement.draft(opening: name.key, in: scope, by: device, at: time, after: counted)
            return draft.isWithinLimits ? draft.write(dot, at: stamp) : nil
        }
        // If a later write of the item was stored before this one could be created, the later write wins, and nothing
        // is written.
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

/// An app's change that only the store can turn into a write, because it depends on the current records.
package enum LateAction: Equatable, Sendable {
    /// Changes some attributes of an item.
    ///
    /// If a domain is given, it also moves the item to that domain.
    ///
    /// To remove an attribute, its field is null.
    case update(ItemName, domain: String?, Fields)
    /// Counts an opening of an item on this device, and records the time.
    case opening(ItemName, DeviceIdentifier, WallTime)
    /// Counts an opening of a saved activity on this device, and records the time.
    ///
    /// The scope is given because the activity is in the other lane.
    case activityOpening(SavedActivityName, Scope, DeviceIdentifier, WallTime)

    /// The key of the record that is written.
    package var key: RecordKey {
        switch self {
        case .update(let name, _, _): name.key
        case .opening(let name, _, _): EngagementName(counting: name.key).key
        case .activityOpening(let name, _, _, _): EngagementName(counting: name.key).key
        }
    }

    /// The item that must exist for the change to have an effect; nil if no item is needed.
    package var item: ItemName? {
        switch self {
        case .update(let name, _, _), .opening(let name, _, _): name
        case .activityOpening: nil
        }
    }

    /// Whether peers would accept the write that this change will most likely become.
    var isWithinLimits: Bool {
        guard case .update(let name, let domain, let fields) = self else { return true }
        let scope = Scope.items(app: name.app, index: name.index, domain: domain)
        return Write.Action.full(Write.Content(scope: scope, fields: fields)).isWithinLimits()
    }

    /// Returns an action that changes only these fields, or that writes the whole item if the item moves.
    fileprivate func update(
        _ content: Write.Content, of incarnation: Stamp, _ name: ItemName, to domain: String?,
        _ fields: Fields
    ) -> Write.Action {
        do throws(CBORError) {
            let update = try Item.Update(domain: domain, fields)
            return update.action(on: try Item(name, content), name, of: incarnation)
        } catch {
            // A newer version wrote the item. Only its fields are changed, and it is not moved.
            return .partial(of: incarnation, fields)
        }
    }
}

extension Item.Update {
    /// Reads the update from its fields.
    ///
    /// A field that is null removes its attribute.
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
            case .number(Item.Number.givenName): givenName = try Item.KnownName(from: &reader)
            default: try attributes.append(name, &reader)
            }
        }
    }
}

extension Stamp {
    /// The wall-clock time in the stamp.
    ///
    /// The author's own clock may have shown an earlier time.
    fileprivate var wallTime: WallTime { WallTime(milliseconds: Int64(time.value >> 16)) }
}
