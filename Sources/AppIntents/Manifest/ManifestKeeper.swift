import BatonClient
import BatonCore
import BatonNetwork
import CoreSpotlight
import Dispatch
import Foundation

/// Keeps the intent manifest of this app up to date: it is written if there is none, or one that can't be used, after the
/// app was replaced by another version or moved, and when more is known about the app's entities.
///
/// Calls of the library that apps make at their start lead here. The work is done on a queue of its own and later, so
/// an app does not start slower. A process that ends within the pause, or makes none of these calls, writes nothing.
package final class ManifestKeeper: Sendable {
    /// The keeper of this process.
    package static let shared = ManifestKeeper()

    private struct State: Sendable {
        /// Whether the file was compared with the program.
        var hasLooked = false
        /// Whether the manifest is about to be written.
        var isDue = false
        /// Whether it is then written although it is up to date.
        var isAlways = false
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

    /// Called when the app uses the library; the first call writes the manifest if it is not up to date.
    package func noteUse() {
        let isFirst = state.change { state in
            defer { state.hasLooked = true }
            return !state.hasLooked && state.isEnabled
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + Self.pause) { self.writeSoon(always: false) }
    }

    /// Called when an entity of a type that was unknown is indexed.
    package func noteSample() {
        // The manifest of an app that only indexes is written here for the first time, too.
        queue.asyncAfter(deadline: .now() + Self.pause) { self.writeSoon(always: true) }
    }

    /// Stops the keeper in the command, which writes the manifest itself.
    func disable() { state.change { $0.isEnabled = false } }

    // MARK: Writing by itself

    /// Writes the manifest, once however often it is called until then.
    ///
    /// With `always`, a manifest that is up to date is written, too, because more is known by now.
    private func writeSoon(always: Bool) {
        let isNew = state.change { state in
            defer {
                state.isDue = state.isEnabled
                state.isAlways = state.isAlways || always
            }
            return state.isEnabled && !state.isDue
        }
        guard isNew else { return }
        Task {
            let isAlways = state.change { state in
                defer { (state.isDue, state.isAlways) = (false, false) }
                return state.isAlways
            }
            await writeIfOutdated(or: isAlways)
        }
    }

    /// Writes the manifest now if this program keeps one that is not up to date, or if `isAlways` is true, and describes
    /// the types of entities to the account; reports on the standard error if that fails.
    func writeIfOutdated(or isAlways: Bool = false) async {
        do {
            let home = try BatonApplication.shared.findHome()
            guard Self.isKept(in: home), let program = try Self.program(in: home) else { return }
            if isAlways || Self.isOutdated(program, in: home) { try await write(asksQueries: false) }
            try describeTypes()
        } catch {
            // The manifest serves commands; the app itself works without it.
            FileHandle.standardError.write(
                Data("The app's intents can't be noted for commands: \(error)\n".utf8))
        }
    }

    /// Whether somebody reads the manifest of this program, and the program may be asked for one.
    private static func isKept(in home: Home) -> Bool {
        // A bundle of tests is no app, although it has intents.
        guard let program = OwnProgram.path, !program.hasSuffix(".xctest"), !ProcessRights.areRaised
        else { return false }
        // Without Baton's folder nobody here reads the manifest; a start after its installation writes it.
        return FileManager.default.fileExists(atPath: home.data)
    }

    /// Whether there is no manifest of a program that can be used, or one of another version of the program.
    private static func isOutdated(_ program: ProgramFile, in home: Home) -> Bool {
        do throws(LocalFailure) {
            let known = try IntentManifestFile.read(BatonApplication.shared.identifier, in: home)
            return known?.program != [program.path] || known?.programState != program.state
        } catch {
            // A damaged file is replaced; the writer reports one that can't be read now.
            return true
        }
    }

    // MARK: The program

    /// Returns the program that a manifest of this process names; nil if it would name another one than the app.
    private static func program(in home: Home) throws(LocalFailure) -> ProgramFile? {
        guard let program = OwnProgram.file, try namesake(of: program, in: home) == nil else { return nil }
        return program
    }

    /// Returns another program that the inherited identifier of this process belongs to; nil if there is none.
    ///
    /// `baton continue` and `baton run` start a program with `BATON_APP`. Other programs that a person starts from it, as
    /// from an editor with a terminal, inherit the variable.
    private static func namesake(
        of program: ProgramFile, in home: Home
    ) throws(LocalFailure) -> String? {
        let application = BatonApplication.shared
        guard application.isIdentifierInherited else { return nil }
        let app = application.identifier
        if let path = try AppManifest.read(app, in: home)?.run.first {
            return ProgramFile(at: path)?.state == program.state ? nil : path
        }
        // A manifest that can't be used tells no other program.
        guard let path = try? IntentManifestFile.read(app, in: home)?.program.first,
            let other = ProgramFile(at: path), path != program.path, other.state != program.state
        else { return nil }
        return path
    }

    // MARK: Writing now

    /// Writes the manifest now; returns whether the file has changed.
    ///
    /// `report` gets the failures of the app's own queries, if they are asked.
    @discardableResult
    package func write(
        asksQueries: Bool, report: @Sendable (String) -> Void = { _ in }
    ) async throws -> Bool {
        // A program without intents of its own, such as a test, has nothing to declare.
        let types = ProgramTypes.shared
        guard !types.intents.isEmpty || !types.entities.isEmpty else { return false }
        let manifest = try await manifest(of: types, asksQueries: asksQueries, report: report)
        return try IntentManifestFile.write(manifest, in: try BatonApplication.shared.findHome())
    }

    /// Describes the types of entities in the manifest to the account, so that its other machines find entities by
    /// their properties.
    func describeTypes() throws {
        let application = BatonApplication.shared
        let home = try application.findHome()
        try IntentManifestFile.read(application.identifier, in: home)?.describeTypes(in: home)
    }

    /// Describes the types of this program; throws if commands could not start the program by the manifest.
    func manifest(
        of types: ProgramTypes, asksQueries: Bool, report: @Sendable (String) -> Void
    ) async throws -> IntentManifest {
        let application = BatonApplication.shared
        guard let program = OwnProgram.file else {
            throw LocalFailure(
                .failed,
                "Commands can't start this app: its own executable file is gone, or another program such as ld.so has loaded it. Start the executable itself."
            )
        }
        if let other = try Self.namesake(of: program, in: try application.findHome()) {
            throw LocalFailure(
                .usage,
                "BATON_APP names \(VisibleText(application.identifier).text), which is another program: \(VisibleText(other).text). Unset BATON_APP, or set the identifier in the app."
            )
        }
        var manifest = await IntentManifest(
            types, app: application.identifier, title: application.name, program: [program.path],
            asksQueries: asksQueries, report: report)
        manifest.programState = program.state
        return manifest
    }
}
