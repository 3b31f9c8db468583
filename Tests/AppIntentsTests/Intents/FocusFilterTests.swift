import AppIntents
import CoreSpotlight
import CoreSpotlightTesting
import Foundation
import Support
import Synchronization
import Testing

/// The values with which the filter was performed last.
private let shown = Mutex("")

/// A filter of an app that shows one folder.
private struct ShowFolder: SetFocusFilterIntent {
    static let title: LocalizedStringResource = "Show a Folder"
    @Parameter(title: "Folder", default: "all") var folder: String
    @Parameter(title: "Tags") var tags: [String]?
    @Parameter(title: "Distance") var distance: Measurement<UnitLength>?
    var displayRepresentation: DisplayRepresentation { "\(folder)" }

    func perform() async throws -> some IntentResult {
        let distance = distance.map { ["\($0.converted(to: .meters).value)"] } ?? []
        let values = ([folder] + (tags ?? []) + distance).joined(separator: " ")
        shown.withLock { $0 = values }
        return .result()
    }
}

@Suite struct `Filters of a focus` {
    @Test func `are performed when their focus is switched on, changes, and is switched off`() async {
        // In a process of its own, because a node is named by the environment.
        await #expect(processExitsWith: .success) {
            let node = try TemporaryNode()
            node.useInThisProcess()
            try await ManifestKeeper.shared.write(asksQueries: false)
            let app = BatonApplication.shared.identifier
            try node.baton(
                "focus", "set", "work", app, "ShowFolder", "--folder", "Work", "--tags=a", "--tags=b")
            FocusFilters.shared.start([ShowFolder.self]) { Issue.record("\($0)") }
            try node.baton("focus", "work")
            try eventually("the filter with the person's values") { shown.withLock { $0 } == "Work a b" }
            #expect(try await ShowFolder.current.folder == "Work")
            try node.baton("focus", "set", "work", app, "ShowFolder", "--folder", "Office")
            try eventually("the filter with other values") { shown.withLock { $0 } == "Office" }
            // A value is read as in a terminal, where no space is needed before a unit.
            try node.baton("focus", "set", "work", app, "ShowFolder", "--distance=1.5km")
            try eventually("the filter with a distance") { shown.withLock { $0 } == "all 1500.0" }
            try node.baton("focus", "set", "work", app, "ShowFolder", "--folder=Home", "--no-tags")
            try eventually("the filter without tags") { shown.withLock { $0 } == "Home" }
            try node.baton("focus", "off")
            try eventually("the filter with the default values") { shown.withLock { $0 } == "all" }
            await #expect(throws: AppIntentError.Unrecoverable.entityNotFound) {
                try await ShowFolder.current
            }
        }
    }
}
