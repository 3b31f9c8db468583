import BatonClient
import BatonCore
import Foundation
import Support
import Testing

/// Manifests of apps.
@Suite struct `Manifests of apps` {
    private let folder: TemporaryFolder
    private let home: Home

    init() throws {
        folder = try TemporaryFolder()
        home = try Home(option: folder.path) { _ in nil }
        try FileManager.default.createDirectory(
            atPath: AppManifest.folder(in: home), withIntermediateDirectories: true)
    }

    private func write(_ text: String, for app: String = "org.example.notes") throws {
        try File.write(text, to: "\(AppManifest.folder(in: home))/\(app).json")
    }

    @Test func `a manifest's title, types and program are read`() throws {
        try write(
            """
            { title: "Notes", types: ["org.example.notes.edit", "org.example.old.*"], // a comment
              run: ["/usr/bin/notes", "--quiet"], searches: true, terminal: true,
              reindex: ["/usr/bin/notes", "--index"] }
            """)
        let manifest = try #require(try AppManifest.read("org.example.notes", in: home))
        #expect(manifest.app == "org.example.notes" && manifest.title == "Notes" && manifest.label == "Notes")
        #expect(manifest.types == ["org.example.notes.edit", "org.example.old.*"])
        #expect(manifest.run == ["/usr/bin/notes", "--quiet"] && manifest.searches && manifest.terminal)
        #expect(manifest.reindex == ["/usr/bin/notes", "--index"])
        try write("{}")
        let bare = try #require(try AppManifest.read("org.example.notes", in: home))
        #expect(
            bare.label == "org.example.notes" && bare.types.isEmpty && bare.run.isEmpty
                && bare.reindex.isEmpty)
        #expect(try AppManifest.read("org.example.other", in: home) == nil)
        #expect(try AppManifest.read("../org.example.notes", in: home) == nil)
    }

    @Test(arguments: [
        "", "[]", "{ types: 5 }", "{ types: [5] }", "{ types: ['*'] }", "{ types: ['a b'] }", "{ run: 'x' }",
        "{ run: ['notes'] }", "{ run: [''] }", "{ reindex: ['notes'] }", "{ reindex: '/x' }", "{ title: '' }",
        "{ searches: 1 }", "{ terminal: 'no' }",
        "{ kind: 'x' }", "{",
    ])
    func `an invalid manifest is reported with its file and line, and the other manifests are read`(
        text: String
    ) throws {
        try write(text)
        try write("{ types: ['org.example.x'], run: ['/bin/true'] }", for: "org.example.other")
        let (manifests, troubles) = AppManifest.readAll(in: home)
        #expect(manifests.map(\.app) == ["org.example.other"])
        #expect(troubles.count == 1 && troubles[0].code == .usage, "\(troubles)")
        #expect(troubles.first?.text.contains("org.example.notes.json:1:") == true, "\(troubles)")
    }

    @Test
    func `a manifest that other users can read is used, and a manifest that they can change is refused`()
        throws
    {
        let folder = AppManifest.folder(in: home)
        try write("{ types: ['org.example.notes.edit'] }")
        try write("{ types: ['org.example.x'] }", for: "org.example.other")
        let usable = { AppManifest.readAll(in: home).manifests.map(\.app) }
        try #require(chmod(folder, 0o755) == 0 && chmod(folder + "/org.example.notes.json", 0o644) == 0)
        #expect(usable() == ["org.example.notes", "org.example.other"])
        try #require(chmod(folder + "/org.example.notes.json", 0o646) == 0)
        #expect(usable() == ["org.example.other"])
        let trouble = try #require(AppManifest.readAll(in: home).troubles.first)
        #expect(trouble.code == .notAllowed && trouble.text.contains("notes.json"), "\(trouble)")
        try #require(chmod(folder, 0o777) == 0)
        #expect(usable().isEmpty)
        let troubles = AppManifest.readAll(in: home).troubles
        #expect(troubles.count == 2 && troubles[1].text.contains("chmod go-w \(folder)"), "\(troubles)")
    }
}
