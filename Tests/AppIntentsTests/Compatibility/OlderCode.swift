// Code of apps in Swift 5, whose static properties are variables.

import AppIntents
import Foundation

struct SessionEntity: AppEntity, Identifiable {
    static var typeDisplayRepresentation: TypeDisplayRepresentation = "Session"
    typealias DefaultQueryType = SessionQuery
    static var defaultQuery: SessionQuery = SessionQuery()

    var id: UUID
    @Property(title: "Session name")
    var name: String

    var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(title: LocalizedStringResource(stringLiteral: name))
    }

    init(id: UUID, name: String) {
        self.id = id
        self.name = name
    }
}

struct SessionQuery: EntityStringQuery {
    func entities(matching string: String) async throws -> [SessionEntity] {
        return try await suggestedEntities().filter { $0.name.localizedCaseInsensitiveContains(string) }
    }
    func entities(for identifiers: [UUID]) async throws -> [SessionEntity] {
        try await suggestedEntities().filter { identifiers.contains($0.id) }
    }
    func suggestedEntities() async throws -> [SessionEntity] { [] }
    func defaultResult() async -> SessionEntity? { nil }
}

enum SessionState: String, AppEnum, CaseIterable {
    case on
    case off

    static var typeDisplayRepresentation = TypeDisplayRepresentation(name: "State")
    static var caseDisplayRepresentations: [SessionState: DisplayRepresentation] = [
        .on: "On", .off: .init(title: "Off"),
    ]
}

enum SessionFailure: Swift.Error, CustomLocalizedStringResourceConvertible {
    case notFound
    case message(_ text: String)

    var localizedStringResource: LocalizedStringResource {
        switch self {
        case .notFound: return "Not found"
        case .message(let text): return "Failed: \(text)"
        }
    }
}

class SessionStore { var names: [String] = [] }

@available(iOS 16.0, macOS 13.0, *)
struct StartSession: AppIntent, CustomIntentMigratedAppIntent, PredictableIntent {
    static let intentClassName = "StartSessionIntent"
    static var title: LocalizedStringResource = "Start Session"
    static var description = IntentDescription(
        "Starts a session", categoryName: "Sessions", searchKeywords: ["go"])
    static var openAppWhenRun: Bool = true
    static var isDiscoverable = true
    static var authenticationPolicy = IntentAuthenticationPolicy.requiresAuthentication

    @Parameter(title: "Session", description: "Which", requestValueDialog: IntentDialog("Which session?"))
    var session: SessionEntity?
    @Parameter(title: "State", default: SessionState.on) var state: SessionState
    @Parameter(
        title: "Minutes", default: 5, controlStyle: .stepper, inclusiveRange: (lowerBound: 1, upperBound: 60))
    var minutes: Int
    @Parameter(title: "Names", optionsProvider: NameOptions()) var name: String?

    static var parameterSummary: some ParameterSummary {
        Summary("Start \(\.$session) \(\.$state)") {
            \.$minutes
            \.$name
        }
    }

    static var predictionConfiguration: some IntentPredictionConfiguration {
        IntentPrediction(parameters: (\.$session, \.$state)) { session, state in
            DisplayRepresentation(title: "Start \(session!)", subtitle: "\(state)")
        }
    }

    @MainActor
    func perform() async throws -> some IntentResult & ReturnsValue<SessionEntity?> & ProvidesDialog {
        guard let session = session else { throw SessionFailure.notFound }
        guard minutes > 0 else { throw $minutes.needsValueError("How long?") }
        return .result(value: session, dialog: IntentDialog(stringLiteral: "Started \(session.name)"))
    }
}

struct NameOptions: DynamicOptionsProvider {
    func results() async throws -> [String] { ["a", "b"] }
}

struct SessionShortcuts: AppShortcutsProvider {
    static var shortcutTileColor: ShortcutTileColor = .lime
    @AppShortcutsBuilder
    static var appShortcuts: [AppShortcut] {
        AppShortcut(
            intent: StartSession(),
            phrases: ["Start \(.applicationName)", "Start \(\.$session) with \(.applicationName)"],
            shortTitle: "Start", systemImageName: "play")
        AppShortcut(intent: StartSession(), phrases: ["Go with \(.applicationName)"])
    }
}

func change(_ session: inout SessionEntity) {
    session.name = "Other"
    SessionShortcuts.updateAppShortcutParameters()
    AppDependencyManager.shared.add { 5 }
    AppDependencyManager.shared.add(dependency: "text")
}
