import BatonCore

extension ActivityChange {
    /// Returns one change with the same effect as this change followed by the later one.
    func followed(by later: ActivityChange) -> ActivityChange {
        if later.replaces { return later }
        var change = self
        change.title = later.title ?? title
        for key in later.removed { change.set[key] = nil }
        change.removed = removed.union(later.removed).subtracting(later.set.keys)
        change.set.merge(later.set) { $1 }
        change.webpage = later.webpage ?? webpage
        change.keywords = later.keywords ?? keywords
        change.expiration = later.expiration ?? expiration
        change.requiredKeys = later.requiredKeys ?? requiredKeys
        change.referrer = later.referrer ?? referrer
        change.targetContentIdentifier = later.targetContentIdentifier ?? targetContentIdentifier
        change.persistentIdentifier = later.persistentIdentifier ?? persistentIdentifier
        change.eligibility = later.eligibility ?? eligibility
        change.supportsStreams = later.supportsStreams ?? supportsStreams
        change.attributes = later.attributes ?? attributes
        change.isProtected = later.isProtected ?? isProtected
        return change
    }
}
