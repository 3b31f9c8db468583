public import Foundation

/// Whether the person lets the system's assistant use the app; on Linux there is no assistant.
open class INPreferences: NSObject {
    /// Returns the decision: no assistant may use the app.
    open class func siriAuthorizationStatus() -> INSiriAuthorizationStatus { .restricted }

    /// Asks the person; the handler gets the decision.
    @preconcurrency
    open class func requestSiriAuthorization(
        _ handler: @escaping @Sendable (INSiriAuthorizationStatus) -> Void
    ) {
        Callbacks.call { handler(siriAuthorizationStatus()) }
    }
}

/// The decision of a person about the system's assistant.
public enum INSiriAuthorizationStatus: Int, Sendable {
    /// The person was not asked.
    case notDetermined = 0
    /// The person can't decide.
    case restricted = 1
    /// The person refused.
    case denied = 2
    /// The person agreed.
    case authorized = 3
}
