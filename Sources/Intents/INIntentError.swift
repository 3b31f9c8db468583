public import Foundation

/// The domain of errors about intents.
public let INIntentErrorDomain = "IntentsErrorDomain"

/// An error about donating interactions, or about deleting donations.
public struct INIntentError: _BridgedStoredNSError, Sendable {
    /// The same error as an object of Foundation.
    public let _nsError: NSError

    /// Creates an error from an `NSError`, whose domain must be the domain of this type.
    public init(_nsError error: NSError) {
        precondition(error.domain == INIntentErrorDomain, "the error is in another domain")
        _nsError = error
    }

    /// The domain of these errors.
    public static var _nsErrorDomain: String { INIntentErrorDomain }
    /// The domain of these errors.
    public static var errorDomain: String { INIntentErrorDomain }

    // Foundation implements the next two members for all bridged errors, but on Linux these implementations end the
    // program.

    /// Hashes the code of the error.
    public func hash(into hasher: inout Hasher) { hasher.combine(_nsError.code) }
    /// A hash value, which is the same for equal errors.
    public var hashValue: Int { _nsError.code.hashValue }

    /// The causes of these errors.
    public enum Code: Int, _ErrorCodeProtocol, Sendable, CaseIterable {
        /// The error type of these codes.
        public typealias _ErrorType = INIntentError

        /// This use of interactions is not supported here.
        case interactionOperationNotSupported = 1900
        /// An interaction was not donated; the description of the error gives the reason.
        case donatingInteraction = 1901
        /// The donations of the app were not deleted.
        case deletingAllInteractions = 1902
        /// Donations with these identifiers were not deleted.
        case deletingInteractionWithIdentifiers = 1903
        /// The donations of a group were not deleted.
        case deletingInteractionWithGroupIdentifier = 1904

        /// Matches errors with this code, both as values of this type and as `NSError` objects.
        public static func ~= (code: Code, error: any Error) -> Bool {
            if let error = error as? INIntentError { return error.code == code }
            let error = error as NSError
            return error.domain == INIntentErrorDomain && error.code == code.rawValue
        }
    }

    /// This use of interactions is not supported here.
    public static var interactionOperationNotSupported: Code { .interactionOperationNotSupported }
    /// An interaction was not donated.
    public static var donatingInteraction: Code { .donatingInteraction }
    /// The donations of the app were not deleted.
    public static var deletingAllInteractions: Code { .deletingAllInteractions }
    /// Donations with these identifiers were not deleted.
    public static var deletingInteractionWithIdentifiers: Code { .deletingInteractionWithIdentifiers }
    /// The donations of a group were not deleted.
    public static var deletingInteractionWithGroupIdentifier: Code { .deletingInteractionWithGroupIdentifier }
}

extension INIntentError {
    /// Creates an error with a description for a person.
    init(_ code: Code, _ description: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: description])
    }
}
