import BatonCore
import Foundation

/// The content of an activity, as the app has set it.
struct ActivityContent: Sendable {
    var title: String?
    /// The payload; an app can tell nil from an empty payload.
    var info: [PropertyValue: PropertyValue]?
    var requiredKeys: Set<String>?
    var webpage: URL?
    var referrer: URL?
    var expiration: Date?
    var keywords: Set<String> = []
    var supportsStreams = false
    var isProtected = false
    var target: String?
    var persistentIdentifier: String?
    var eligibility = Eligibility.unspoken
    var attributes: AttributeSet?

    init() {}

    /// Takes the content of an activity that is continued on this machine.
    init(_ activity: Activity) {
        (title, info, requiredKeys) = (activity.title, activity.info, activity.requiredKeys)
        webpage = activity.webpage.flatMap { URL(string: $0) }
        referrer = activity.referrer.flatMap { URL(string: $0) }
        expiration = activity.expiration?.date
        (keywords, supportsStreams) = (activity.keywords, activity.supportsStreams)
        (target, persistentIdentifier) = (activity.targetContentIdentifier, activity.persistentIdentifier)
        eligibility = activity.eligibility
        attributes = activity.attributes.entries.isEmpty ? nil : activity.attributes
        isProtected = activity.protection != nil
    }

    /// The change that gives the activity of the node this content.
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
        (change.attributes, change.isProtected) = (attributes, isProtected)
        return change
    }

    /// The keys of the payload that are needed to come back to the activity later; nil means all keys.
    ///
    /// As on Apple's systems, if searches can find the activity and it has a web page, the page is enough to come back.
    /// This does not apply if the app names keys.
    private var keysToComeBack: Set<String>? {
        requiredKeys ?? (webpage != nil && eligibility.contains(.search) ? [] : nil)
    }

    /// The uses that the content permits; public indexing needs a web page or required keys.
    private var permittedEligibility: Eligibility {
        webpage == nil && requiredKeys == nil ? eligibility.subtracting(.publicIndexing) : eligibility
    }
}
