// A delegate for UIKit as apps have it, and the names that the page about porting gives it on Linux.

import CoreSpotlight

typealias UIApplication = BatonApplication
typealias UIApplicationDelegate = BatonApplicationDelegate
typealias UIResponder = NSObject
typealias UIUserActivityRestoring = NSUserActivityRestoring

class AppDelegate: UIResponder, UIApplicationDelegate {
    private var opened: String?
    private let note = Note()

    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String)
        -> Bool
    { userActivityType == CSSearchableItemActionType }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard userActivity.activityType == CSSearchableItemActionType else { return false }
        opened = userActivity.userInfo?[CSSearchableItemActivityIdentifier] as? String
        restorationHandler([note])
        return true
    }

    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String,
        error: Error
    ) { print(error) }

    func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity) {
        opened = userActivity.title
    }
}

class Note: UIResponder, UIUserActivityRestoring {
    var title: String?

    func restoreUserActivityState(_ userActivity: NSUserActivity) { title = userActivity.title }
}

@MainActor func start() -> AppDelegate {
    let delegate = AppDelegate()
    BatonApplication.shared.delegate = delegate
    return delegate
}
