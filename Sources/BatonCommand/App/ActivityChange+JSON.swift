import BatonClient
package import BatonCore

/// Reads changes of activities from the JSON that programs send.
extension ActivityChange {
    /// The JSON keys that a change may have, in the order in which `Apps.md` lists them.
    static let keys = [
        "title", "info", "remove", "url", "keywords", "expires", "required", "referrer", "target",
        "persistent",
        "eligible", "attributes", "protected",
    ]

    init(_ members: JSONMembers, at time: PresentTime) throws(JSONError) {
        self.init()
        title = try members.text("title")
        if let json = members["info"] {
            guard let pairs = try PropertyValue(json).pairs else {
                throw JSONError("`info` must be an object: { … }")
            }
            set = pairs
        }
        removed = Set((try members.texts("remove") ?? []).map { .string($0) })
        webpage = try members.text("url")
        keywords = try members.texts("keywords").map { Set($0) }
        expiration = try members.expiry("expires", at: time)
        requiredKeys = try members.texts("required").map { Set($0) }
        referrer = try members.text("referrer")
        targetContentIdentifier = try members.text("target")
        persistentIdentifier = try members.text("persistent")
        eligibility = try members.texts("eligible").map(Eligibility.init(names:))
        attributes = try members["attributes"].map { (json) throws(JSONError) in
            try AttributeSet(json)
        }
        isProtected = try members.boolean("protected")
    }

    /// Creates a change that replaces the whole content of an activity by the content of the given one.
    ///
    /// Stream support is not included, because it depends on the app that has the activity.
    package init(content activity: Activity) {
        self.init()
        replaces = true
        (title, set, webpage) = (activity.title, activity.info, activity.webpage)
        (keywords, expiration, requiredKeys) = (activity.keywords, activity.expiration, activity.requiredKeys)
        (referrer, targetContentIdentifier) = (activity.referrer, activity.targetContentIdentifier)
        (persistentIdentifier, eligibility) = (activity.persistentIdentifier, activity.eligibility)
        (attributes, isProtected) = (activity.attributes, activity.protection != nil)
    }
}

extension Eligibility {
    /// The JSON name of each kind of eligibility.
    private static let names: [(name: String, bit: Eligibility)] = [
        ("handoff", .handoff), ("search", .search), ("prediction", .prediction), ("public", .publicIndexing),
    ]

    fileprivate init(names: [String]) throws(JSONError) {
        self = []
        for name in names {
            guard let known = Self.names.first(where: { $0.name == name }) else {
                let all = Self.names.map(\.name).joined(separator: ", ")
                throw JSONError("`eligible` can't contain `\(name)`; its values are: \(all)")
            }
            insert(known.bit)
        }
    }
}
