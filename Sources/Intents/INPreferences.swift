public import Foundation

/// Tells whether the person allows the system's assistant to use the app; on Linux, there is no assistant.
open class INPreferences: NSObject {
    /// Returns the person's decision; on Linux, it is always that no assistant may use the app.
    open class func siriAuthorizationStatus() -> INSiriAuthorizationStatus { .restricted }

    /// Asks the person for a decision; the handler gets the decision.
    @preconcurrency
    open class func requestSiriAuthorization(
        _ handler: @escaping @Sendable (INSiriAuthorizationStatus) -> Void
    ) {
        Callbacks.call { handler(siriAuthorizationStatus()) }
    }
}

/// A person's decision about the system's assistant.
public enum INSiriAuthorizationStatus: Int, Sendable {
    /// The person has not been asked.
    case notDetermined = 0
    /// The person is not able to decide.
    case restricted = 1
    /// The person has refused.
    case denied = 2
    /// The person has agreed.
    case authorized = 3
}
