// An app with intents, for tests: it prints “started” and ends, unless its intents are asked for.

import AppIntents
import CoreSpotlight

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

/// An object that intents need.
final class Greeting: Sendable {
    let word = "Hello"
}

/// Prepares intents.
struct Preparation: IntentProgram {
    static func prepareForIntents() async throws {
        BatonApplication.shared.identifier = "org.example.greeter"
        AppDependencyManager.shared.add(dependency: Greeting())
    }
}

print("started")
