/// Creates drafts from an app's changes to an index, and refuses changes that other devices would refuse.
package struct IndexDrafts {
    private let index: ClientStateName
    private let now: WallTime
    /// Seals the changes of a protected index; other changes are returned as they are.
    private let seal: (IndexChange) throws(LocalFailure) -> IndexChange

    package init(
        _ index: ClientStateName, at now: WallTime,
        sealing seal: @escaping (IndexChange) throws(LocalFailure) -> IndexChange = { $0 }
    ) {
        (self.index, self.now, self.seal) = (index, now, seal)
    }

    package func drafts(_ changes: [IndexChange]) throws(LocalFailure) -> [Journal.Draft] {
        var drafts: [Journal.Draft] = []
        drafts.reserveCapacity(changes.count)
        for change in changes {
            try demandReadable(change)
            let draft = try draft(try seal(change))
            guard draft.isWithinLimits else { throw tooLarge(change) }
            drafts.append(draft)
        }
        return drafts
    }

    /// Throws if a value of a change has the wrong type for its attribute, which nobody sees in a sealed value.
    private func demandReadable(_ change: IndexChange) throws(LocalFailure) {
        switch change {
        case .unreadable(let identifier, let error): throw unreadable(identifier, error)
        case .update(let identifier, let domain, let fields):
            do throws(CBORError) {
                _ = try Item.Update(domain: domain, fields)
            } catch {
                throw unreadable(identifier, error)
            }
        case .item, .deletion, .clear: break
        }
    }

    private func draft(_ change: IndexChange) throws(LocalFailure) -> Journal.Draft {
        switch change {
        case .item(let identifier, var item):
            let name = name(identifier)
            item.indexed = now
            return Journal.Draft(.full(item.content(name)), name.key)
        case .unreadable(let identifier, let error): throw unreadable(identifier, error)
        case .update(let identifier, let domain, let fields):
            return Journal.Draft(late: .update(name(identifier), domain: domain, indexed(fields)))
        case .deletion(let identifier): return Journal.Draft(.deletion, name(identifier).key)
        case .clear(let domain):
            let scope = Scope.items(app: index.app, index: index.index, domain: domain)
            // A clear with a larger scope would be stored, but it would not clear anything.
            guard scope.encoded.count <= Scope.bytesMost else { throw tooLarge(change) }
            return Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: .index))
        }
    }

    private func name(_ identifier: String) -> ItemName {
        ItemName(app: index.app, index: index.index, identifier: identifier)
    }

    /// Returns the fields with the current time as the time of indexing.
    private func indexed(_ fields: Fields) -> Fields {
        var fields = fields
        fields.set(Item.indexedNumber) { $0.integer(now.milliseconds) }
        return fields
    }

    private func unreadable(_ identifier: String, _ error: CBORError) -> LocalFailure {
        LocalFailure(
            .usage,
            "The item “\(identifier)” has a value of the wrong type for its attribute (\(error))."
        )
    }

    private func tooLarge(_ change: IndexChange) -> LocalFailure {
        let subject =
            switch change {
            case .item(let identifier, _), .unreadable(let identifier, _), .update(let identifier, _, _),
                .deletion(let identifier):
                "The item “\(identifier)”"
            case .clear(let domain): "The domain “\(domain ?? "")”"
            }
        return LocalFailure(
            .tooLarge,
            """
            \(subject) is too large to be sent to other devices: the limits are \(Limits.writeBytes >> 10) KiB of attributes, \
            \(RecordKey.nameBytes) bytes of names, and \(Scope.bytesMost) bytes of app, index and domain. Nothing has changed.
            """)
    }
}
