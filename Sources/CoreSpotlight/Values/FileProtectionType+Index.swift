import BatonCore
import Foundation

extension FileProtectionType {
    /// The protection with which the content of an index is sealed; nil for a protection that seals nothing.
    ///
    /// `.completeUntilFirstUserAuthentication` protects nothing while a person is logged in, as they are while a node runs.
    var indexProtection: IndexProtection? {
        // The type is not comparable on Linux.
        switch rawValue {
        case Self.complete.rawValue: .complete
        case Self.completeUnlessOpen.rawValue: .completeUnlessOpen
        default: nil
        }
    }
}
