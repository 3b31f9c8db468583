import BatonCore
import ClientSupport
import Foundation
import Support
import Testing

/// The helper of an editor, with a node that is acted.
@Suite struct `The helper of an editor` {
    @Test func `an opened file counts as continued only if its activity still has the type that was opened`()
        throws
    {
        let folder = try TemporaryFolder()
        let file = folder.path + "/a.md"
        try File.write("1\n2\n", to: file)
        var summary = Example.summary(title: "a.md", info: [.string("file"): .string(file)])
        summary.activity.type = "org.baton.file"
        let answer = summary
        let node = try FakeNode { call in
            call is ContinueActivity ? .reply(ContinuedActivity(summary: answer, source: .app)) : .silence
        }
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let helper = try ChildProcess(
            [
                (program as NSString).deletingLastPathComponent + "/baton", "editor", "--follow", "vim",
                "--home", node.folder.path,
            ],
            environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin"], files: folder.path + "/helper",
            hasInput: true)
        helper.write(Array("{\"continue\":\"k3v\"}\n".utf8))
        try eventually("the file in the editor: \(helper.output)\(helper.errors)") {
            helper.output.contains(file)
        }
        #expect(
            node.calls.filter { $0 is ContinueActivity }.equals(
                ContinueActivity(.named("k3v"), step: .fetch),
                ContinueActivity(.named(answer.identifier), step: .confirm, type: "org.baton.file")))
        helper.closeInput()
        #expect(try helper.wait() == 0)
    }
}
