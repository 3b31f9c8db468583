import BatonCore
import Foundation

/// The content of an activity, as its app has set it.
struct ActivityContent: Sendable {
    var title: String?
    /// The payload; to an app, nil and empty are different.
    var info: [PropertyValue: PropertyValue]?
    var requiredKeys: Set<String>?
    var webpage: URL?
    var referrer: URL?
    var expiration: Date?
    var keywords: Set<String> = []
    var supportsStreams = false
    var target: String?
    var persistentIdentifier: String?
    var eligibility = Eligibility.unspoken
    var attributes: AttributeSet?

    init() {}

    /// The content of an activity that is continued here.
    init(_ activity: Activity) {
        (title, info, requiredKeys) = (activity.title, activity.info, activity.requiredKeys)
        webpage = activity.webpage.flatMap { URL(string: $0) }
        referrer = activity.referrer.flatMap { URL(string: $0) }
        expiration = activity.expiration?.date
        (keywords, supportsStreams) = (activity.keywords, activity.supportsStreams)
        (target, persistentIdentifier) = (activity.targetContentIdentifier, activity.persistentIdentifier)
        eligibility = activity.eligibility
        attributes = activity.attributes.entries.isEmpty ? nil : activity.attributes
    }

    /// The change that gives an activity of the node this content.
    var change: ActivityChange {
        var change = ActivityChange()
        change.replaces = true
        (change.title, change.set) = (title, info ?? [:])
        (change.webpage, change.referrer) = (webpage?.absoluteString, referrer?.absoluteString)
        change.keywords = keywords.isEmpty ? nil : keywords
        change.expiration = expiration.map { WallTime($0) }
        change.requiredKeys = keysToComeBack
        (change.targetContentIdentifier, change.persistentIdentifier) = (target, persistentIdentifier)
        change.eligibility = permittedEligibility
        change.supportsStreams = supportsStreams
        change.attributes = attributes
        return change
    }

    /// The keys that are needed to come back to the activity later; nil means all.
    ///
    /// As on Apple's systems, a page that can be found is enough to come back, unless the app names keys.
    private var keysToComeBack: Set<String>? {
        requiredKeys ?? (webpage != nil && eligibility.contains(.search) ? [] : nil)
    }

    /// The uses that the content permits: to be known to everyone, an activity needs a page or keys.
    private var permittedEligibility: Eligibility {
        webpage == nil && requiredKeys == nil ? eligibility.subtracting(.publicIndexing) : eligibility
    }
}
