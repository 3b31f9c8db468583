import BatonClient
import BatonCommand
import BatonCore
import Foundation
import Support
import Testing

/// The handlers that manifests of apps declare.
@Suite struct `Handlers of manifests` {
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

    @Test
    func `a running app takes precedence over a manifest's program, and the program over a built-in handler`()
        throws
    {
        try write("{ types: ['org.example.edit', 'org.baton.web', 'org.example.off'], run: ['/bin/true'] }")
        try write("{ types: ['org.example.bare'] }", for: "org.example.bare")
        let manifests = AppManifest.readAll(in: home).manifests
        let running = AppRegistration(
            AppName(app: "org.example.running", instance: "1"), types: ["org.example.edit"])
        let configuration = try Configuration(
            Array("{ handlers: { 'org.example.off': false } }".utf8), from: "c")
        let registry = HandlerRegistry(configuration, apps: [running], manifests: manifests)
        #expect(registry.handler(for: "org.example.edit")?.source == .app)
        #expect(registry.handler(for: "org.baton.web")?.source == .manifest)
        #expect(registry.handler(for: "org.example.off")?.action == .off)
        #expect(registry.handler(for: "org.example.bare") == nil, "it names no program")
        let stopped = HandlerRegistry(configuration, manifests: manifests)
        #expect(stopped.handler(for: "org.example.edit")?.action == .start(try #require(manifests.last)))
    }
}
