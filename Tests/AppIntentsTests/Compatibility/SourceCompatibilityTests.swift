import AppIntents
import Support
import Testing

/// Compiles code of apps against the built modules, as the language modes of clients do.
@Suite struct `Source compatibility of App Intents` {
    /// The folder of these tests.
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Files that are compiled together, each a name below the folder of these tests.
    private static let fixtures = [
        "Entities", "IntentNames", "Intents", "Names", "Playlists", "Queries", "Schemas", "URLs",
    ].map { "Fixtures/\($0).swift" }

    /// The compiled headers, which all compilations share; nil if there is no room for them.
    private static let cache = try? TemporaryFolder()

    /// Compiles files as a client does, by default without making anything of them; returns what the compiler says.
    private static func compile(
        _ files: [URL], languageMode: Int, options: [String] = ["-typecheck"]
    ) throws -> (succeeds: Bool, output: String) {
        let (folder, build) = (try TemporaryFolder(), Bundle.main.bundleURL)
        let root = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
        let maps = ["CLinux", "CSystemd"].flatMap { name in
            [
                "-Xcc",
                "-fmodule-map-file=" + root.appendingPathComponent("Sources/\(name)/module.modulemap").path,
            ]
        }
        let words =
            [
                "swiftc", "-warnings-as-errors", "-swift-version", "\(languageMode)", "-I",
                build.appendingPathComponent("Modules").path, "-load-plugin-executable",
                build.appendingPathComponent("AppIntentsMacros-tool").path + "#AppIntentsMacros",
                "-module-cache-path", (cache ?? folder).path,
            ] + options + maps + files.map(\.path)
        let environment = ProcessInfo.processInfo.environment
        let compiler = try ChildProcess(words, environment: environment, files: folder.path + "/swiftc")
        let status = try compiler.wait(within: .seconds(300))
        return (status == 0, compiler.errors + compiler.output)
    }

    /// Compiles a text as a file of a client.
    private static func compile(_ text: String, languageMode: Int) throws -> (succeeds: Bool, output: String)
    {
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: folder.path).appendingPathComponent("Client.swift")
        try ("import AppIntents\n" + text).write(to: file, atomically: true, encoding: .utf8)
        return try compile([file], languageMode: languageMode)
    }

    @Test(arguments: [5, 6]) func `code that uses every name compiles without a warning`(languageMode: Int)
        throws
    {
        let files = Self.fixtures.map { Self.folder.appendingPathComponent($0) }
        let (succeeds, output) = try Self.compile(files, languageMode: languageMode)
        #expect(succeeds, "\(output)")
    }

    @Test func `code with static variables compiles only in Swift 5`() throws {
        let file = Self.folder.appendingPathComponent("Compatibility/OlderCode.swift")
        let older = try Self.compile([file], languageMode: 5)
        #expect(older.succeeds, "\(older.output)")
        let newer = try Self.compile([file], languageMode: 6)
        #expect(!newer.succeeds && newer.output.contains("not concurrency-safe"), "\(newer.output)")
    }

    @Test func `an optimized app keeps intents and programs that nothing refers to`() throws {
        let (folder, root) = (try TemporaryFolder(), Self.folder.deletingLastPathComponent())
        let object = folder.path + "/main.o"
        let (succeeds, output) = try Self.compile(
            [root.appendingPathComponent("IntentApp/main.swift")], languageMode: 6,
            options: ["-c", "-O", "-wmo", "-o", object])
        #expect(succeeds, "\(output)")
        let symbols = try Data(contentsOf: URL(fileURLWithPath: object))
        for type in ["Greet", "Preparation"] {
            // The beginning of the symbols of a conformance to a protocol of AppIntents.
            let symbol = Data("\(type.utf8.count)\(type)V10AppIntents".utf8)
            #expect(symbols.range(of: symbol) != nil, "\(type)")
        }
    }

    /// Code with a mistake, and a part of the error that names it.
    static let mistakes: [(code: String, error: String)] = [
        (
            "struct A { @ComputedProperty let b: Int = 1 }",
            "@ComputedProperty needs a computed property; write “var” and a getter."
        ),
        (
            "struct A { @ComputedProperty var b: Int = 1 }",
            "@ComputedProperty needs a getter; a stored property takes @Property."
        ),
        ("struct A { @DeferredProperty static var b: Int { 1 } }", "not of its type"),
        ("@UnionValue enum A { case b }", "Each case of a @UnionValue has one value"),
        ("@UnionValue enum A { case b(Int, String) }", "has one value, not several"),
        ("@UnionValue enum A {}", "needs cases with one value each"),
        ("@UnionValue struct A { let b: Int }", "@UnionValue belongs to an enumeration."),
        ("@AppEnum(schema: .photos.albumType) struct A {}", "This macro belongs to an enumeration."),
        ("struct A: AppIntent { func perform() async throws -> some IntentResult { .result() } }", "'title'"),
        (
            """
            struct A: AppIntent {
                static let title: LocalizedStringResource = "A"
                @Parameter(title: "B", inclusiveRange: (1, 2)) var b: String
                func perform() async throws -> some IntentResult { .result() }
            }
            """, "inclusiveRange"
        ),
    ]

    @Test(arguments: mistakes.indices) func `a mistake is reported with the expected error`(index: Int) throws
    {
        let mistake = Self.mistakes[index]
        let (succeeds, output) = try Self.compile(mistake.code, languageMode: 6)
        #expect(!succeeds && output.contains(mistake.error), "\(output)")
    }
}
