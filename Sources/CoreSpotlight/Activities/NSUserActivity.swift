import BatonCore
import BatonNetwork
public import Foundation

/// The identifier that the app gives to a saved activity, so that the app can delete the activity later.
public typealias NSUserActivityPersistentIdentifier = String

/// Something that a person is doing in the app, which the person can continue on another machine, or find again later.
///
/// Create an activity with a type in reverse DNS, set `title` and `userInfo`, and call `becomeCurrent()`. The node of
/// this machine then offers the activity to the other machines of the person's account. Changes of a current activity
/// are sent automatically, at most about 25 times a second. The latest state always arrives.
///
/// Hold the activity for as long as it lasts. If the activity is released while it is current, it is withdrawn. Then
/// searches can't find it either, as if it had never existed.
///
/// Each property may be used from any thread. The methods of the delegate are called on the main queue if the program
/// runs the main queue. Otherwise, they are called on a queue of this module; see ``BatonApplication/callbackQueue``.
///
/// Without a node, nothing is offered. Once a node runs, it gets the current activity.
open class NSUserActivity: NSObject {
    let core: ActivityCore
    /// The values of properties that other libraries add, keyed by the names of the properties.
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

    /// Creates the object for an activity that is continued on this machine.
    init(_ core: ActivityCore) {
        self.core = core
        super.init()
        core.set(self)
    }

    deinit { core.handleRelease() }

    /// The value of a property that another library adds; the value stays in this process.
    package subscript(addition name: String) -> (any Sendable)? {
        get { additions.change { $0[name] } }
        set { additions.change { $0[name] = newValue } }
    }

    // MARK: Content

    /// The type, which decides which apps can continue the activity.
    open var activityType: String { core.type }

    /// The title that people see in lists, and by which searches find the activity.
    open var title: String? {
        get { core.content.title }
        set { core.change { $0.title = newValue } }
    }

    /// The payload: the data that the app needs to continue the activity.
    ///
    /// Keys and values may be strings, numbers, dates, data, URLs, UUIDs, `NSNull`, and arrays, sets and dictionaries
    /// of these. They may be Swift values or objects of Foundation. With any other value, the program ends, as an app
    /// on Apple's systems does. The values are read as on Apple's systems: a number is an `NSNumber`, which can be cast
    /// to every type that represents it.
    ///
    /// Keep the payload small, below 3 KB. An activity with more than 128 KiB is not sent; see
    /// ``BatonApplicationDelegate/application(_:didFailToOffer:error:)``. Use continuation streams for larger data.
    open var userInfo: [AnyHashable: Any]? {
        get { core.content.info.map { UserInfo.dictionary($0) } }
        set {
            let info = newValue.map { UserInfo.properties($0) }
            core.change { $0.info = info }
        }
    }

    /// Adds entries to the payload; they replace existing entries with the same keys.
    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
        let entries = UserInfo.properties(otherDictionary)
        core.change { $0.info = ($0.info ?? [:]).merging(entries) { $1 } }
    }

    /// The keys of the payload that the app needs to come back to the activity after it has ended; nil means all keys.
    ///
    /// If the activity has a web page and is eligible for search, nil means that the page is enough.
    open var requiredUserInfoKeys: Set<String>? {
        get { core.content.requiredKeys }
        set { core.change { $0.requiredKeys = newValue } }
    }

    /// Whether the delegate has to bring the activity up to date before it is sent.
    ///
    /// Set this to true when something has changed. Then `userActivityWillSave(_:)` is called once, and the property
    /// becomes false again.
    open var needsSave: Bool {
        get { core.needsSave }
        set { core.set(needsSave: newValue) }
    }

    /// The web page for continuing on a machine that does not have this app; its scheme must be `http` or `https`.
    ///
    /// With another scheme, the program ends, as an app on Apple's systems does.
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

    /// The date after which the activity is neither offered nor found.
    ///
    /// If it is nil, a saved activity can be found for a month after it has ended.
    open var expirationDate: Date? {
        get { core.content.expiration }
        set { core.change { $0.expiration = newValue } }
    }

    /// Words by which searches find the activity.
    open var keywords: Set<String> {
        get { core.content.keywords }
        set { core.change { $0.keywords = newValue } }
    }

    /// The attributes by which searches find the activity, and which they show; assigning a set copies it.
    ///
    /// If `relatedUniqueIdentifier` is the identifier of an item of the app, the activity and the item are one search
    /// result. The activity can be found as long as the item is in the index. When the app deletes the item, the
    /// activity is deleted, too. With `weakRelatedUniqueIdentifier`, the activity is independent of the item. An
    /// activity with a `domainIdentifier` is deleted together with that domain.
    open var contentAttributeSet: CSSearchableItemAttributeSet? {
        get { core.attributeSet }
        set { core.attributeSet = newValue }
    }

    /// Identifies the content of the activity, so that the app can find a window that already shows this content.
    open var targetContentIdentifier: String? {
        get { core.content.target }
        set { core.change { $0.target = newValue } }
    }

    /// The app's identifier for the activity after it has ended; with this identifier, the app can delete the activity.
    open var persistentIdentifier: NSUserActivityPersistentIdentifier? {
        get { core.content.persistentIdentifier }
        set { core.change { $0.persistentIdentifier = newValue } }
    }

    // MARK: Uses

    /// Whether the activity may be continued on another machine; if not, it never leaves this machine.
    open var isEligibleForHandoff: Bool {
        get { isEligible(.handoff) }
        set { set(.handoff, newValue) }
    }

    /// Whether searches find the activity: on this machine while it is current, and on all machines once it has ended.
    open var isEligibleForSearch: Bool {
        get { isEligible(.search) }
        set { set(.search, newValue) }
    }

    /// Whether everyone may know of the activity, which requires `webpageURL` or `requiredUserInfoKeys`.
    ///
    /// On Linux, activities are never published. The value is only sent along with the activity.
    open var isEligibleForPublicIndexing: Bool {
        get { isEligible(.publicIndexing) }
        set { set(.publicIndexing, newValue) }
    }

    /// Whether the activity may be suggested when the person will probably do it next.
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

    /// Whether the content of the activity is sealed before it is kept or sent; an addition of Baton's.
    ///
    /// The title, the payload, the pages, the keywords, the identifiers and the attributes are sealed with a key that
    /// only the person's machines have. Searches don't find the activity by its words once it has ended.
    open var isProtected: Bool {
        get { core.content.isProtected }
        set { core.change { $0.isProtected = newValue } }
    }

    /// The object that saves the activity on request, and is told when the activity is continued; it is held weakly.
    open var delegate: (any NSUserActivityDelegate)? {
        get { core.delegate }
        set { core.delegate = newValue }
    }

    // MARK: The current activity

    /// Makes this activity the app's current activity; it replaces any other.
    ///
    /// The activity that was current ends. It can still be found if it is eligible for search, and it can become
    /// current again. After `invalidate()`, this does nothing.
    open func becomeCurrent() { core.becomeCurrent() }

    /// Stops offering the activity; it can become current again.
    open func resignCurrent() { core.resign() }

    /// Ends the activity permanently.
    ///
    /// If the activity is eligible for search, it can still be found.
    open func invalidate() { core.invalidate() }

    // MARK: Saved activities

    /// Deletes ended activities of this app by their persistent identifiers, on all machines.
    ///
    /// The handler is called once the node has accepted the deletion. If there is no node, the handler is also called.
    /// Then the deletion is made once a node runs, provided that this program still runs.
    open class func deleteSavedUserActivities(
        withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier],
        completionHandler handler: @escaping @Sendable () -> Void
    ) {
        ActivityCenter.shared.deleteSaved(persistentIdentifiers, then: handler)
    }

    /// Deletes ended activities of this app by their persistent identifiers, on all machines.
    nonisolated(nonsending) open class func deleteSavedUserActivities(
        withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier]
    ) async {
        await withCheckedContinuation { continuation in
            ActivityCenter.shared.deleteSaved(persistentIdentifiers) { continuation.resume() }
        }
    }

    /// Deletes all ended activities of this app, on all machines.
    open class func deleteAllSavedUserActivities(completionHandler handler: @escaping @Sendable () -> Void) {
        ActivityCenter.shared.deleteSaved(nil, then: handler)
    }

    /// Deletes all ended activities of this app, on all machines.
    nonisolated(nonsending) open class func deleteAllSavedUserActivities() async {
        await withCheckedContinuation { continuation in
            ActivityCenter.shared.deleteSaved(nil) { continuation.resume() }
        }
    }

    // MARK: Describing

    /// The type and the title of the activity.
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
