import BatonClient
import BatonCore
import Foundation

/// An entity of this app that is on a screen of one of the person's machines, as the library AppIntents reads it from
/// the node.
package struct ShownEntity: Equatable, Sendable {
    /// The name of its type.
    package let type: String
    /// The identifier among the entities of its type.
    package let identifier: String
    /// The name of the machine.
    package let device: String
    /// Whether the machine is this one.
    package let isHere: Bool
    /// The time when the activity that is about the entity was last changed.
    package let changed: Date

    private init?(_ summary: ActivitySummary) {
        guard let entity = summary.activity.namedEntity else { return nil }
        (type, identifier) = (entity.type, entity.identifier)
        (device, isHere) = (summary.device.name, summary.device.isHere)
        changed = Date(timeIntervalSince1970: Double(summary.activity.changed.milliseconds) / 1000)
    }

    /// Returns the entities, the one that was changed last first; throws a `NodeFailure`.
    ///
    /// Activities that the person hides on this machine, or that do not leave their machine, are left out.
    package static func all() async throws -> [ShownEntity] {
        let application = BatonApplication.shared
        var shown: [ShownEntity] = []
        var place: ListPlace?
        do throws(LocalFailure) {
            repeat {
                let part = try await application.client.ask(ListActivities(after: place))
                shown += part.activities.filter {
                    $0.app.utf8.elementsEqual(application.fixedIdentifier.utf8)
                }.compactMap { ShownEntity($0) }
                place = part.isLast ? nil : part.activities.last?.place
            } while place != nil
        } catch {
            throw NodeFailure(text: error.text)
        }
        return shown
    }
}
