public import Foundation

/// The domain of errors about indexes.
public let CSIndexErrorDomain = "CSIndexErrorDomain"

/// An error about a change of an index, or about a request to an index.
public struct CSIndexError: _BridgedStoredNSError, Sendable {
    /// The same error as an object of Foundation.
    public let _nsError: NSError

    /// Creates an error from an `NSError`, whose domain must be the domain of this type.
    public init(_nsError error: NSError) {
        precondition(error.domain == CSIndexErrorDomain, "the error is in another domain")
        _nsError = error
    }

    /// The domain of these errors.
    public static var _nsErrorDomain: String { CSIndexErrorDomain }
    /// The domain of these errors.
    public static var errorDomain: String { CSIndexErrorDomain }

    // Foundation implements the next two members for all bridged errors, but on Linux these implementations end the
    // program.

    /// Hashes the code of the error.
    public func hash(into hasher: inout Hasher) { hasher.combine(_nsError.code) }
    /// A hash value, which is the same for equal errors.
    public var hashValue: Int { _nsError.code.hashValue }

    /// The causes of these errors.
    public enum Code: Int, _ErrorCodeProtocol, Sendable, CaseIterable {
        /// The error type of these codes.
        public typealias _ErrorType = CSIndexError

        /// The cause is not known.
        case unknownError = -1
        /// No index can be reached; on Linux, no node is running.
        case indexUnavailableError = -1000
        /// An item is not valid; the description of the error gives the reason.
        case invalidItemError = -1001
        /// A client state is too long.
        case invalidClientStateError = -1002
        /// The connection to the index failed.
        case remoteConnectionError = -1003
        /// The app has reached the quota of its indexes.
        case quotaExceeded = -1004
        /// This kind of index is not supported here.
        case indexingUnsupported = -1005
        /// The client state is not the one that the app expected.
        case mismatchedClientState = -1006

        /// Matches errors with this code, both as values of this type and as `NSError` objects.
        public static func ~= (code: Code, error: any Error) -> Bool {
            if let error = error as? CSIndexError { return error.code == code }
            let error = error as NSError
            return error.domain == CSIndexErrorDomain && error.code == code.rawValue
        }
    }

    /// The cause is not known.
    public static var unknownError: Code { .unknownError }
    /// No index can be reached.
    public static var indexUnavailableError: Code { .indexUnavailableError }
    /// An item is not valid.
    public static var invalidItemError: Code { .invalidItemError }
    /// A client state is too long.
    public static var invalidClientStateError: Code { .invalidClientStateError }
    /// The connection to the index failed.
    public static var remoteConnectionError: Code { .remoteConnectionError }
    /// The app has reached the quota of its indexes.
    public static var quotaExceeded: Code { .quotaExceeded }
    /// This kind of index is not supported here.
    public static var indexingUnsupported: Code { .indexingUnsupported }
    /// The client state is not the one that the app expected.
    public static var mismatchedClientState: Code { .mismatchedClientState }
}

extension CSIndexError {
    /// Creates an error with a description for a person.
    init(_ code: Code, _ description: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: description])
    }
}
