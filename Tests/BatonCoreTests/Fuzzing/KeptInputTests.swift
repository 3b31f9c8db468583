import CommandSupport
import DiscoverySupport
import Foundation
import SecuritySupport
import Support
import Testing

/// An input of `Fuzzing/Failures`, which a fuzzer found or a person made up.
struct KeptInput: CustomTestStringConvertible, Sendable {
    let target: FuzzTarget
    let file: URL

    var testDescription: String { "\(target)/\(file.lastPathComponent)" }

    /// The folder `Fuzzing`, whatever the working directory is.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fuzzing")

    /// The targets of all modules.
    static let targets = FuzzTarget.all + FuzzTarget.security + FuzzTarget.discovery + FuzzTarget.command

    static let all = targets.flatMap { target in
        names(in: "Failures/\(target)").map { name in
            KeptInput(target: target, file: folder.appendingPathComponent("Failures/\(target)/\(name)"))
        }
    }

    /// Returns the names in a folder of `Fuzzing`, or none if there is no such folder.
    static func names(in place: String) -> [String] {
        let path = folder.appendingPathComponent(place).path
        let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }
}

@Suite struct `Inputs that once failed` {
    @Test(arguments: KeptInput.all)
    func `pass the check of their fuzzer`(_ input: KeptInput) throws {
        try input.target.check([UInt8](Data(contentsOf: input.file)))
    }

    @Test(arguments: KeptInput.targets)
    func `are stored for each fuzzer`(_ target: FuzzTarget) {
        #expect(KeptInput.all.contains { $0.target.name == target.name })
    }

    @Test func `are stored only for existing fuzzers`() {
        let names = KeptInput.targets.map(\.name).sorted()
        #expect(KeptInput.names(in: "Failures") == names)
        #expect(KeptInput.names(in: "").filter { $0 != "Failures" } == names)
    }

    /// Feeds drawn inputs as libFuzzer does, so that a crash is seen before a fuzzer sees it.
    @Test(arguments: KeptInput.targets, Seeds.first(10))
    func `are joined by random inputs, which also pass each fuzzer's check`(
        _ target: FuzzTarget, _ seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 { try target.check(generator.bytes(0...60)) }
    }
}
