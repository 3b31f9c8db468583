public import Foundation

/// A reason why an intent could not be performed, in the words of the system.
public struct AppIntentError: Error, Hashable, Sendable {
    enum Reason: Hashable, Sendable {
        case restartPerform
        case needsToContinueInForeground(String?)
        case permission(PermissionRequired)
        case unrecoverable(Unrecoverable)
        case action(UserActionRequired)
    }

    let reason: Reason

    /// Begins `perform()` again, with the parameters as they are then.
    public static let restartPerform = AppIntentError(reason: .restartPerform)

    /// Brings the app to the front, and ends the intent.
    static func needsToContinueInForeground(_ dialog: String?) -> AppIntentError {
        AppIntentError(reason: .needsToContinueInForeground(dialog))
    }

    /// A permission that the app lacks.
    public struct PermissionRequired: Error, Hashable, Sendable {
        let name: String

        /// Bluetooth.
        public static let bluetooth = PermissionRequired(name: "Bluetooth")
        /// The person's contacts.
        public static let contacts = PermissionRequired(name: "contacts")
        /// Machines on the local network.
        public static let localNetwork = PermissionRequired(name: "the local network")
        /// The person's photos.
        public static let photos = PermissionRequired(name: "photos")
        /// The assistant.
        public static let siri = PermissionRequired(name: "the assistant")

        /// The person's location.
        public static func location(precise: Bool) -> PermissionRequired {
            PermissionRequired(name: precise ? "the exact location" : "the location")
        }
    }

    /// A reason that no action of the person removes.
    public struct Unrecoverable: Error, Hashable, Sendable {
        let message: String

        /// The entity is gone.
        public static let entityNotFound = Unrecoverable(message: "The item was not found.")
        /// The feature is switched off now.
        public static let featureCurrentlyRestricted = Unrecoverable(
            message: "The feature is not available now.")
        /// The network failed.
        public static let networkFailure = Unrecoverable(message: "The network failed.")
        /// The person may not do this.
        public static let notAllowed = Unrecoverable(message: "This is not allowed.")
        /// Only a part was done.
        public static let partialFailure = Unrecoverable(message: "Only a part was done.")
        /// The reason is not known.
        public static let unknown = Unrecoverable(message: "Something went wrong.")
        /// The machine can't do this.
        public static let unsupportedOnDevice = Unrecoverable(message: "This machine can't do this.")
    }

    /// Something that the person has to do first.
    public struct UserActionRequired: Error, Hashable, Sendable {
        let message: String

        /// Set up an account.
        public static let accountSetup = UserActionRequired(message: "Set up an account in the app first.")
        /// Confirm something in the app.
        public static let confirmation = UserActionRequired(message: "Confirm this in the app first.")
        /// Sign in.
        public static let signin = UserActionRequired(message: "Sign in to the app first.")
    }
}

extension AppIntentError: LocalizedError {
    /// The error in words for a person.
    public var errorDescription: String? {
        switch reason {
        case .restartPerform: "The intent asked to begin again."
        case .needsToContinueInForeground(let dialog): dialog ?? "Continue in the app."
        case .permission(let permission): permission.errorDescription
        case .unrecoverable(let reason): reason.errorDescription
        case .action(let action): action.errorDescription
        }
    }
}

extension AppIntentError.PermissionRequired: LocalizedError {
    /// The error in words for a person.
    public var errorDescription: String? { "The app may not use \(name). Allow it in the app's settings." }
}

extension AppIntentError.Unrecoverable: LocalizedError {
    /// The error in words for a person.
    public var errorDescription: String? { message }
}

extension AppIntentError.UserActionRequired: LocalizedError {
    /// The action that the person has to take, in words.
    public var errorDescription: String? { message }
}
