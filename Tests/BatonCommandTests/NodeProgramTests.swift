import BatonCommand
import BatonCore
import ClientSupport
import Support
import Testing

@Suite struct `The node's program` {
    @Test func `the program's answer or failure is returned to the command`() throws {
        let reply = NewAccountReply(Example.account, Example.laptop, recoveryCode: "abcd")
        #expect(try run("printf '\(octal(reply.frame(number: 0).encoded))'") == reply)
        let refusal = LocalAnswer.frame(LocalFailure(.alreadyInitialised, "There is one."), number: 0)
        let failed = failure { () throws(LocalFailure) in
            try ask("printf '\(octal(refusal.encoded))'; exit 5")
        }
        #expect(failed == LocalFailure(.alreadyInitialised, "There is one."))
    }

    @Test(arguments: [
        ("exit 3", "it ended with status 3"), ("kill -9 $$", "ended by signal 9"),
        ("echo hello there", "an invalid answer"),
        ("printf '\\000\\000'", "no answer"),
    ]) func `a program that exits without an answer is reported with its exit status`(
        script: String, text: String
    ) {
        let failed = failure { () throws(LocalFailure) in try ask(script) }
        #expect(failed?.code == .failed)
        #expect(failed?.text.contains(text) == true, "\(failed?.text ?? "no failure")")
    }

    @Test func `arguments reach the program unchanged`() throws {
        let folder = try TemporaryFolder()
        let program = NodeProgram(
            path: try folder.makeProgram("node", "#!/bin/sh\nprintf '%s|' \"$@\" >&2; exit 7\n"))
        let failed = failure { () throws(LocalFailure) in try program.reply(to: ["--name", ""], Done.self) }
        #expect(failed?.text.contains("status 7") == true)
    }

    @Test func `a missing program is reported`() {
        let failed = failure { () throws(LocalFailure) in
            try NodeProgram(path: "/nonexistent/baton-node").reply(to: [], Done.self)
        }
        #expect(failed?.text.contains("can't be started") == true)
    }

    private func run(_ script: String) throws -> NewAccountReply { try ask(script) }

    private func ask(_ script: String) throws(LocalFailure) -> NewAccountReply {
        do {
            let folder = try TemporaryFolder()
            let path = try folder.makeProgram("node", "#!/bin/sh\n" + script + "\n")
            return try NodeProgram(path: path).reply(to: ["init"])
        } catch let error as LocalFailure {
            throw error
        } catch {
            throw LocalFailure(.storage, "\(error)")
        }
    }

    /// Bytes in the form that every shell's `printf` accepts.
    private func octal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }.joined()
    }
}
