import BatonClient
import BatonCore
import Foundation

/// An action of a person in the app, which the app donates through the library Intents or AppIntents.
///
/// The node stores the action on this machine and suggests it later. When a person chooses the suggestion, the app gets
/// it as an activity. The type of this activity is the type of the given activity, or else of the intent. If the
/// library AppIntents donated the action, the app gets no activity, and `baton run` runs the intent instead.
package struct DonatedAction: Sendable {
    private let donation: Donation
    private let type: String
    private let content: ActivityContent

    /// The key in the payload whose value is the archived interaction.
    private static let archiveKey = PropertyValue.string("org.baton.interaction")

    /// The largest size of an archive in bytes, which leaves room for a title and for the content of the app's
    /// activity.
    package static var archiveBytes: Int { Limits.donationBytes * 3 / 4 }

    /// Describes an action; `archive` contains the data from which Intents recreates the interaction.
    package init(
        _ identifier: String, in group: String?, at date: Date?, ofType intent: String, title: String?,
        archive: Data?, activity: NSUserActivity?
    ) {
        donation = Donation(identifier, in: group, at: WallTime(date ?? Date()))
        type = activity?.activityType ?? intent
        var content = activity?.core.content ?? ActivityContent()
        content.title = title ?? content.title ?? intent
        if let archive {
            content.info = (content.info ?? [:]).merging([Self.archiveKey: .data(Array(archive))]) { $1 }
        }
        self.content = content
    }

    /// Describes an intent of AppIntents that was performed, with the values of its parameters as a person types them.
    ///
    /// Equal intents with equal values are one action, however often they are donated.
    package init(
        _ identifier: String, at date: Date, intent: String, values: [String: [String]], title: String,
        about entities: [String]
    ) {
        // The node refuses a donation with a longer name, so such a name is left out.
        let subjects = entities.filter { $0.utf8.count <= Limits.donationNameBytes }
        donation = Donation(
            identifier, in: Self.group(of: intent), at: WallTime(date),
            about: Array(subjects.prefix(Donation.subjectsMost)))
        type = intent
        var content = ActivityContent()
        content.title = title
        content.info = DonatedIntent(intent, values).info
        self.content = content
    }

    /// The group of all donations of an intent of AppIntents.
    package static func group(of intent: String) -> String { "AppIntent:" + intent }

    // MARK: Calls

    /// Donates the action to the node; if that fails, the handler gets the reason.
    ///
    /// If there is no node, the donation is lost, and the handler gets a failure. The loss matters little, because
    /// later donations tell as much about the person.
    package func donate(then: @escaping @Sendable (_ failure: String?) -> Void) {
        var change = content.change
        change.replaces = false
        Self.ask(
            DonateAction(
                app: BatonApplication.shared.fixedIdentifier, donation, type: type, change: change),
            then)
    }

    /// Deletes the donations with these identifiers.
    package static func delete(
        _ identifiers: [String], then: @escaping @Sendable (_ failure: String?) -> Void
    ) { delete(.identifiers(identifiers), then) }

    /// Deletes the donations of a group of interactions.
    package static func delete(
        group: String, then: @escaping @Sendable (_ failure: String?) -> Void
    ) { delete(.group(group), then) }

    /// Deletes the donations about an entity; if an intent is given, only donations of that intent.
    package static func delete(
        about entity: String, intent: String?, then: @escaping @Sendable (_ failure: String?) -> Void
    ) { delete(.subject(entity, group: intent.map { group(of: $0) }), then) }

    /// Deletes all donations of the app.
    package static func deleteAll(then: @escaping @Sendable (_ failure: String?) -> Void) {
        delete(.all, then)
    }

    private static func delete(
        _ selection: Donation.Selection, _ then: @escaping @Sendable (String?) -> Void
    ) { ask(DeleteDonations(app: BatonApplication.shared.fixedIdentifier, selection), then) }

    private static func ask(_ call: some LocalCall, _ then: @escaping @Sendable (String?) -> Void) {
        BatonApplication.shared.client.ask(call) { result in
            switch result {
            case .success: then(nil)
            case .failure(let failure): then(failure.text)
            }
        }
    }

    // MARK: Being chosen

    /// A donation that a person has chosen, with the data from which Intents recreates the interaction.
    package struct Chosen {
        package let identifier: String
        package let group: String?
        package let date: Date
        package let archive: Data?
    }

    /// Returns the donation that a continued activity came from; nil if it did not come from a donation of the library
    /// Intents.
    static func chosen(_ summary: ActivitySummary) -> Chosen? {
        guard let donation = summary.donation, DonatedIntent(summary.activity) == nil else { return nil }
        var archive: Data?
        if case .data(let bytes)? = summary.activity.info[archiveKey] { archive = Data(bytes) }
        return Chosen(
            identifier: donation.identifier, group: donation.group, date: donation.time.date, archive: archive
        )
    }

    /// Returns the content of the activity that the app gets for an action.
    ///
    /// It looks as if the app had created the activity itself.
    static func content(of activity: Activity) -> ActivityContent {
        var content = ActivityContent(activity)
        content.info?[archiveKey] = nil
        if content.info?.isEmpty ?? false { content.info = nil }
        (content.eligibility, content.expiration) = (.unspoken, nil)
        return content
    }
}

extension NSUserActivity {
    /// The donation that this activity came from; nil if it did not come from a donation.
    package var chosenDonation: DonatedAction.Chosen? { core.continued.flatMap { DonatedAction.chosen($0) } }
}
