public import Foundation

/// Gets the activities that a person continues and the items that a person opens, as the delegates of UIKit and AppKit
/// do.
///
/// All methods have a default. As in UIKit and AppKit, they are called on the main actor. If the main thread waits for
/// something other than its queue, such as in `readLine()`, no method is called. Then the app continues nothing, and
/// another instance or machine may continue it. The closures of `NSUserActivity.onContinue(_:perform:)` don't need the
/// main thread.
@preconcurrency @MainActor
public protocol BatonApplicationDelegate: AnyObject {
    /// Called when an activity of a type is about to be continued.
    ///
    /// Returns whether the app itself tells the person about that.
    func application(
        _ application: BatonApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool

    /// Continues an activity; returns whether the app continues it.
    ///
    /// An item that a person opens arrives as an activity of the type `CSSearchableItemActionType`. A search that is
    /// continued in the app arrives as an activity of the type `CSQueryContinuationActionType`. The app may call the
    /// handler, even later, with objects that get the activity by `restoreUserActivityState(_:)`.
    func application(
        _ application: BatonApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]?) -> Void
    ) -> Bool

    /// Called when an activity could not be continued; the error is in `NSCocoaErrorDomain`.
    func application(
        _ application: BatonApplication, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error)

    /// Called when an activity of the app was saved, before the activity is sent.
    func application(_ application: BatonApplication, didUpdate userActivity: NSUserActivity)

    /// Called when the node has refused the present state of an activity; other machines still have the previous state.
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
    /// Restores the state of this object from an activity.
    func restoreUserActivityState(_ userActivity: NSUserActivity)
}

extension NSUserActivity {
    /// Adds a closure that continues activities of a type on this machine.
    ///
    /// The type may be a pattern: for example, `org.example.notes.*` matches all types that begin with
    /// `org.example.notes.`. The closure gets the activities that `BatonApplication.shared.delegate` does not continue.
    /// If there are several closures for one type, all are called. With `CSSearchableItemActionType`, the closure gets
    /// items that a person opens. With `CSQueryContinuationActionType`, it gets searches that are continued in the app.
    public static func onContinue(
        _ activityType: String, perform: @escaping (_ userActivity: NSUserActivity) -> Void
    ) {
        BatonApplication.shared.add(activityType, perform)
    }
}
