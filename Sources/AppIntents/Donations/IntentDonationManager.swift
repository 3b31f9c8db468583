import BatonNetwork
import Foundation
import LocalizedStrings

/// Tells the system which intents a person has performed in the app, so that it suggests them.
public final class IntentDonationManager: Sendable {
    /// The manager of this process.
    public static let shared = IntentDonationManager()

    private let donations = Monitor<[IntentDonationIdentifier: Donated]>([:])

    private init() {}

    /// What is known about a donation of this process.
    struct Donated: Sendable {
        let type: String
        let entities: Set<EntityIdentifier>
    }

    // MARK: Donating

    /// Donates an intent; errors are ignored.
    @discardableResult
    public func donate(intent: some AppIntent) -> IntentDonationIdentifier { note(intent) }

    /// Donates an intent; throws an error if no node takes it.
    @discardableResult
    public func donate(intent: some AppIntent) async throws -> IntentDonationIdentifier {
        try await noteAndWait(intent)
    }

    /// Donates an intent with its result; errors are ignored.
    @discardableResult
    public func donate<Intent: AppIntent>(
        intent: Intent, result: Intent.PerformResult
    ) -> IntentDonationIdentifier { note(intent) }

    /// Donates an intent with its result; throws an error if no node takes it.
    @discardableResult
    public func donate<Intent: AppIntent>(
        intent: Intent, result: Intent.PerformResult
    ) async throws -> IntentDonationIdentifier { try await noteAndWait(intent) }

    /// Donates an intent without waiting.
    @discardableResult
    func note(_ intent: some AppIntent) -> IntentDonationIdentifier {
        let identifier = remember(intent)
        action(of: intent, identifier).donate { _ in }
        return identifier
    }

    private func noteAndWait(_ intent: some AppIntent) async throws -> IntentDonationIdentifier {
        let identifier = remember(intent)
        let donation = action(of: intent, identifier)
        let failure = await withCheckedContinuation { continuation in
            donation.donate { continuation.resume(returning: $0) }
        }
        if let failure { throw IntentDonationError(message: failure) }
        return identifier
    }

    private func remember(_ intent: some AppIntent) -> IntentDonationIdentifier {
        let identifier = IntentDonationIdentifier()
        let donated = Donated(
            type: type(of: intent).persistentIdentifier, entities: Self.entities(of: intent))
        donations.change { $0[identifier] = donated }
        return identifier
    }

    /// The entities among the values of an intent's parameters.
    private static func entities(of intent: some AppIntent) -> Set<EntityIdentifier> {
        let contents = IntentReflection.parameters(of: intent).compactMap(\.parameter.content).flatMap(
            \.elements)
        return Set(
            contents.compactMap { content in
                guard case .entity(let type, let identifier) = content else { return nil }
                return EntityIdentifier(activityIdentifier: "\(type)/\(identifier)")
            })
    }

    /// The donation as the node gets it: the archive has the values of the parameters, in an order that is always the same.
    private func action<Intent: AppIntent>(
        of intent: Intent, _ identifier: IntentDonationIdentifier
    ) -> DonatedAction {
        let values = Dictionary(
            IntentReflection.parameters(of: intent).compactMap { named in
                named.parameter.content.map { (named.name, $0) }
            }
        ) { first, _ in first }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let archive = try? encoder.encode(values)
        return DonatedAction(
            identifier.text, in: Intent.persistentIdentifier, at: nil, ofType: Intent.persistentIdentifier,
            title: Self.title(of: intent),
            archive: archive.flatMap { $0.count <= DonatedAction.archiveBytes ? $0 : nil }, activity: nil)
    }

    /// The title as the intent predicts it, else its name.
    private static func title<Intent: AppIntent>(of intent: Intent) -> String {
        let predicted = (intent as? any PredictableIntent)?.predictedTitle
        return predicted ?? String(localized: Intent.title)
    }

    // MARK: Deleting

    /// Deletes donations; returns those of this process that were deleted.
    @discardableResult
    public func deleteDonations(
        matching predicate: IntentDonationMatchingPredicate
    ) async throws -> [IntentDonationIdentifier] {
        let found = donations.change { donations in
            donations.filter { predicate.matches($0.key, $0.value) }.map(\.key)
        }
        let wanted = predicate.identifier.map { Set(found).union([$0]) } ?? Set(found)
        let group = predicate.wholeType
        let failure = await withCheckedContinuation { continuation in
            if let group {
                DonatedAction.delete(group: group) { continuation.resume(returning: $0) }
            } else {
                DonatedAction.delete(wanted.map(\.text)) { continuation.resume(returning: $0) }
            }
        }
        if let failure { throw IntentDonationError(message: failure) }
        donations.change { donations in
            for identifier in wanted { donations[identifier] = nil }
        }
        return Array(wanted)
    }
}

extension PredictableIntent {
    /// The title of the intent as it predicts it; nil if a value that the title needs is missing.
    fileprivate var predictedTitle: String? { Self.predictionConfiguration._title(of: self)?.text }
}

extension AppIntent {
    /// Tells the system that the person has performed the intent; errors are ignored.
    @discardableResult
    public func donate() -> IntentDonationIdentifier { IntentDonationManager.shared.note(self) }

    /// Tells the system that the person has performed the intent; throws an error if no node takes it.
    @discardableResult
    public func donate() async throws -> IntentDonationIdentifier {
        try await IntentDonationManager.shared.donate(intent: self)
    }

    /// Tells the system that the person has performed the intent, with its result; errors are ignored.
    @discardableResult
    public func donate(result: PerformResult) -> IntentDonationIdentifier {
        IntentDonationManager.shared.note(self)
    }

    /// Tells the system that the person has performed the intent, with its result; throws an error if no node takes it.
    @discardableResult
    public func donate(result: PerformResult) async throws -> IntentDonationIdentifier {
        try await IntentDonationManager.shared.donate(intent: self, result: result)
    }
}
