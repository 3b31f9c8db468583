extension Item {
    /// An app's partial change of an item.
    ///
    /// An update is written as a partial write, so if two devices change the same item at the same time, both changes
    /// are kept. An update that moves the item to another domain can't be a partial write, because the domain is part
    /// of the full write's content. In that case, the node writes the whole item again.
    package struct Update: Equatable, Sendable {
        /// The item's new domain; nil if the domain does not change.
        package var domain: String?
        package var expiration: WallTime?
        package var indexed: WallTime?
        /// The name of an item in a protected index that the update moves; nil if the item stays where it is.
        package var givenName: KnownName?
        /// The attributes that the update sets.
        package var attributes = AttributeSet()
        /// The attributes that the update removes.
        ///
        /// If the update also sets one of them, the attribute gets the new value.
        package var removed: Set<FieldName> = []

        package init() {}

        /// Whether the update moves the item to another domain.
        ///
        /// In that case, the item must be written in full.
        package func changesDomain(of item: Item) -> Bool {
            guard let domain else { return false }
            return item.domain.map { !$0.utf8.elementsEqual(domain.utf8) } ?? true
        }

        /// The update's fields, without the domain.
        ///
        /// To remove an attribute, its field is null.
        package var fields: Fields {
            let removals = removed.filter { AttributeSet.holds($0) && attributes[$0] == nil }
            return Fields { fields in
                fields.field(Number.expiration, expiration) { $1.encode(to: &$0) }
                fields.field(Number.indexed, indexed) { $1.encode(to: &$0) }
                fields.field(Number.givenName, givenName) { $1.encode(to: &$0) }
                attributes.add(to: &fields)
            }.completed(
                by: Fields { fields in
                    for name in removals.sorted() { fields.field(name) { $0.null() } }
                })
        }

        /// Returns the item after the update.
        package func applied(to item: Item) -> Item {
            var item = item
            if let domain { item.domain = domain }
            if let expiration { item.expiration = expiration }
            if let indexed { item.indexed = indexed }
            if let givenName { item.givenName = givenName }
            for name in removed where AttributeSet.holds(name) { item.attributes[name] = nil }
            item.attributes = item.attributes.changed(by: attributes)
            return item
        }

        /// Returns the action of the write for this update of an item.
        ///
        /// `incarnation` is the stamp of the item's full write.
        package func action(on item: Item, _ name: ItemName, of incarnation: Stamp) -> Write.Action {
            changesDomain(of: item)
                ? .full(applied(to: item).content(name)) : .partial(of: incarnation, fields)
        }
    }
}
