extension AppIntent {
    /// Donates the intent, which the person has performed.
    @discardableResult
    public func donate() -> IntentDonationIdentifier { IntentDonationManager.shared.note(self) }

    /// Donates the intent, which the person has performed; throws if the node does not take it.
    @discardableResult
    public func donate() async throws -> IntentDonationIdentifier {
        try await IntentDonationManager.shared.donated(self)
    }

    /// Donates the intent, which the person has performed, with its result.
    @discardableResult
    public func donate(result: PerformResult) -> IntentDonationIdentifier {
        IntentDonationManager.shared.note(self)
    }

    /// Donates the intent, which the person has performed, with its result; throws if the node does not take it.
    @discardableResult
    public func donate(result: PerformResult) async throws -> IntentDonationIdentifier {
        try await IntentDonationManager.shared.donated(self)
    }
}
