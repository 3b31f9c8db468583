import BatonCore
import BatonNetwork
import BatonTerminal
import CoreSpotlight
import Glibc

/// The command `APP intents`, which every app with this library has.
///
/// It lists the app's intents, describes one, and runs one. The library answers it by itself, before the main function
/// of the app, if the library is linked into the executable. An app calls `runIfRequested()` at its start if it has a
/// shared library with its intents, is linked with `-static-executable`, or says so by `IntentProgram`.
public enum AppIntentsCommand {
    /// The first argument that asks for the command.
    static let name = "intents"

    /// Whether the first argument of this process is `intents`.
    ///
    /// A process with more rights than the person who started it, for example by a setuid bit, has no such command.
    public static var isRequested: Bool {
        CommandLine.arguments.dropFirst().first == name && !ProcessRights.areRaised
    }

    /// Runs the command and ends the process, if the first argument is `intents`; returns at once otherwise.
    public static func runIfRequested() async {
        ManifestKeeper.shared.noteUse()
        guard isRequested else { return }
        exit(await run(Array(CommandLine.arguments.dropFirst(2))))
    }

    /// Runs the command with the words after `intents`; returns the exit status.
    static func run(_ words: [String]) async -> Int32 {
        // The command writes the manifest itself, before it ends.
        ManifestKeeper.shared.disable()
        let first = CommandLine.arguments.first.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        let program = first ?? "APP"
        let command = IntentCommand(
            program: program, types: .shared, terminal: RealTerminal.ifPresent(),
            authenticator: SystemAuthenticator(announce: announce))
        let console: Console
        do throws(LocalFailure) {
            console = try words.contains("--json") ? ReservedOutput.console() : .standard()
        } catch {
            Console.standard().report(error, of: VisibleText(program))
            return Int32(error.code.rawValue)
        }
        let status = await command.run(words, on: console)
        // The app is prepared once an intent has run, so its identifier is known. `--help` runs none.
        if status == 0, words.first == IntentCommandWords.Verb.run.rawValue, !words.contains("--help") {
            await ManifestKeeper.shared.writeIfOutdated()
        }
        return status
    }

    /// Tells the person the intent for which they are asked for their password; the question itself names no app.
    private static func announce(_ title: String) {
        do throws(LocalFailure) {
            try Console.standard().explain("“\(title)” needs your password.")
        } catch {
            // The question comes nevertheless, and the person may decline it.
        }
    }
}
