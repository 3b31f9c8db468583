import BatonNetwork
import CoreSpotlight
import Foundation
import LocalizedStrings

/// Donates the intents that a person has performed in the app to the node of this machine.
///
/// `baton suggest` suggests donated intents, and runs the chosen one again with `baton run`. The node keeps donations
/// on this machine, for the days of the setting `finished-days`. While no node runs, donations are lost.
public final class IntentDonationManager: Sendable {
    /// The manager of this process.
    public static let shared = IntentDonationManager()

    private let donations = Monitor<[IntentDonationIdentifier: Donated]>([:])

    private init() {}

    /// A donation of this process, as `deleteDonations` selects it.
    struct Donated: Sendable {
        /// The name of the intent's type.
        let type: String
        /// The entities among the values of its parameters.
        let entities: Set<_IntentValueContent>
    }

    // MARK: Donating

    /// Donates an intent.
    @discardableResult
    public func donate(intent: some AppIntent) -> IntentDonationIdentifier { note(intent) }

    /// Donates an intent; throws if the node does not take it.
    @discardableResult
    public func donate(intent: some AppIntent) async throws -> IntentDonationIdentifier {
        try await donated(intent)
    }

    /// Donates an intent with its result, which is not kept.
    @discardableResult
    public func donate<Intent: AppIntent>(
        intent: Intent, result: Intent.PerformResult
    ) -> IntentDonationIdentifier { note(intent) }

    /// Donates an intent with its result, which is not kept; throws if the node does not take it.
    @discardableResult
    public func donate<Intent: AppIntent>(
        intent: Intent, result: Intent.PerformResult
    ) async throws -> IntentDonationIdentifier { try await donated(intent) }

    /// Donates an intent without waiting; a failure is ignored.
    @discardableResult
    func note<Intent: AppIntent>(_ intent: Intent) -> IntentDonationIdentifier {
        let (identifier, action) = prepare(intent)
        action.donate { _ in }
        return identifier
    }

    /// Donates an intent, and waits until the node has stored it.
    func donated<Intent: AppIntent>(_ intent: Intent) async throws -> IntentDonationIdentifier {
        let (identifier, action) = prepare(intent)
        do {
            try await Self.wait { action.donate(then: $0) }
        } catch {
            donations.change { $0[identifier] = nil }
            throw error
        }
        return identifier
    }

    /// Remembers the donation in this process, and describes the donation for the node.
    private func prepare<Intent: AppIntent>(
        _ intent: Intent
    ) -> (identifier: IntentDonationIdentifier, action: DonatedAction) {
        LibraryUse.note(.call)
        let parameters = IntentReflection.parameters(of: intent)
        let entities = parameters.compactMap(\.parameter.content).flatMap(\.elements).filter {
            if case .entity = $0 { true } else { false }
        }
        let identifier = IntentDonationIdentifier()
        donations.change {
            $0[identifier] = Donated(type: Intent.persistentIdentifier, entities: Set(entities))
        }
        var values: [String: [String]] = [:]
        for named in parameters {
            let texts = named.parameter.content?.elements.compactMap(\.argument) ?? []
            if !texts.isEmpty { values[named.name] = texts }
        }
        let action = DonatedAction(
            identifier.text, at: Date(), intent: Intent.persistentIdentifier, values: values,
            title: Self.title(of: intent), about: entities.compactMap(\.entityName))
        return (identifier, action)
    }

    /// Returns the title of the action in a list of suggestions: the title of the intent, and its parameters' values.
    private static func title<Intent: AppIntent>(of intent: Intent) -> String {
        let title = String(localized: Intent.title)
        let values = IntentReflection.parameters(of: intent).compactMap { named in
            named.parameter.content.map(\.summary).flatMap { $0.isEmpty ? nil : $0 }
        }
        return values.isEmpty ? title : "\(title): \(values.joined(separator: ", "))"
    }

    // MARK: Deleting

    /// Deletes donations, also those of earlier processes of the app; returns the deleted ones of this process.
    ///
    /// A donation of an earlier process is deleted without being returned, because the node does not report the
    /// identifiers of what it deletes.
    @discardableResult
    public func deleteDonations(
        matching predicate: IntentDonationMatchingPredicate
    ) async throws -> [IntentDonationIdentifier] {
        try await Self.wait { predicate.delete(then: $0) }
        return donations.change { donations in
            let found = donations.filter { predicate.matches($0.key, $0.value) }.map(\.key)
            for identifier in found { donations[identifier] = nil }
            return found
        }
    }

    /// Waits for the outcome of a call, and throws the reason if it failed.
    private static func wait(
        for call: (@escaping @Sendable (_ failure: String?) -> Void) -> Void
    ) async throws {
        let failure = await withCheckedContinuation { continuation in
            call { continuation.resume(returning: $0) }
        }
        if let failure { throw IntentDonationError(text: failure) }
    }
}

extension _IntentValueContent {
    /// The value as a person could type it in a command; nil if it can't be typed, such as the bytes of a file.
    fileprivate var argument: String? {
        switch self {
        case .none, .list: nil
        case .flag(let isOn): isOn ? "true" : "false"
        case .file(_, _, let url, _): url?.isFileURL == true ? url?.path : nil
        default: summary
        }
    }

    /// The name of an entity, as `EntityIdentifier` writes it.
    var entityName: String? {
        guard case .entity(let type, let identifier) = self else { return nil }
        let name = type.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? type
        return name + "/" + identifier
    }
}
