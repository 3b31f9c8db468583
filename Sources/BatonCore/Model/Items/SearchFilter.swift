/// Conditions that limit the results of a search.
package struct SearchFilter: Equatable, Sendable {
    /// The app whose things are found, by its bundle identifier; nil for all apps.
    package var app: String?
    /// The kind of things that are found; nil for all kinds.
    package var kind: Kind?
    /// The earliest time at which a found thing may have been last used, changed, indexed or ended; nil for any time.
    package var since: WallTime?
    /// The protections of the protected indexes that are searched; nil for all protected indexes.
    ///
    /// Other indexes are always searched.
    package var protections: Set<IndexProtection>?

    package init(
        app: String? = nil, kind: Kind? = nil, since: WallTime? = nil,
        protections: Set<IndexProtection>? = nil
    ) {
        (self.app, self.kind, self.since) = (app, kind, since)
        self.protections = protections
    }

    /// A kind of things.
    package enum Kind: Equatable, Sendable {
        case item
        /// Activities that ended.
        case activity
        /// Content of this type, such as `public.image`, or of a subtype, according to the app.
        case contentType(String)

        /// Reads the name of a kind.
        ///
        /// Any other text is read as a content type.
        package init(_ text: String) {
            self =
                switch text {
                case "item": .item
                case "activity": .activity
                default: .contentType(text)
                }
        }

        /// The name of the kind, or the content type.
        package var text: String {
            switch self {
            case .item: "item"
            case .activity: "activity"
            case .contentType(let type): type
            }
        }
    }

    /// Whether the filter has conditions besides the app.
    package var looksInside: Bool { kind != nil || since != nil || protections != nil }

    /// Whether the filter admits items of any protected index.
    package var admitsProtected: Bool { kind != .activity && protections?.isEmpty != true }

    /// Whether the filter's condition on protections admits items of the index with this stored name.
    package func admits(index: String) -> Bool {
        guard let protections, let protection = IndexProtection(ofIndex: index) else { return true }
        return protections.contains(protection)
    }

    /// Whether the filter's condition on the app admits things of this app.
    package func admits(app other: String) -> Bool {
        app.map { $0.utf8.elementsEqual(other.utf8) } ?? true
    }

    /// Whether the filter admits an item that belongs to this app and has these fields.
    package func admitsItem(of app: String, _ fields: Fields) -> Bool {
        guard admits(app: app) else { return false }
        switch kind {
        case .activity: return false
        case .contentType(let type):
            let types = [fields.readable(.contentType), fields.readable(.contentTypeTree)]
            guard types.contains(where: { $0?.names(type) ?? false }) else { return false }
        case .item, nil: break
        }
        guard let since else { return true }
        return fields.lastTouched.map { $0 >= Double(since.milliseconds) / 1000 } ?? false
    }

    /// Whether the filter admits an ended activity.
    ///
    /// `types` are the activity's content types. `time` is when it was last used or changed, or when it ended, in
    /// seconds since 1970.
    package func admits(_ activity: FoundActivity, _ types: [PropertyValue], _ time: Double?) -> Bool {
        guard admits(app: activity.app) else { return false }
        switch kind {
        case .item: return false
        case .contentType(let type): guard types.contains(where: { $0.names(type) }) else { return false }
        case .activity, nil: break
        }
        guard let since else { return true }
        return time.map { $0 >= Double(since.milliseconds) / 1000 } ?? false
    }
}

extension Set<IndexProtection> {
    /// Writes the protections as a list of their names.
    func encode(to writer: inout CBORWriter) {
        writer.array(count: count)
        for protection in map(\.rawValue).sorted() { writer.text(protection) }
    }

    /// Reads a list of names; a name that only newer versions know is left out.
    init(from reader: inout CBORReader) throws(CBORError) {
        let names = try reader.array(upTo: Limits.indexProtections) { (reader) throws(CBORError) in
            try reader.text()
        }
        self.init(names.compactMap { IndexProtection(rawValue: $0) })
    }
}

extension Fields {
    /// The time when an item was last used or changed, in seconds since 1970; nil if there is no time.
    ///
    /// An item without such a time gives the time when it was indexed.
    var lastTouched: Double? {
        let dates = [Attribute.lastUsedDate, .contentModificationDate].compactMap { attribute -> Double? in
            guard case .date(let seconds)? = readable(attribute), seconds.isFinite else { return nil }
            return seconds
        }
        return dates.max() ?? FoundItem.indexed(in: self).map { Double($0.milliseconds) / 1000 }
    }
}

extension PropertyValue {
    /// Whether this value is the name of a content type, or a list that contains the name.
    ///
    /// Case is ignored.
    fileprivate func names(_ type: String) -> Bool {
        switch self {
        case .string(let text): Folding.letterCase.fold(text) == Folding.letterCase.fold(type)
        case .array(let values): values.contains { $0.names(type) }
        default: false
        }
    }
}
