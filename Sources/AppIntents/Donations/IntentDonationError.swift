import Foundation
import LocalizedStrings

/// A donation that the node did not take.
struct IntentDonationError: LocalizedError {
    let message: String

    var errorDescription: String? { message }
}
