import AppIntents
import CoreSpotlight
import CoreSpotlightTesting
import Foundation
import Support
import Testing

@Suite struct `Entities on screens` {
    @Test func `are those of the app's current activities, and of the type that was asked for`() async {
        // In a process of its own, because a node is named by the environment.
        await #expect(processExitsWith: .success) {
            let node = try TemporaryNode()
            node.useInThisProcess()
            let app = BatonApplication.shared
            #expect(try await app.entitiesOnScreens(of: Track.self).isEmpty)

            let activity = NSUserActivity(activityType: "org.example.track")
            activity.title = "A track"
            activity.appEntityIdentifier = EntityIdentifier(for: Track.self, identifier: "t1")
            activity.becomeCurrent()
            var shown: [EntityOnScreen<Track>] = []
            let deadline = ContinuousClock.now + .seconds(20)
            while shown.isEmpty, ContinuousClock.now < deadline {
                shown = try await app.entitiesOnScreens(of: Track.self)
            }
            #expect(shown.map(\.id) == ["t1"] && shown.first?.isOnThisDevice == true)
            #expect(abs(shown.first?.changed.timeIntervalSinceNow ?? 1000) < 60)
            #expect(try await app.entitiesOnScreens(of: Book.self).isEmpty)
            activity.invalidate()
            while !shown.isEmpty, ContinuousClock.now < deadline {
                shown = try await app.entitiesOnScreens(of: Track.self)
            }
            #expect(shown.isEmpty)
        }
    }
}
