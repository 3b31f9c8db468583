import BatonCore
import Foundation
import Support
import Testing

@testable import BatonClient

@Suite struct `The shell around a program` {
    @Test func `the nearest ancestor that is followed is found, and no other`() throws {
        let folder = try TemporaryFolder()
        let files = ShellFiles(try Home(option: folder.path) { _ in nil })
        try files.make()
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/bin/sh")
        // The shell stays, and has a child of its own.
        child.arguments = ["-c", "sleep 60 & echo $!; wait"]
        let output = Pipe()
        child.standardOutput = output
        try child.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let grandchild = try #require(pid_t(line.trimmingCharacters(in: .whitespacesAndNewlines)))
        defer {
            kill(grandchild, SIGKILL)
            child.waitUntilExit()
        }
        #expect(try files.shell(around: grandchild) == nil, "no shell is followed")
        #expect(ShellFiles.write([], to: files.report(of: getpid())))
        #expect(try files.shell(around: grandchild) == ShellInstance.followed(getpid()))
        #expect(ShellFiles.write([], to: files.report(of: child.processIdentifier)))
        let nearest = try #require(try files.shell(around: grandchild))
        #expect(nearest.name.hasPrefix("prompt-\(child.processIdentifier)-"))
        #expect(try files.shell(around: getpid()) == nil, "it is not around itself")
    }
}
