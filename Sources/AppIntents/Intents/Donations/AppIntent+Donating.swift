extension AppIntent {
    /// Notes that the person has performed the intent.
    @discardableResult
    public func donate() -> IntentDonationIdentifier { IntentDonationManager.shared.note(self) }

    /// Notes that the person has performed the intent.
    @discardableResult
    public func donate() async throws -> IntentDonationIdentifier { IntentDonationManager.shared.note(self) }

    /// Notes that the person has performed the intent, with its result.
    @discardableResult
    public func donate(result: PerformResult) -> IntentDonationIdentifier {
        IntentDonationManager.shared.note(self)
    }

    /// Notes that the person has performed the intent, with its result.
    @discardableResult
    public func donate(result: PerformResult) async throws -> IntentDonationIdentifier {
        IntentDonationManager.shared.note(self)
    }
}
