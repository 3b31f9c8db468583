import Foundation

/// Names a donation.
public struct IntentDonationIdentifier: Hashable, Codable, Sendable {
    let text: String

    init() { text = UUID().uuidString }
}
