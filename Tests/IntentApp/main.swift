// An app with intents, for tests: it prints “started” and ends, unless its intents are asked for. With the argument
// `stay`, it uses the library and ends at the end of its input.

import AppIntents
import CoreSpotlight
import Foundation

/// Greets; nothing refers to it.
struct Greet: AppIntent {
    static let title: LocalizedStringResource = "Greet"
    @Parameter(title: "Name") var name: String
    @Dependency var greeting: Greeting

    @MainActor func perform() async throws -> some IntentResult & ReturnsValue<String> {
        .result(value: "\(greeting.word), \(name)")
    }
}

/// Does nothing, so that a test measures all else.
struct Nothing: AppIntent {
    static let title: LocalizedStringResource = "Nothing"
    func perform() async throws -> some IntentResult { .result() }
}

/// Ends the program, as a mistake of an app does.
struct Crash: AppIntent {
    static let title: LocalizedStringResource = "Crash"
    func perform() async throws -> some IntentResult {
        let words: [String] = []
        print(words[CommandLine.arguments.count])
        return .result()
    }
}

/// Prints more than it returns.
struct Chatter: AppIntent {
    static let title: LocalizedStringResource = "Chatter"
    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        print("noise")
        return .result(value: "said")
    }
}

/// Ends once a line of input has come.
struct Await: AppIntent {
    static let title: LocalizedStringResource = "Await"
    func perform() async throws -> some IntentResult {
        FileHandle.standardOutput.write(Data("ready\n".utf8))
        _ = readLine()
        return .result()
    }
}

/// A thing to choose.
enum Flavour: String, AppEnum {
    case lemon, mint, rose
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Flavour"
    static let caseDisplayRepresentations: [Flavour: DisplayRepresentation] = [
        .lemon: "Lemon", .mint: "Mint", .rose: "Rose",
    ]
}

/// Returns what was chosen.
struct Taste: AppIntent {
    static let title: LocalizedStringResource = "Taste"
    @Parameter(title: "Flavour") var flavour: Flavour
    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        .result(value: "tastes of \(flavour.rawValue)")
    }
}

/// An object that intents need.
final class Greeting: Sendable {
    let word = "Hello"
}

/// Prepares intents.
struct Preparation: IntentProgram {
    static func prepareForIntents() async throws {
        // Without a name of its own, the app has the one that a variable gives.
        if ProcessInfo.processInfo.environment["GREETER_HAS_NO_NAME"] == nil {
            BatonApplication.shared.identifier = "org.example.greeter"
        }
        AppDependencyManager.shared.add(dependency: Greeting())
    }
}

print("started")
if CommandLine.arguments.dropFirst() == ["stay"] {
    AppDependencyManager.shared.add(dependency: Greeting())
    while readLine() != nil {}
}
