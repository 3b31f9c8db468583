import BatonCore
import Support

/// The positions of a whole world's random streams at each of its events.
///
/// Planning and doing draw from one stream of their concern, so that dropping an event would shift all that follow. A
/// world that is played along a recording puts the streams back to the recorded positions, event by event: its
/// remaining events draw what they drew in the whole world.
package final class Recording {
    /// A point of the world at which the streams are recorded.
    enum Place: Hashable {
        case planning(PlannedEvent)
        case happening(PlannedEvent)
        case phase(Phase, isBeside: Bool)

        /// Whether nodes draw there, too.
        var concernsNodes: Bool { if case .planning = self { false } else { true } }
    }

    private struct Generators {
        var streams: [String: SeededGenerator] = [:]
        var nodes: [Int: (index: SeededGenerator, activities: SeededGenerator)] = [:]
    }

    private var places: [Place: Generators] = [:]
    private var isComplete = false

    /// A recording that the first world played along it fills.
    package init() {}

    /// Marks the recording as complete: the world was played in whole, and others follow it from now on.
    func complete() { isComplete = true }

    /// Records the positions of the streams, or puts the streams back to the recorded ones.
    func align(_ world: World, at place: Place, _ concerns: [String]) {
        if isComplete { putBack(world, at: place) } else { note(world, at: place, concerns) }
    }

    private func note(_ world: World, at place: Place, _ concerns: [String]) {
        var generators = Generators()
        // Membership is drawn from one stream, whatever the event is.
        for concern in concerns + [World.rosterStream] {
            generators.streams[concern] = world.streams[concern]
        }
        if place.concernsNodes {
            for node in world.nodes {
                generators.nodes[node.number] = (node.generator, node.activityGenerator)
            }
        }
        places[place] = generators
    }

    private func putBack(_ world: World, at place: Place) {
        guard let generators = places[place] else { return }
        for (concern, generator) in generators.streams { world.streams[concern] = generator }
        for node in world.nodes {
            guard let drawn = generators.nodes[node.number] else { continue }
            (node.generator, node.activityGenerator) = drawn
        }
    }
}
