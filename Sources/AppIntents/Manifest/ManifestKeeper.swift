import BatonClient
import BatonCore
import BatonNetwork
import CoreSpotlight
import Dispatch
import Foundation

/// Keeps the intent manifest of this app up to date: it is written when the app runs for the first time, after the app
/// was replaced by another version, and when more is known about the app's entities.
///
/// Calls of the library that apps make at their start lead here. The work is done on a queue of its own and later, so
/// an app does not start slower.
package final class ManifestKeeper: Sendable {
    /// The keeper of this process.
    package static let shared = ManifestKeeper()

    private struct State: Sendable {
        /// Whether the file was compared with the program.
        var hasLooked = false
        /// Whether the manifest is about to be written.
        var isDue = false
        /// Whether the keeper writes by itself.
        var isEnabled = true
    }

    private let state = Monitor(State())
    private let queue = DispatchQueue(label: "org.baton.intent-manifest", qos: .utility)
    /// The pause before the manifest is written, in which the app sets its identifier and indexes entities.
    private static let pause = DispatchTimeInterval.seconds(2)

    private init() {}

    /// Has the keeper told of what the app does; called before the main function.
    static func listen() {
        LibraryUse.listen { event in
            switch event {
            case .call:
                shared.noteUse()
                FocusFilters.shared.noteUse()
            case .newEntityType: shared.noteSample()
            }
        }
    }

    /// Called when the app uses the library; the first call writes the manifest if it is older than the program.
    package func noteUse() {
        let isFirst = state.change { state in
            defer { state.hasLooked = true }
            return !state.hasLooked && state.isEnabled
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + Self.pause) { if self.isOutdated { self.writeSoon() } }
    }

    /// Called when an entity of a type that was unknown is indexed.
    package func noteSample() {
        queue.asyncAfter(deadline: .now() + Self.pause) {
            // The manifest of an app that only indexes is written here for the first time, too.
            if self.isKept { self.writeSoon() }
        }
    }

    /// Stops the keeper in the command, which writes the manifest itself.
    func disable() { state.change { $0.isEnabled = false } }

    /// Whether this program has a manifest that somebody reads.
    private var isKept: Bool {
        // A bundle of tests is no app, although it has intents.
        guard let program = OwnProgram.path, !program.hasSuffix(".xctest"), !ProcessRights.areRaised
        else { return false }
        // Without Baton's folder nobody here reads the manifest; the first start after its installation writes it.
        return FileManager.default.fileExists(atPath: BatonApplication.shared.home.data)
    }

    /// Whether there is no manifest, or one that is older than the program.
    private var isOutdated: Bool {
        guard isKept, let program = OwnProgram.path else { return false }
        let folder = BatonApplication.shared.home.intentManifests
        let own = "\(folder)/\(BatonApplication.shared.identifier).json"
        guard let written = Self.changeDate(of: own) else { return true }
        return Self.changeDate(of: program).map { $0 > written } ?? false
    }

    /// Returns the date of a file's last change; nil if there is no such file.
    private static func changeDate(of path: String) -> Date? {
        try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }

    /// Writes the manifest once, however often it is called until then.
    private func writeSoon() {
        let isNew = state.change { state in
            defer { state.isDue = state.isEnabled }
            return state.isEnabled && !state.isDue
        }
        guard isNew else { return }
        Task {
            state.change { $0.isDue = false }
            await writeOrReport()
        }
    }

    /// Writes the manifest now if there is none, or one that is older than the program.
    func writeIfOutdated() async { if isOutdated { await writeOrReport() } }

    /// Writes the manifest, and reports on the standard error if that fails.
    private func writeOrReport() async {
        do {
            try await write(asksQueries: false)
        } catch {
            // The manifest serves commands; the app itself works without it.
            FileHandle.standardError.write(
                Data("The app's intents can't be noted for commands: \(error)\n".utf8))
        }
    }

    /// Writes the manifest now; returns whether the file has changed.
    @discardableResult
    package func write(asksQueries: Bool) async throws -> Bool {
        let application = BatonApplication.shared
        let types = ProgramTypes.shared
        // A program without intents of its own, such as a test, has nothing to declare.
        guard !types.intents.isEmpty || !types.entities.isEmpty else { return false }
        let manifest = await IntentManifest(
            types, app: application.identifier, title: application.name,
            program: OwnProgram.path.map { [$0] } ?? [], asksQueries: asksQueries)
        return try IntentManifestFile.write(manifest, in: application.home)
    }
}
