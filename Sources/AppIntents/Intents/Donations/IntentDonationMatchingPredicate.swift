import CoreSpotlight

/// Says which donations are meant.
public struct IntentDonationMatchingPredicate: Sendable {
    private enum Kind: Sendable {
        case donation(IntentDonationIdentifier)
        case entity(EntityIdentifier)
        case type(String, EntityIdentifier?)
    }

    private let kind: Kind

    /// The donation with an identifier.
    public static func donationIdentifier(_ identifier: IntentDonationIdentifier) -> Self {
        Self(kind: .donation(identifier))
    }

    /// The donations of intents with an entity among their parameters.
    public static func entityIdentifier(_ identifier: EntityIdentifier) -> Self {
        Self(kind: .entity(identifier))
    }

    /// The donations of intents of a type, with an entity among their parameters if one is named.
    public static func intentType<Intent: AppIntent>(
        _ type: Intent.Type, entityIdentifier: EntityIdentifier? = nil
    ) -> Self { Self(kind: .type(type.persistentIdentifier, entityIdentifier)) }

    /// Whether a donation of this process is meant.
    func matches(_ identifier: IntentDonationIdentifier, _ donated: IntentDonationManager.Donated) -> Bool {
        switch kind {
        case .donation(let wanted): identifier == wanted
        case .entity(let entity): donated.entities.contains(entity._content)
        case .type(let type, let entity):
            donated.type == type && (entity.map { donated.entities.contains($0._content) } ?? true)
        }
    }

    /// Has the node delete the donations, also those of earlier processes.
    func delete(then: @escaping @Sendable (_ failure: String?) -> Void) {
        switch kind {
        case .donation(let identifier): DonatedAction.delete([identifier.text], then: then)
        case .entity(let entity):
            DonatedAction.delete(about: entity.activityIdentifier, intent: nil, then: then)
        case .type(let type, let entity?):
            DonatedAction.delete(about: entity.activityIdentifier, intent: type, then: then)
        case .type(let type, nil): DonatedAction.delete(group: DonatedAction.group(of: type), then: then)
        }
    }
}
