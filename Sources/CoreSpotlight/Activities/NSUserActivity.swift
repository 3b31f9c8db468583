import BatonCore
import BatonNetwork
public import Foundation

/// The app's identifier of a saved activity, by which the app can delete it later.
public typealias NSUserActivityPersistentIdentifier = String

/// Something that a person is doing in the app, which can be continued on another of the person's machines, or found
/// again later.
///
/// Create an activity with a type in reverse DNS, fill in `title` and `userInfo`, and call `becomeCurrent()`. The node
/// of this machine then offers it to the other machines of the person's account. Changes of a current activity are sent
/// by themselves, some 25 times a second at most; the last state always arrives.
///
/// Hold the activity for as long as it lasts. An activity that is released while it is current is withdrawn, and can't
/// be found by searches either, as if it had never existed.
///
/// Each property may be used from any thread. The methods of the delegate are called on the main queue if the program
/// runs one, and else on a queue of this module; see ``BatonApplication/callbackQueue``.
///
/// Without a node nothing is offered. Once a node runs, it gets the current activity.
open class NSUserActivity: NSObject {
    let core: ActivityCore
    /// Values of properties that other libraries add, by the names of the properties.
    private let additions = Monitor<[String: any Sendable]>([:])

    /// Creates an activity of a type, which is in reverse DNS, such as `org.example.notes.edit`.
    public init(activityType: String) {
        precondition(!activityType.isEmpty, "an activity needs a type, such as org.example.notes.edit")
        core = ActivityCore(type: activityType)
        super.init()
        core.set(self)
    }

    /// Creates an activity of the first type in the app's manifest.
    ///
    /// The program ends if the app has no manifest with a type.
    @available(*, deprecated, message: "Name the type: NSUserActivity(activityType:).")
    public convenience override init() {
        guard let type = BatonApplication.shared.declaredTypes.first else {
            preconditionFailure(
                "NSUserActivity() takes its type from the app's manifest, which has none; use init(activityType:)"
            )
        }
        self.init(activityType: type)
    }

    /// Creates the activity that is continued here.
    init(_ core: ActivityCore) {
        self.core = core
        super.init()
        core.set(self)
    }

    deinit { core.handleRelease() }

    /// The value of a property that another library adds; it stays in this process.
    package subscript(addition name: String) -> (any Sendable)? {
        get { additions.change { $0[name] } }
        set { additions.change { $0[name] = newValue } }
    }

    // MARK: Content

    /// The type, which decides which apps can continue the activity.
    open var activityType: String { core.type }

    /// The title for people, which is shown in lists and found by searches.
    open var title: String? {
        get { core.content.title }
        set { core.change { $0.title = newValue } }
    }

    /// The payload: the data that are needed to continue.
    ///
    /// Keys and values may be strings, numbers, dates, data, URLs, UUIDs, `NSNull`, and arrays, sets and dictionaries
    /// of these, as Swift values or as objects of Foundation. With any other value the program ends, as an app on
    /// Apple's systems does. The values are read as on Apple's systems: a number is an `NSNumber`, which can be cast to
    /// every type that represents it.
    ///
    /// Keep it small, below 3 KB. An activity with more than 128 KiB is not sent; see
    /// ``BatonApplicationDelegate/application(_:didFailToOffer:error:)``. Use continuation streams for larger data.
    open var userInfo: [AnyHashable: Any]? {
        get { core.content.info.map { UserInfo.dictionary($0) } }
        set {
            let info = newValue.map { UserInfo.properties($0) }
            core.change { $0.info = info }
        }
    }

    /// Adds entries to the payload; they replace those with the same keys.
    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
        let entries = UserInfo.properties(otherDictionary)
        core.change { $0.info = ($0.info ?? [:]).merging(entries) { $1 } }
    }

    /// The keys of the payload that are needed to come back later, once the activity has ended; nil means all.
    ///
    /// If the activity has a web page and is eligible for search, nil means that the page alone is enough.
    open var requiredUserInfoKeys: Set<String>? {
        get { core.content.requiredKeys }
        set { core.change { $0.requiredKeys = newValue } }
    }

    /// Whether the delegate has to bring the activity up to date before it is sent.
    ///
    /// Set it when something has changed; `userActivityWillSave(_:)` is then called once, and the property is false
    /// again.
    open var needsSave: Bool {
        get { core.needsSave }
        set { core.set(needsSave: newValue) }
    }

    /// The web page on which to continue on a machine without such an app; its scheme must be `http` or `https`.
    ///
    /// With another scheme the program ends, as an app on Apple's systems does.
    open var webpageURL: URL? {
        get { core.content.webpage }
        set {
            if let newValue {
                precondition(
                    ["http", "https"].contains(newValue.scheme?.lowercased()),
                    "the webpageURL of an activity must begin with http: or https:, not \(newValue.scheme ?? "nothing"):"
                )
            }
            core.change { $0.webpage = newValue }
        }
    }

    /// The page that linked to `webpageURL`.
    open var referrerURL: URL? {
        get { core.content.referrer }
        set { core.change { $0.referrer = newValue } }
    }

    /// The date after which the activity is neither offered nor found; nil for a month after it has ended.
    open var expirationDate: Date? {
        get { core.content.expiration }
        set { core.change { $0.expiration = newValue } }
    }

    /// Words by which searches find the activity.
    open var keywords: Set<String> {
        get { core.content.keywords }
        set { core.change { $0.keywords = newValue } }
    }

    /// Attributes by which searches find and show the activity; a set is copied when it is assigned.
    ///
    /// If `relatedUniqueIdentifier` is the identifier of an item of the app, activity and item are one result. The
    /// activity is found for as long as the item is in the index, and is deleted when the app deletes the item. With
    /// `weakRelatedUniqueIdentifier` it is independent. An activity with a `domainIdentifier` is deleted with that
    /// domain.
    open var contentAttributeSet: CSSearchableItemAttributeSet? {
        get { core.attributeSet }
        set { core.attributeSet = newValue }
    }

    /// Identifies the content, so that a window that already shows it can be found.
    open var targetContentIdentifier: String? {
        get { core.content.target }
        set { core.change { $0.target = newValue } }
    }

    /// The app's identifier of the activity once it has ended, by which it can be deleted.
    open var persistentIdentifier: NSUserActivityPersistentIdentifier? {
        get { core.content.persistentIdentifier }
        set { core.change { $0.persistentIdentifier = newValue } }
    }

    // MARK: Uses

    /// Whether the activity may be continued on another machine; if not, it never leaves this one.
    open var isEligibleForHandoff: Bool {
        get { isEligible(.handoff) }
        set { set(.handoff, newValue) }
    }

    /// Whether searches find the activity: on this machine while it is current, and on all machines once it has ended.
    open var isEligibleForSearch: Bool {
        get { isEligible(.search) }
        set { set(.search, newValue) }
    }

    /// Whether everyone may know of the activity, which needs `webpageURL` or `requiredUserInfoKeys`.
    ///
    /// Nothing publishes activities on Linux; the value goes with the activity.
    open var isEligibleForPublicIndexing: Bool {
        get { isEligible(.publicIndexing) }
        set { set(.publicIndexing, newValue) }
    }

    /// Whether the activity may be suggested when it is likely to come next.
    ///
    /// The node suggests only activities for which this is true.
    open var isEligibleForPrediction: Bool {
        get { isEligible(.prediction) }
        set { set(.prediction, newValue) }
    }

    private func isEligible(_ use: Eligibility) -> Bool { core.content.eligibility.contains(use) }

    private func set(_ use: Eligibility, _ isOn: Bool) {
        core.change { content in
            if isOn { content.eligibility.insert(use) } else { content.eligibility.remove(use) }
        }
    }

    /// Whether a machine that continues the activity may request a pair of streams to this app.
    open var supportsContinuationStreams: Bool {
        get { core.content.supportsStreams }
        set { core.change { $0.supportsStreams = newValue } }
    }

    /// The object that is asked to save the activity, and told when it is continued; it is held weakly.
    open var delegate: (any NSUserActivityDelegate)? {
        get { core.delegate }
        set { core.delegate = newValue }
    }

    // MARK: The current activity

    /// Makes this the app's current activity, in place of any other; does nothing after `invalidate()`.
    ///
    /// This ends the activity that was current; it can be found if it is eligible for search, and can become current
    /// again.
    open func becomeCurrent() { core.becomeCurrent() }

    /// Stops offering the activity; it can become current again.
    open func resignCurrent() { core.resign() }

    /// Ends the activity permanently.
    ///
    /// If it is eligible for search, it can still be found.
    open func invalidate() { core.invalidate() }

    // MARK: Saved activities

    /// Deletes activities of this app that have ended, on all machines, by their persistent identifiers.
    ///
    /// The handler is called once the node has accepted the deletion. Without a node it is called, too, and the
    /// deletion is made once a node runs, if this program still runs then.
    open class func deleteSavedUserActivities(
        withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier],
        completionHandler handler: @escaping @Sendable () -> Void
    ) {
        ActivityCenter.shared.deleteSaved(persistentIdentifiers, then: handler)
    }

    /// Deletes activities of this app that have ended, on all machines, by their persistent identifiers.
    nonisolated(nonsending) open class func deleteSavedUserActivities(
        withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier]
    ) async {
        await withCheckedContinuation { continuation in
            ActivityCenter.shared.deleteSaved(persistentIdentifiers) { continuation.resume() }
        }
    }

    /// Deletes all activities of this app that have ended, on all machines.
    open class func deleteAllSavedUserActivities(completionHandler handler: @escaping @Sendable () -> Void) {
        ActivityCenter.shared.deleteSaved(nil, then: handler)
    }

    /// Deletes all activities of this app that have ended, on all machines.
    nonisolated(nonsending) open class func deleteAllSavedUserActivities() async {
        await withCheckedContinuation { continuation in
            ActivityCenter.shared.deleteSaved(nil) { continuation.resume() }
        }
    }

    // MARK: Describing

    /// The type and the title.
    open override var description: String {
        "<\(Swift.type(of: self)): \(core.type)\(title.map { " “\($0)”" } ?? "")>"
    }
}

// MARK: Earlier spellings

extension NSUserActivity {
    /// Whether the activity may be continued on another machine.
    @available(*, deprecated, renamed: "isEligibleForHandoff")
    public var eligibleForHandoff: Bool {
        get { isEligibleForHandoff }
        set { isEligibleForHandoff = newValue }
    }

    /// Whether searches find the activity.
    @available(*, deprecated, renamed: "isEligibleForSearch")
    public var eligibleForSearch: Bool {
        get { isEligibleForSearch }
        set { isEligibleForSearch = newValue }
    }

    /// Whether everyone may know of the activity.
    @available(*, deprecated, renamed: "isEligibleForPublicIndexing")
    public var eligibleForPublicIndexing: Bool {
        get { isEligibleForPublicIndexing }
        set { isEligibleForPublicIndexing = newValue }
    }
}
