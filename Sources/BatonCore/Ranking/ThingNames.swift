/// The names of an item or an activity, which tell whether two of them are about the same thing.
package struct ThingNames: Equatable, Sendable {
    /// The app that indexed the item or saved the activity.
    private let app: String
    private let isItem: Bool
    /// The identifier that the app gave to the item, or to the item that the activity is about.
    private let item: String?
    /// The identifier that the app gave to the activity.
    private let activity: String?
    /// The addresses of the content.
    private let addresses: [String]

    /// Reads the names of an item from the fields of its record.
    package init(_ name: ItemName, _ fields: Fields) { self.init(name, fields.readable(.contentURL)) }

    /// Creates the names of an item from its name and the value of its `contentURL`.
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

    /// The item that an activity is about; nil for an item, and for an activity that is about no item.
    ///
    /// A search does not find the activity if this item does not exist.
    package var relatedItem: (app: String, identifier: String)? {
        isItem ? nil : item.map { (app, $0) }
    }

    /// The number of bytes in the identifiers and addresses.
    package var byteCount: Int {
        addresses.reduce((item?.utf8.count ?? 0) + (activity?.utf8.count ?? 0)) { $0 + $1.utf8.count }
    }

    /// Whether the other names are certainly those of another thing.
    ///
    /// An app never has two items for one thing.
    private func differs(from other: ThingNames) -> Bool {
        guard app.utf8.elementsEqual(other.app.utf8) else { return false }
        if isItem, other.isItem { return true }
        guard let item, let otherItem = other.item else { return false }
        return !item.utf8.elementsEqual(otherItem.utf8)
    }

    /// Whether both names are about the same thing, because they name the same item of one app or have an address in
    /// common.
    ///
    /// Two activities of one app with different identifiers are about different things, even if they have an address in
    /// common.
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

    /// Returns the indices of all names, grouped by thing; the groups are in the order of their first members.
    ///
    /// Names join a group if they are about the same thing as one of its members, and if they differ from none of its
    /// members. So later names never change the groups of earlier names.
    package static func groups(_ all: [ThingNames]) -> [[Int]] {
        // Most searches find only items of one app. Two items of one app are never about the same thing.
        if let first = all.first, all.allSatisfy({ $0.isItem && $0.app.utf8.elementsEqual(first.app.utf8) }) {
            return all.indices.map { [$0] }
        }
        var groups: [[Int]] = []
        // Names of the same thing have a key in common. So each of the names is compared only with a few groups.
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

    /// Hashes by which names of the same thing are found; such names have at least one hash in common.
    ///
    /// The bytes of the texts are hashed, because hashing the characters of a `String` takes several times as long.
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
    /// The address of a URL, or the text of a string; nil if it is empty, or if the value has another type.
    fileprivate var address: String? {
        switch self {
        case .url(let text), .string(let text): text.isEmpty ? nil : text
        default: nil
        }
    }
}
