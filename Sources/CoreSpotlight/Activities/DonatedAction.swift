import BatonClient
import BatonCore
import Foundation

/// Something that a person did in the app, as the library Intents donates it.
///
/// The node keeps it for this machine and suggests it. When a person chooses it, the app gets it as an activity, with
/// the type of the given activity or else of the intent.
package struct DonatedAction: Sendable {
    private let donation: Donation
    private let type: String
    private let content: ActivityContent

    /// The key under which the payload has the interaction.
    private static let archiveKey = PropertyValue.string("org.baton.interaction")

    /// The most bytes of an archive, so that there is room for a title and for the content of the app's activity.
    package static var archiveBytes: Int { Limits.donationBytes * 3 / 4 }

    /// Describes an action; the archive has what Intents needs to recreate the interaction.
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

    // MARK: Calls

    /// Donates the action to the node; the handler gets the reason if that fails.
    ///
    /// Without a node the donation is lost, and the handler gets a failure. The loss matters little, because later
    /// donations say as much about the person.
    package func donate(then: @escaping @Sendable (_ failure: String?) -> Void) {
        var change = content.change
        change.replaces = false
        Self.ask(
            DonateAction(
                app: BatonApplication.shared.fixedIdentifier, donation, type: type, change: change),
            then)
    }

    /// Deletes the donations of these identifiers.
    package static func delete(
        _ identifiers: [String], then: @escaping @Sendable (_ failure: String?) -> Void
    ) { delete(.identifiers(identifiers), then) }

    /// Deletes the donations of a group.
    package static func delete(
        group: String, then: @escaping @Sendable (_ failure: String?) -> Void
    ) { delete(.group(group), then) }

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

    /// The donation that a person has chosen, from which Intents recreates the interaction.
    package struct Chosen {
        package let identifier: String
        package let group: String?
        package let date: Date
        package let archive: Data?
    }

    /// Returns the donation from which an activity came.
    static func chosen(_ summary: ActivitySummary) -> Chosen? {
        guard let donation = summary.donation else { return nil }
        var archive: Data?
        if case .data(let bytes)? = summary.activity.info[archiveKey] { archive = Data(bytes) }
        return Chosen(
            identifier: donation.identifier, group: donation.group, date: donation.time.date, archive: archive
        )
    }

    /// Returns the content of the activity that the app gets for an action, as if the app had made the activity itself.
    static func content(of activity: Activity) -> ActivityContent {
        var content = ActivityContent(activity)
        content.info?[archiveKey] = nil
        if content.info?.isEmpty ?? false { content.info = nil }
        (content.eligibility, content.expiration) = (.unspoken, nil)
        return content
    }
}

extension NSUserActivity {
    /// The donation from which the activity came; nil if it came from none.
    package var chosenDonation: DonatedAction.Chosen? { core.continued.flatMap { DonatedAction.chosen($0) } }
}
