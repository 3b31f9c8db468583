public import Foundation

/// Gets what a person continues and opens in the app, as the delegates of UIKit and AppKit do.
///
/// All methods have a default. They are called on the main actor, as those of UIKit and AppKit are. While the main
/// thread waits for something other than its queue, such as in `readLine()`, no method is called: the app then
/// continues nothing, and another instance or machine may. The closures of `NSUserActivity.onContinue(_:perform:)`
/// don't need the main thread.
@preconcurrency @MainActor
public protocol BatonApplicationDelegate: AnyObject {
    /// Called when an activity of a type is about to be continued; returns whether the app itself tells the person.
    func application(
        _ application: BatonApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool

    /// Continues an activity; returns whether the app does.
    ///
    /// An item that a person opens arrives as an activity of `CSSearchableItemActionType`, and a search that is
    /// continued in the app as an activity of `CSQueryContinuationActionType`. The handler may be called, even later,
    /// with objects that are to get the activity by `restoreUserActivityState(_:)`.
    func application(
        _ application: BatonApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]?) -> Void
    ) -> Bool

    /// Called when an activity could not be continued; the error is in `NSCocoaErrorDomain`.
    func application(
        _ application: BatonApplication, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error)

    /// Called when an activity of the app was saved, before it is sent.
    func application(_ application: BatonApplication, didUpdate userActivity: NSUserActivity)

    /// Called when the node refused the present state of an activity; other machines keep the previous state.
    ///
    /// The error is `CocoaError.userActivityHandoffUserInfoTooLarge` if the activity is too large.
    func application(
        _ application: BatonApplication, didFailToOffer userActivity: NSUserActivity, error: any Error)
}

extension BatonApplicationDelegate {
    /// Returns false.
    public func application(
        _ application: BatonApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool { false }

    /// Returns false, so that the closures of `NSUserActivity.onContinue(_:perform:)` get the activity.
    public func application(
        _ application: BatonApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]?) -> Void
    ) -> Bool { false }

    /// Does nothing.
    public func application(
        _ application: BatonApplication, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) {}

    /// Does nothing.
    public func application(_ application: BatonApplication, didUpdate userActivity: NSUserActivity) {}

    /// Does nothing.
    public func application(
        _ application: BatonApplication, didFailToOffer userActivity: NSUserActivity, error: any Error
    ) {}
}

/// An object that can restore its state from an activity, on the main actor.
@preconcurrency @MainActor
public protocol NSUserActivityRestoring: NSObjectProtocol {
    /// Restores the state.
    func restoreUserActivityState(_ userActivity: NSUserActivity)
}

extension NSUserActivity {
    /// Adds a closure that continues activities of a type here; `org.example.notes.*` stands for all types below it.
    ///
    /// The closure gets the activities that `BatonApplication.shared.delegate` does not continue. Several closures for
    /// one type are all called. With `CSSearchableItemActionType` the closure gets items that a person opens, and with
    /// `CSQueryContinuationActionType` searches that are continued in the app.
    public static func onContinue(
        _ activityType: String, perform: @escaping (_ userActivity: NSUserActivity) -> Void
    ) {
        BatonApplication.shared.add(activityType, perform)
    }
}
