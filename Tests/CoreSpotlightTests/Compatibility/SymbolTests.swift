import CoreSpotlight
import Support
import Testing

/// Compiles code of apps against the built modules, as the language modes of clients do.
@Suite struct `Source compatibility` {
    /// The folder of the repository.
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// The folder with the table of symbols.
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    /// The folder with the modules that the tests were built with.
    private static let modules = Bundle.main.bundleURL.appendingPathComponent("Modules")

    /// Compiles files without writing anything; returns what the compiler says.
    private static func compile(
        _ files: [URL], languageMode: Int, _ flags: [String] = []
    ) throws -> (succeeds: Bool, output: String) {
        let folder = try TemporaryFolder()
        let words =
            [
                "swiftc", "-typecheck", "-swift-version", "\(languageMode)", "-I", modules.path, "-Xcc",
                "-fmodule-map-file=" + root.appendingPathComponent("Sources/CLinux/module.modulemap").path,
                "-module-cache-path", folder.path + "/cache",
            ] + flags + files.map(\.path)
        let environment = ProcessInfo.processInfo.environment
        let compiler = try ChildProcess(words, environment: environment, files: folder.path + "/swiftc")
        let status = try compiler.wait(within: .seconds(300))
        return (status == 0, compiler.errors + compiler.output)
    }

    /// The lines of the table: an expression, and the type that it must have.
    private static func symbols() throws -> [(expression: String, type: String)] {
        let table = try String(contentsOf: folder.appendingPathComponent("symbols.txt"), encoding: .utf8)
        return table.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let parts = line.components(separatedBy: " :: ")
            return (parts[0], parts[1])
        }
    }

    /// A file that declares a value of each type with the expression beside it.
    private static func declarations(of symbols: [(expression: String, type: String)]) -> String {
        let declarations = symbols.enumerated().map { number, symbol in
            """
            @available(*, deprecated)
            func symbol\(number)() { let _: \(symbol.type) = \(symbol.expression) }
            """
        }
        return (["import CoreSpotlight", "import Intents", "import MobileCoreServices"] + declarations)
            .joined(separator: "\n")
    }

    @Test(arguments: [5, 6]) func `every symbol in Apple's list compiles with Apple's type`(languageMode: Int)
        throws
    {
        let (symbols, folder) = (try Self.symbols(), try TemporaryFolder())
        #expect(symbols.count > 600)
        let file = URL(fileURLWithPath: folder.path).appendingPathComponent("Symbols.swift")
        try Self.declarations(of: symbols).write(to: file, atomically: true, encoding: .utf8)
        let (succeeds, output) = try Self.compile([file], languageMode: languageMode, ["-warnings-as-errors"])
        #expect(succeeds, "\(output)")
    }

    @Test func `the check of symbols fails for a wrong type`() throws {
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: folder.path).appendingPathComponent("Symbols.swift")
        let symbol = (
            expression: "\\CSSearchableItemAttributeSet.title",
            type: "ReferenceWritableKeyPath<CSSearchableItemAttributeSet, String>"
        )
        try Self.declarations(of: [symbol]).write(to: file, atomically: true, encoding: .utf8)
        let (succeeds, output) = try Self.compile([file], languageMode: 6)
        #expect(!succeeds && output.contains("cannot assign value of type"), "\(output)")
    }

    @Test func `attributes that only a system sets are read-only`() {
        let paths: [AnyKeyPath] = [
            \CSSearchableItemAttributeSet.isPriority, \CSSearchableItemAttributeSet.textContentSummary,
        ]
        for path in paths {
            #expect(!(path is ReferenceWritableKeyPath<CSSearchableItemAttributeSet, NSNumber?>))
            #expect(!(path is ReferenceWritableKeyPath<CSSearchableItemAttributeSet, String?>))
        }
    }

    /// Code as apps have it, each a file of its own, with further flags that its package would set.
    static let fixtures: [(name: String, flags: [String])] = [
        ("Items.swift", []), ("Activities.swift", []), ("Sendability.swift", []), ("Types.swift", []),
        ("Porting.swift", []),
        ("FoundationOnly.swift", ["-Xfrontend", "-import-module", "-Xfrontend", "CoreSpotlight"]),
        ("FoundationOnlyTypes.swift", ["-Xfrontend", "-import-module", "-Xfrontend", "CoreSpotlight"]),
    ]

    @Test(arguments: fixtures.indices, [5, 6]) func `sample code of apps compiles`(
        index: Int, languageMode: Int
    )
        throws
    {
        let (name, flags) = Self.fixtures[index]
        let file = Self.root.appendingPathComponent("Tests/CoreSpotlightTests/Fixtures")
            .appendingPathComponent(name)
        let (succeeds, output) = try Self.compile([file], languageMode: languageMode, flags)
        #expect(succeeds, "\(output)")
    }

    @Test func `a file that imports only Foundation compiles only with the compiler flag`() throws {
        let file = Self.root.appendingPathComponent("Tests/CoreSpotlightTests/Fixtures/FoundationOnly.swift")
        let (succeeds, _) = try Self.compile([file], languageMode: 6)
        #expect(!succeeds)
    }
}
