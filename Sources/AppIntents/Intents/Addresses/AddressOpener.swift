import BatonNetwork
import Foundation

/// Opens addresses for intents; a terminal or a test sets how.
package final class AddressOpener: Sendable {
    /// The opener of this process.
    package static let shared = AddressOpener()

    private let opening = Monitor<(@Sendable (URL) async throws -> Void)?>(nil)

    private init() {}

    /// Sets how addresses are opened; nil opens none.
    package func set(_ opening: (@Sendable (URL) async throws -> Void)?) {
        self.opening.change { $0 = opening }
    }

    func open(_ url: URL) async throws { try await opening.change { $0 }?(url) }
}
