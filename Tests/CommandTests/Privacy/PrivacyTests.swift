import Foundation
import Support
import Testing

/// All files on the disk are for their user alone.
@Suite struct `The files of a home` {
    /// The files in a folder, with the mode bits that concern others.
    private func open(in folder: String) throws -> [String] {
        try #require(FileManager.default.enumerator(atPath: folder)).compactMap { name in
            let path = "\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
            return path
        }
    }

    @Test func `no file of a home is accessible to other users`() throws {
        let folder = try TemporaryFolder()
        let account = try Account("laptop", "desktop", in: folder)
        try account[0].must("start", "x", "--title", "a secret")
        try account[1].waitForActivity(titled: "a secret")
        let backup = folder.path + "/backup"
        try account[0].must("backup", backup)
        for machine in account.machines {
            #expect(try open(in: machine.home) == [])
            #expect(FileManager.default.fileExists(atPath: machine.home + "/accounts/default/index.sqlite"))
        }
        var status = stat()
        #expect(stat(backup, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func `a node that crashes leaves no core file`() throws {
        let folder = try TemporaryFolder()
        let machine = try Account("laptop", in: folder)[0]
        let node = try #require(machine.nodeNumber)
        let limits = try String(contentsOfFile: "/proc/\(node)/limits", encoding: .utf8)
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        #expect(line.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"], "\(line)")
    }

    @Test func `a node starts although other users can read its manifests`() throws {
        let machine = try Account("laptop")[0]
        #expect(try machine.stopNode() == 0)
        let apps = machine.home + "/apps"
        try #require(mkdir(apps, 0o700) == 0)
        for (name, mode) in [("good", mode_t(0o644)), ("bad", 0o666)] {
            try File.write(
                "{ types: ['org.example.\(name)'], run: ['/bin/true'] }",
                to: "\(apps)/org.example.\(name).json")
            try #require(chmod("\(apps)/org.example.\(name).json", mode) == 0)
        }
        try #require(chmod(apps, 0o755) == 0)
        try machine.startNode()
        let handlers = try machine.must("handlers")
        #expect(handlers.contains("org.example.good"), "\(handlers)")
        #expect(
            handlers.contains("Not used: Other users can change \(apps)/org.example.bad.json"), "\(handlers)")
        // There may be no activity to continue.
        let answer = try machine.baton("continue", "--print")
        #expect(
            answer.errors.contains("Not used: Other users can change \(apps)/org.example.bad.json"),
            "\(answer)")
    }

    @Test(arguments: [
        "", "/accounts", "/accounts/default", "/accounts/default/identity",
        "/accounts/default/identity/device-key.pem", "/accounts/default/index.sqlite",
    ])
    func `a home that other users can use is refused, with the command that fixes it`(place: String) throws {
        let folder = try TemporaryFolder()
        let machine = try Account("laptop", in: folder)[0]
        #expect(try machine.stopNode() == 0)
        #expect(chmod(machine.home + place, place.contains(".") ? 0o640 : 0o750) == 0)
        for words in [
            ["node", "--listen", "127.0.0.1:0"], ["init", "--no-confirm"],
            ["join", "abcd-efgh-jkmn", "--at", "[::1]:1"],
        ] {
            let answer = try machine.type(["baton"] + words)
            #expect(answer.status == 1, "\(words): \(answer)")
            #expect(answer.errors.contains("`chmod -R go= \(machine.home)`"), "\(words): \(answer)")
            let mode = place.contains(".") ? "640" : "750"
            #expect(
                answer.errors.hasPrefix(
                    "baton: Other users have access to \(machine.home + place) (mode \(mode)),"), "\(answer)")
        }
        let repair = try machine.type(["chmod", "-R", "go=", machine.home])
        #expect(repair.status == 0)
        try machine.startNode()
    }
}
