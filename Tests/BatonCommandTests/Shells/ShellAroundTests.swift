import BatonClient
import BatonCore
import Foundation
import Support
import Testing

@testable import BatonCommand

@Suite struct `The shell around a program` {
    @Test func `the nearest ancestor process that is a followed shell is found`() throws {
        let folder = try TemporaryFolder()
        let files = ShellFiles(try Home(option: folder.path) { _ in nil })
        try files.make()
        // The shell stays, and has a child of its own.
        let child = try ChildProcess(
            ["/bin/sh", "-c", "sleep 60 & echo $!; wait"], environment: ["PATH": "/usr/bin:/bin"],
            files: folder.path + "/child")
        let grandchild = try eventual(
            "a child", attempt: { child.output.split(separator: "\n").first.flatMap { pid_t($0) } })
        defer { kill(grandchild, SIGKILL) }
        #expect(try files.shell(around: grandchild) == nil, "no shell is followed")
        #expect(ShellFiles.write([], to: files.report(of: getpid())))
        #expect(try files.shell(around: grandchild) == ShellInstance.followed(getpid()))
        #expect(ShellFiles.write([], to: files.report(of: child.number)))
        let nearest = try #require(try files.shell(around: grandchild))
        #expect(nearest.name.hasPrefix("prompt-\(child.number)-"))
        #expect(try files.shell(around: getpid()) == nil, "it is not around itself")
    }
}
