import BatonTerminal
import Foundation

/// The intents and what belongs to them, of all modules of this program but those of Swift and this library.
///
/// The types are found by their conformances, so an app registers nothing.
package struct ProgramTypes: Sendable {
    /// The intents, by name.
    package let intents: [any AppIntent.Type]
    /// The types of entities, by name.
    package let entities: [any AppEntity.Type]
    /// The enumerations, by name.
    package let enumerations: [any AppEnum.Type]
    /// The lists of shortcuts.
    package let shortcutsProviders: [any AppShortcutsProvider.Type]
    /// The preparations of the app for intents that the shell runs.
    package let programs: [any IntentProgram.Type]

    /// The types of this process; they are looked for once, and types of libraries that are loaded later are missing.
    package static let shared = ProgramTypes()

    /// Whether the program has intents, and leaves the command `intents` to the library.
    ///
    /// It calls no code of the app but `IntentProgram.answersBeforeMain`, because libraries may not be set up yet.
    static var leavesCommandToLibrary: Bool {
        let programs = types((any IntentProgram).self) { $0 as? any IntentProgram.Type }
        guard programs.allSatisfy({ $0.answersBeforeMain }) else { return false }
        return !types((any AppIntent).self) { $0 as? any AppIntent.Type }.isEmpty
    }

    /// The modules whose types belong to no app.
    ///
    /// They are no set: `leavesCommandToLibrary` is called before Swift's own library is set up in a program with a
    /// static one, and the set would not find its elements once that library has chosen its seed for hashing.
    private static let foreignModules = ["AppIntents", "Swift", "Foundation"]

    private init() {
        intents = Self.types((any AppIntent).self) { $0 as? any AppIntent.Type }
            .sorted { $0.persistentIdentifier < $1.persistentIdentifier }
        entities = Self.types((any AppEntity).self) { $0 as? any AppEntity.Type }
            .sorted { $0.persistentIdentifier < $1.persistentIdentifier }
        enumerations = Self.types((any AppEnum).self) { $0 as? any AppEnum.Type }
            .sorted { $0.persistentIdentifier < $1.persistentIdentifier }
        shortcutsProviders = Self.types((any AppShortcutsProvider).self) {
            $0 as? any AppShortcutsProvider.Type
        }
        programs = Self.types((any IntentProgram).self) { $0 as? any IntentProgram.Type }
        for type in entities { EntityTypes.shared.register(type) }
    }

    /// Chooses the types of a program by hand, for tests.
    package init(
        intents: [any AppIntent.Type], entities: [any AppEntity.Type] = [],
        enumerations: [any AppEnum.Type] = [],
        shortcutsProviders: [any AppShortcutsProvider.Type] = [], programs: [any IntentProgram.Type] = []
    ) {
        (self.intents, self.entities, self.enumerations) = (intents, entities, enumerations)
        (self.shortcutsProviders, self.programs) = (shortcutsProviders, programs)
        for type in entities { EntityTypes.shared.register(type) }
    }

    /// Returns the app's types with a conformance.
    private static func types<Found>(_ existential: Any.Type, _ cast: (Any.Type) -> Found?) -> [Found] {
        guard let descriptor = ConformanceRecords.descriptor(of: existential) else { return [] }
        return ConformanceRecords.types(conformingTo: descriptor).filter(isOfApp).compactMap(cast)
    }

    /// Whether a type is declared outside of this library.
    private static func isOfApp(_ type: Any.Type) -> Bool {
        let module = String(reflecting: type).prefix { $0 != "." }
        return !foreignModules.contains(String(module))
    }

    // MARK: Looking up

    /// Returns the intents with a name: its identifier, else the same letters in another case or with hyphens.
    package func intents(named name: String) -> [any AppIntent.Type] {
        let exact = intents.filter { $0.persistentIdentifier == name }
        if !exact.isEmpty { return exact }
        let plain = ParameterWords.plain(name)
        return intents.filter { ParameterWords.plain($0.persistentIdentifier) == plain }
    }

    /// The intents that lists show.
    package var discoverableIntents: [any AppIntent.Type] { intents.filter { $0.isDiscoverable } }

    /// The shortcuts of all lists.
    package var shortcuts: [AppShortcut] { shortcutsProviders.flatMap { $0.appShortcuts } }

    /// The phrases that must run no shortcut.
    package var negativePhrases: [NegativeAppShortcutPhrase] {
        shortcutsProviders.flatMap { $0.negativePhrases }
    }
}
