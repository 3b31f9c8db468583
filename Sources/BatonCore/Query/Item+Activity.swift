extension Item {
    /// Creates an item that represents an ended activity in a query.
    ///
    /// The item has the attributes of the activity and some of the activity's own properties. The activity's title
    /// replaces a title in the attributes. Its keywords and its web page are added. Its times are added if the
    /// attributes have none.
    package init(seeing activity: Activity) {
        self.init(indexed: activity.end.time, attributes: activity.attributes)
        if let title = activity.title { attributes[.title] = .plain(.string(title)) }
        if !activity.keywords.isEmpty {
            let keywords = activity.keywords.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            add(keywords.map { .string($0) }, to: .keywords)
        }
        if let webpage = activity.webpage { add([.url(webpage)], to: .contentURL) }
        let times: [(Attribute, WallTime)] = [
            (.contentCreationDate, activity.started), (.contentModificationDate, activity.changed),
            (.lastUsedDate, activity.end.time),
        ]
        for (attribute, time) in times where attributes[attribute] == nil {
            attributes[attribute] = .plain(.date(Double(time.milliseconds) / 1000))
        }
    }

    /// Inserts values before an attribute's own values.
    ///
    /// The result is a list only if there is more than one value, or if the attribute is `keywords`.
    private mutating func add(_ values: [PropertyValue], to attribute: Attribute) {
        let others: [PropertyValue] =
            switch attributes.value(attribute) {
            case nil: []
            case .array(let others)?: others
            case .set(let others)?:
                others.sorted { $0.encoded.lexicographicallyPrecedes($1.encoded) }
            case let other?: [other]
            }
        let all = values + others.filter { !values.contains($0) }
        let isList = all.count > 1 || attribute == .keywords
        attributes[attribute] = .plain(isList ? .array(all) : all[0])
    }
}
