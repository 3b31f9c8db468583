import CoreSpotlight
import Testing

/// `NSUserActivity` without a node: names, types, defaults.
@Suite struct `An activity object` {
    private let activity = NSUserActivity(activityType: "org.example.x")

    @Test func `has Apple's defaults when it is new`() {
        #expect(activity.activityType == "org.example.x")
        #expect(activity.title == nil && activity.userInfo == nil && activity.requiredUserInfoKeys == nil)
        #expect(!activity.needsSave && activity.webpageURL == nil && activity.referrerURL == nil)
        #expect(activity.expirationDate == nil && activity.keywords.isEmpty && activity.delegate == nil)
        #expect(!activity.supportsContinuationStreams && activity.targetContentIdentifier == nil)
        #expect(activity.isEligibleForHandoff && !activity.isEligibleForSearch)
        #expect(!activity.isEligibleForPublicIndexing && !activity.isEligibleForPrediction)
        #expect(activity.persistentIdentifier == nil && activity.contentAttributeSet == nil)
    }

    @Test func `keeps the value of each property`() throws {
        let page = try #require(URL(string: "HTTPS://a.example/?q=1#f"))
        activity.title = "Draft"
        activity.requiredUserInfoKeys = ["a"]
        activity.webpageURL = page
        activity.referrerURL = page
        activity.expirationDate = Date(timeIntervalSince1970: 1.25)
        activity.keywords = ["k"]
        activity.supportsContinuationStreams = true
        activity.targetContentIdentifier = "t"
        activity.persistentIdentifier = "p"
        activity.isEligibleForHandoff = false
        activity.isEligibleForSearch = true
        activity.isEligibleForPublicIndexing = true
        activity.isEligibleForPrediction = true
        activity.needsSave = true
        #expect(activity.title == "Draft" && activity.requiredUserInfoKeys == ["a"])
        #expect(activity.webpageURL == page && activity.referrerURL == page)
        #expect(activity.expirationDate == Date(timeIntervalSince1970: 1.25) && activity.keywords == ["k"])
        #expect(activity.supportsContinuationStreams && activity.targetContentIdentifier == "t")
        #expect(activity.persistentIdentifier == "p" && !activity.isEligibleForHandoff)
        #expect(activity.isEligibleForSearch && activity.isEligibleForPublicIndexing)
        #expect(activity.isEligibleForPrediction && activity.needsSave)
        #expect(activity.description == "<NSUserActivity: org.example.x “Draft”>")
    }

    @Test func `an attribute set is copied when it is assigned to an activity`() {
        let attributes = CSSearchableItemAttributeSet(contentType: .text)
        attributes.title = "one"
        activity.contentAttributeSet = attributes
        attributes.title = "two"
        #expect(activity.contentAttributeSet?.title == "one")
        #expect(activity.contentAttributeSet !== attributes)
    }

    @Test func `an activity holds its delegate weakly, and the delegate's methods are optional`() {
        final class Delegate: NSObject, NSUserActivityDelegate {}
        do {
            let delegate = Delegate()
            activity.delegate = delegate
            #expect(activity.delegate === delegate)
            delegate.userActivityWillSave(activity)
            delegate.userActivityWasContinued(activity)
        }
        #expect(activity.delegate == nil)
    }

    @Test func `a subclass can override members`() {
        final class Own: NSUserActivity {
            override var title: String? {
                get { "own" }
                set {}
            }
            override func becomeCurrent() { title = nil }
        }
        let activity = Own(activityType: "org.example.x")
        activity.becomeCurrent()
        #expect(activity.title == "own")
    }

    @Test func `errors have the same domains and codes as Apple's`() {
        #expect(CocoaError.userActivityHandoffUserInfoTooLarge.rawValue == 4611)
        #expect(NSUserActivityErrorMinimum == 4608 && NSUserActivityErrorMaximum == 4863)
        #expect(NSUserActivityTypeBrowsingWeb == "NSUserActivityTypeBrowsingWeb")
    }

    @Test func `requesting streams of an activity that was not continued throws an error`() async {
        await #expect(throws: CocoaError.self) { _ = try await activity.continuationStreams() }
    }

    @MainActor @Test func `an app's own types can conform to the protocols of activities`() {
        let identifier: NSUserActivityPersistentIdentifier = "p"
        let restoring: any NSUserActivityRestoring = Restoring()
        restoring.restoreUserActivityState(activity)
        #expect(identifier == "p")
    }

    private final class Restoring: NSObject, NSUserActivityRestoring {
        func restoreUserActivityState(_ userActivity: NSUserActivity) {}
    }
}
