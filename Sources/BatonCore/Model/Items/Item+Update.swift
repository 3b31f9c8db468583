extension Item {
    /// What an app changes of an item without saying the rest again.
    ///
    /// It becomes a write of single fields, so that what two devices change of one item at the same time is both
    /// kept. One that moves the item to another domain can't be: the domain belongs to what the full write
    /// began, so the node writes the whole item anew.
    package struct Update: Equatable, Sendable {
        /// The domain to move the item to; nothing leaves it where it is.
        package var domain: String?
        package var expiration: WallTime?
        package var indexed: WallTime?
        /// The attributes that it sets.
        package var attributes = AttributeSet()
        /// The attributes that it takes away; what it sets as well, it sets.
        package var removed: Set<FieldName> = []

        package init() {}

        /// Whether the item would be in another domain, so that it must be written in full.
        package func changesDomain(of item: Item) -> Bool {
            guard let domain else { return false }
            return item.domain.map { !$0.utf8.elementsEqual(domain.utf8) } ?? true
        }

        /// The fields that say all of it but the domain; those that take an attribute away hold null.
        package var fields: Fields {
            let removals = removed.filter { AttributeSet.holds($0) && attributes[$0] == nil }
            return Fields { fields in
                fields.field(Number.expiration, expiration) { $1.encode(to: &$0) }
                fields.field(Number.indexed, indexed) { $1.encode(to: &$0) }
                attributes.add(to: &fields)
            }.completed(
                by: Fields { fields in
                    for name in removals.sorted() { fields.field(name) { $0.null() } }
                })
        }

        /// The item as it is after the update.
        package func applied(to item: Item) -> Item {
            var item = item
            if let domain { item.domain = domain }
            if let expiration { item.expiration = expiration }
            if let indexed { item.indexed = indexed }
            for name in removed where AttributeSet.holds(name) { item.attributes[name] = nil }
            item.attributes = item.attributes.changed(by: attributes)
            return item
        }

        /// What writes the update of an item that a full write of that stamp began.
        package func action(on item: Item, _ name: ItemName, of incarnation: Stamp) -> Write.Action {
            changesDomain(of: item)
                ? .full(applied(to: item).content(name)) : .partial(of: incarnation, fields)
        }
    }
}
