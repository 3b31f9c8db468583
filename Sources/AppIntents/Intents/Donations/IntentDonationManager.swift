import BatonNetwork

/// Notes which intents a person has performed in the app.
///
/// The notes stay in the process: nothing on Linux suggests intents from them.
public final class IntentDonationManager: Sendable {
    /// The manager of this process.
    public static let shared = IntentDonationManager()

    private let donations = Monitor<[IntentDonationIdentifier: Donated]>([:])

    private init() {}

    /// The facts by which a donation is found to be deleted.
    struct Donated: Sendable {
        /// The name of the intent's type.
        let type: String
        /// The entities among the values of its parameters.
        let entities: Set<_IntentValueContent>
    }

    /// Donates an intent.
    @discardableResult
    public func donate(intent: some AppIntent) -> IntentDonationIdentifier { note(intent) }

    /// Donates an intent.
    @discardableResult
    public func donate(intent: some AppIntent) async throws -> IntentDonationIdentifier { note(intent) }

    /// Donates an intent with its result.
    @discardableResult
    public func donate<Intent: AppIntent>(
        intent: Intent, result: Intent.PerformResult
    ) -> IntentDonationIdentifier { note(intent) }

    /// Donates an intent with its result.
    @discardableResult
    public func donate<Intent: AppIntent>(
        intent: Intent, result: Intent.PerformResult
    ) async throws -> IntentDonationIdentifier { note(intent) }

    /// Notes an intent.
    @discardableResult
    func note<Intent: AppIntent>(_ intent: Intent) -> IntentDonationIdentifier {
        LibraryUse.note(.call)
        let contents = IntentReflection.parameters(of: intent).compactMap(\.parameter.content)
        let entities = contents.flatMap(\.elements).filter { if case .entity = $0 { true } else { false } }
        let identifier = IntentDonationIdentifier()
        donations.change {
            $0[identifier] = Donated(type: Intent.persistentIdentifier, entities: Set(entities))
        }
        return identifier
    }

    /// Deletes donations of this process; returns those that were deleted.
    @discardableResult
    public func deleteDonations(
        matching predicate: IntentDonationMatchingPredicate
    ) async throws -> [IntentDonationIdentifier] {
        donations.change { donations in
            let found = donations.filter { predicate.matches($0.key, $0.value) }.map(\.key)
            for identifier in found { donations[identifier] = nil }
            return found
        }
    }
}
