/// The names by which an item or an activity shows that it is about the same thing as another one.
package struct ThingNames: Equatable, Sendable {
    /// The app that has the item or saved the activity.
    private let app: String
    private let isItem: Bool
    /// The app's identifier of the item, or of the one that the activity is about.
    private let item: String?
    /// The app's identifier of the activity.
    private let activity: String?
    /// The addresses of the content.
    private let addresses: [String]

    /// Reads the names of an item from the fields of its record.
    package init(_ name: ItemName, _ fields: Fields) { self.init(name, fields.readable(.contentURL)) }

    /// Takes the names of an item, with the value of its `contentURL`.
    init(_ name: ItemName, _ contentURL: PropertyValue?) {
        app = name.app
        isItem = true
        item = name.identifier
        activity = nil
        addresses = contentURL?.address.map { [$0] } ?? []
    }

    /// Reads the names of an activity.
    package init(_ name: SavedActivityName, _ activity: Activity) {
        (app, isItem) = (name.app, false)
        (item, self.activity) = (
            activity.attributes.value(.relatedUniqueIdentifier)?.string, activity.persistentIdentifier
        )
        let addresses = [activity.webpage, activity.attributes.value(.contentURL)?.address]
        self.addresses = addresses.compactMap(\.self).filter { !$0.isEmpty }
    }

    /// The item of its app that an activity is about, with which it ends; nil for an item, and for an activity about none.
    package var relatedItem: (app: String, identifier: String)? {
        isItem ? nil : item.map { (app, $0) }
    }

    /// The bytes of the texts.
    package var byteCount: Int {
        addresses.reduce((item?.utf8.count ?? 0) + (activity?.utf8.count ?? 0)) { $0 + $1.utf8.count }
    }

    /// Whether the other one is surely about another thing: an app never has two items for one thing.
    private func differs(from other: ThingNames) -> Bool {
        guard app.utf8.elementsEqual(other.app.utf8) else { return false }
        if isItem, other.isItem { return true }
        guard let item, let otherItem = other.item else { return false }
        return !item.utf8.elementsEqual(otherItem.utf8)
    }

    /// Whether both are about the same thing: they name the same item of one app, or have the same address.
    ///
    /// Two activities of an app that have different identifiers are not the same because of an address.
    private func isSame(as other: ThingNames) -> Bool {
        if app.utf8.elementsEqual(other.app.utf8) {
            if item != nil, other.item != nil { return !differs(from: other) }
            if let activity, let otherActivity = other.activity,
                !activity.utf8.elementsEqual(otherActivity.utf8)
            {
                return false
            }
        }
        return addresses.contains { address in
            other.addresses.contains { $0.utf8.elementsEqual(address.utf8) }
        }
    }

    /// Returns the groups of those that are about the same things, by their places; each group stands where its first
    /// member stands.
    ///
    /// One that is about the same thing as a member of a group joins the group, unless it differs from another member.
    /// So the first ones are grouped alike, however many follow.
    package static func groups(_ all: [ThingNames]) -> [[Int]] {
        // Most searches find items of one app, which are never the same.
        if let first = all.first, all.allSatisfy({ $0.isItem && $0.app.utf8.elementsEqual(first.app.utf8) }) {
            return all.indices.map { [$0] }
        }
        var groups: [[Int]] = []
        // Those that are about the same thing have a key in common, so only few groups are compared with each.
        var known: [Int: Set<Int>] = [:]
        for (place, names) in all.enumerated() {
            let keys = names.keys
            let near = keys.reduce(into: Set<Int>()) { $0.formUnion(known[$1] ?? []) }
            let group = near.sorted().first { number in
                groups[number].contains { all[$0].isSame(as: names) }
                    && !groups[number].contains { all[$0].differs(from: names) }
            }
            if let group { groups[group].append(place) } else { groups.append([place]) }
            for key in keys { known[key, default: []].insert(group ?? groups.count - 1) }
        }
        return groups
    }

    /// Hashes of which two things have one in common if they are the same.
    ///
    /// A string is hashed by its letters, which takes several times as long as by its bytes.
    private var keys: [Int] {
        (item.map { [Self.hash([app, $0])] } ?? []) + addresses.map { Self.hash([$0]) }
    }

    private static func hash(_ texts: [String]) -> Int {
        var hasher = Hasher()
        for var text in texts {
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            hasher.combine(text.utf8.count)
        }
        return hasher.finalize()
    }
}

extension PropertyValue {
    /// The address, if this is one, or its text.
    fileprivate var address: String? {
        switch self {
        case .url(let text), .string(let text): text.isEmpty ? nil : text
        default: nil
        }
    }
}
