import Foundation
import Glibc
import Support
import Testing

/// Nodes that start on a full or read-only disk; only root can mount such disks.
@Suite(.enabled(if: getuid() == 0, "only root can mount a disk for this: these tests are skipped"))
struct `A node on an unwritable disk` {
    /// Starts the node of a machine in its own mount namespace, after a script that gets the home as `$1`.
    private func start(_ machine: Machine, after script: String) throws {
        try machine.startNode(by: [
            "/usr/bin/unshare", "-m", "--propagation", "private", "/bin/sh", "-ec",
            script + "\nexec \"$0\" node --listen \(machine.address)", Products.baton, machine.home,
        ])
    }

    /// Runs a command in the node's mount namespace.
    private func enter(_ machine: Machine, _ words: String...) throws {
        let number = try #require(machine.nodeNumber)
        let answer = try machine.type(["/usr/bin/nsenter", "-t", "\(number)", "-m"] + words)
        try #require(answer.status == 0, "\(answer)")
    }

    /// Waits for a status with the text, from a node that serves or as the reason why it does not.
    private func awaitStatus(_ machine: Machine, with text: String) throws {
        try eventually("a status with “\(text)”; the log: \(machine.log)") {
            try #require(machine.isNodeRunning, "\(machine.log)")
            let answer = try machine.baton("status")
            return (answer.output + answer.errors).contains(text)
        }
    }

    @Test(arguments: [false, true])
    func `a node on a read-only disk serves its data, and stores changes once the disk is writable`(
        wasKilled: Bool
    )
        throws
    {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        try laptop.must("start", "x", "--instance", "1", "--title", "before")
        try laptop.must("index", "add", "org.example.notes", "a", "--title", "kept words")
        try desktop.waitForActivity(titled: "before")
        if wasKilled { laptop.killNode() } else { #expect(try laptop.stopNode() == 0) }
        try start(
            laptop,
            after: "mount --bind \"$1/accounts\" \"$1/accounts\"; mount -o remount,bind,ro \"$1/accounts\"")
        try awaitStatus(laptop, with: "findmnt -T")
        #expect(try laptop.must("status").contains("no changes are saved until then"), "\(laptop.log)")
        #expect(try laptop.titles().values.contains("before"))
        #expect(try laptop.json("search", "kept")["results"].list.map { $0["item"]["id"].string } == ["a"])
        let refused = try laptop.baton("start", "x", "--instance", "2", "--title", "refused")
        #expect(refused.status == 13 && refused.errors.contains("Could not save the change"), "\(refused)")
        #expect(
            refused.errors.contains("the disk can't be written") && !refused.errors.contains("SQLite"),
            "\(refused)")

        try enter(laptop, "/bin/mount", "-o", "remount,bind,rw", laptop.home + "/accounts")
        try eventually("a disk that can be written: \(laptop.log)") {
            try !laptop.must("status").contains("findmnt")
        }
        try laptop.must("start", "x", "--instance", "3", "--title", "after")
        try laptop.must("index", "add", "org.example.notes", "b", "--title", "more words")
        try desktop.waitForActivity(titled: "after")
        #expect(try laptop.json("search", "words")["results"].list.count == 2)
        #expect(try laptop.stopNode() == 0)
        try laptop.startNode()
        #expect(try Set(laptop.titles().values).isSuperset(of: ["before", "after"]))
    }

    /// The words that run a command behind them while the home of a machine is on a read-only disk.
    private func readOnly(_ machine: Machine) -> [String] {
        let script = "mount --bind \"$0\" \"$0\"; mount -o remount,bind,ro \"$0\"; exec \"$@\""
        return ["/usr/bin/unshare", "-m", "--propagation", "private", "/bin/sh", "-ec", script, machine.home]
    }

    @Test func `commands report that no node can start on a read-only home, and why`() throws {
        let laptop = try Account("laptop")[0]
        #expect(try laptop.stopNode() == 0)
        for words in [["list"], ["search", "kept"], ["status"], ["devices"], ["show", "x"], ["continue"]] {
            let answer = try laptop.type(readOnly(laptop) + [Products.baton] + words)
            expect(answer, 3)
            let cause = "none can start: the disk of \(laptop.home)/run can't be written."
            #expect(answer.errors.contains("No node is running here, and " + cause), "\(answer)")
            #expect(answer.errors.contains("mount -t tmpfs"), "\(answer)")
        }
        let checkup = try Checkup(laptop, by: readOnly(laptop))
        #expect(checkup.outcomes("node") == ["readOnly"], "\(checkup)")
        #expect(checkup.outcomes("disk") == ["readOnly"], "\(checkup)")
        // A folder that is not there can't be covered by another one.
        try FileManager.default.removeItem(atPath: laptop.home + "/run")
        for words in [["list"], ["node"]] {
            let answer = try laptop.type(readOnly(laptop) + [Products.baton] + words)
            #expect(answer.errors.contains("findmnt -T \(laptop.home)` shows"), "\(answer)")
            #expect(!answer.errors.contains("tmpfs"), "\(answer)")
        }
    }

    @Test func `a node whose home is read-only reports that it can't create its socket there`() throws {
        let laptop = try Account("laptop")[0]
        #expect(try laptop.stopNode() == 0)
        let answer = try laptop.type(readOnly(laptop) + [Products.baton, "node"])
        expect(answer, 1)
        #expect(
            answer.errors.contains("Read-only file system.\nThe node must be able to write there"),
            "\(answer)")
        #expect(answer.errors.contains("mount -t tmpfs") && answer.errors.contains(laptop.home), "\(answer)")
    }

    @Test func `a node on a read-only home serves its data if its socket folder is writable`() throws {
        let laptop = try Account("laptop")[0]
        try laptop.must("index", "add", "org.example.notes", "a", "--title", "kept words")
        #expect(try laptop.stopNode() == 0)
        try start(
            laptop,
            after: """
                mount --bind "$1" "$1"
                mount -o remount,bind,ro "$1"
                mount -t tmpfs -o mode=700 tmpfs "$1/run"
                """)
        let number = try #require(laptop.nodeNumber)
        let type = { (words: [String]) in
            try laptop.type(
                ["/usr/bin/nsenter", "-t", "\(number)", "-m", Products.baton] + words + [
                    "--home", laptop.home,
                ])
        }
        try eventually("an answer of the node: \(laptop.log)") { try type(["status"]).status == 0 }
        #expect(try type(["search", "kept"]).output.contains("kept words"))
        for words in [["list"], ["list", "--finished"], ["devices"], ["status", "--digest"]] {
            #expect(try type(words).status == 0, "\(words)")
        }
        let checkup = try type(["doctor"])
        #expect(checkup.output.contains("✓ node: running") && checkup.errors.isEmpty, "\(checkup)")
        #expect(try type(["status"]).output.contains("the disk can't be written"))
        let refused = try type(["start", "x", "--instance", "1", "--title", "refused"])
        #expect(refused.status == 13 && refused.errors.contains("the disk can't be written"), "\(refused)")
    }

    /// Keeps a home from taking a socket: its disk can't be written, or has no room for another file.
    private static let withoutSockets = [
        "read-only": "mount --bind \"$home\" \"$home\"; mount -o remount,bind,ro \"$home\"",
        "full": "mount -t tmpfs -o mode=700,nr_inodes=1 tmpfs \"$home/run\"",
    ]

    @Test(arguments: withoutSockets.keys.sorted())
    func `a node whose default home can't hold sockets listens in the session's runtime folder`(
        disk: String
    ) throws {
        let folder = try TemporaryFolder()
        let laptop = Machine("laptop", in: folder)
        laptop.variables = ["BATON_HOME": "", "HOME": laptop.home]
        for path in [laptop.home, folder.path + "/runtime"] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        try laptop.must("init", "--no-confirm", "--name", "laptop")
        try laptop.startNode()
        #expect(try laptop.stopNode() == 0)
        let line = try #require(Self.withoutSockets[disk])
        try start(laptop, after: "home=\"$1/.local/share/baton\"; \(line)")
        try awaitStatus(laptop, with: disk == "full" ? "the node is running" : "the disk can't be written")
        laptop.variables["XDG_RUNTIME_DIR"] = ""
        let answer = try laptop.baton("status")
        #expect(answer.status == 3 && answer.errors.contains("No node is running here."), "\(answer)")
    }

    @Test func `a machine that can't store its keys does not use up an invitation`() throws {
        let folder = try TemporaryFolder()
        let laptop = try Account("laptop", in: folder)[0]
        let desktop = Machine("desktop", in: folder)
        try FileManager.default.createDirectory(
            atPath: desktop.home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let code = try laptop.invite()
        for words in [["init", "--no-confirm"], ["join", code, "--at", laptop.address]] {
            let answer = try desktop.type(readOnly(desktop) + [Products.baton] + words)
            expect(answer, 1)
            #expect(answer.errors.contains("the disk of \(desktop.home) can't be written."), "\(answer)")
            #expect(answer.errors.contains("findmnt -T \(desktop.home)"), "\(answer)")
        }
        try desktop.must("join", code, "--at", laptop.address)
    }

    /// Moves the accounts to a small disk of their own.
    private static let smallDisk = """
        umask 077
        cp -a "$1/accounts" "$1.copy"
        mount -t tmpfs -o size=2m,mode=700 tmpfs "$1/accounts"
        cp -a "$1.copy/." "$1/accounts/"
        """

    @Test func `a full disk is reported without SQLite's words, to people and to apps`() throws {
        let laptop = try Account("laptop")[0]
        #expect(try laptop.stopNode() == 0)
        try start(laptop, after: Self.smallDisk)
        try awaitStatus(laptop, with: "the node is running")
        try enter(laptop, "/bin/sh", "-c", "cat /dev/zero >'\(laptop.home)/accounts/fill' || true")
        var answer = try laptop.baton("start", "x", "--instance", "1", "--title", "T")
        try eventually("a change that does not fit: \(answer)") {
            answer = try laptop.baton(
                "update", "--instance", "1", "--title", String(repeating: "x", count: 9000))
            return answer.status == 13 || laptop.log.contains("full")
        }
        #expect(!answer.errors.contains("SQLite"), "\(answer)")
        let words = #"{"index":{"item":"a","title":"\#(String(repeating: "word ", count: 5000))"}}"#
        let app = try laptop.begin(["baton", "app", "org.example.x"], hasInput: true)
        try eventually("an answer that says so: \(app.output)") {
            app.write(Array(words.utf8) + [10])
            return app.output.contains("Could not save the changes: the disk is full. Nothing has changed.")
        }
        #expect(!app.output.contains("SQLite"), "\(app.output)")
        app.closeInput()
        #expect(try app.wait() == 0)
    }

    @Test func `a full disk causes few log lines and few new sessions, however much is written`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        #expect(try laptop.stopNode() == 0)
        try start(laptop, after: Self.smallDisk)
        try awaitStatus(laptop, with: "the node is running")
        try laptop.waitUntilConnected(with: desktop)
        try laptop.must("start", "x", "--instance", "1", "--title", "T")
        try enter(laptop, "/bin/sh", "-c", "cat /dev/zero >'\(laptop.home)/accounts/fill' || true")
        try eventually("a full disk: \(laptop.log)") {
            try laptop.baton("update", "--instance", "1", "--title", String(repeating: "x", count: 9000))
                .status
                == 13 || laptop.log.contains("full")
        }
        let app = try laptop.begin(["baton", "app", "org.example.x"], hasInput: true)
        for number in 1...100 {
            let words = String(repeating: "word\(number) ", count: 5000)
            app.write(Array(#"{"index":{"item":"a","title":"\#(words)"}}"#.utf8) + [10])
        }
        try eventually("the answers: \(app.output.count)") {
            app.output.split(separator: "\n").count { $0.contains("the disk is full") } >= 60
        }
        let lines = laptop.log.split(separator: "\n")
        #expect(lines.count { $0.contains("the disk is full") } <= 5, "\(laptop.log)")
        #expect(lines.count { $0.contains("connected with “desktop”") } <= 12, "\(laptop.log)")
        app.closeInput()
        _ = try app.wait()
    }

    @Test func `a node retries at a constant rate while a file is read-only`() throws {
        let account = try Account("laptop")
        let laptop = account[0]
        #expect(try laptop.stopNode() == 0)
        let file = laptop.home + "/accounts/default/index.sqlite"
        let opens = try FileOpens(of: file)
        // The disk itself is writable, so each attempt reaches the file.
        try start(laptop, after: "mount --bind '\(file)' '\(file)'; mount -o remount,bind,ro '\(file)'")
        try awaitStatus(laptop, with: "the node is running")
        opens.forget()
        try eventually("four attempts") { opens.bursts().count >= 4 }
        let bursts = opens.bursts()
        #expect(bursts.allSatisfy { $0 <= 2 * bursts[0] }, "\(bursts)")
        #expect(!laptop.log.contains("is writable again"))

        try enter(laptop, "/bin/mount", "-o", "remount,bind,rw", file)
        try eventually("a file that can be written: \(laptop.log)") {
            laptop.log.contains("is writable again")
        }
        try laptop.must("index", "add", "org.example.notes", "a", "--title", "words")
        #expect(laptop.log.split(separator: "is writable again").count == 2, "\(laptop.log)")
    }

    @Test func `a node reports that its disk is full, and stores changes once there is room`()
        throws
    {
        let account = try Account("laptop")
        let laptop = account[0]
        #expect(try laptop.stopNode() == 0)
        try start(
            laptop,
            after: Self.smallDisk + "\n" + #"dd if=/dev/zero of="$1/accounts/fill" bs=4k 2>/dev/null || true"#
        )
        try awaitStatus(laptop, with: "df -h")
        let told = try laptop.baton("status")
        #expect(
            (told.output + told.errors).contains("the disk is full") && !told.errors.contains("SQLite"),
            "\(told)")
        #expect(try Checkup(laptop).outcomes("account").count == 1)
        try enter(laptop, "/bin/rm", laptop.home + "/accounts/fill")
        try awaitStatus(laptop, with: "the node is running")
        try laptop.must("start", "x", "--instance", "1", "--title", "after")
        #expect(try !laptop.must("status").contains("df -h"))
        #expect(try laptop.stopNode() == 0)
    }
}

/// Records when any process opens a file.
private final class FileOpens {
    private let descriptor: CInt
    private var times: [ContinuousClock.Instant] = []

    init(of path: String) throws {
        descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        // The kernel merges equal events in a row, so other events are requested to separate two openings.
        let events = UInt32(IN_OPEN | IN_ACCESS | IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)
        try #require(inotify_add_watch(descriptor, path, events) >= 0)
    }

    deinit { close(descriptor) }

    /// Forgets the openings so far.
    func forget() {
        read()
        times = []
    }

    /// The number of openings in each run of openings less than a second apart.
    func bursts() -> [Int] {
        read()
        var bursts: [Int] = []
        for (place, time) in times.enumerated() {
            if place > 0, time - times[place - 1] < .seconds(1) {
                bursts[bursts.count - 1] += 1
            } else {
                bursts.append(1)
            }
        }
        return bursts
    }

    private func read() {
        // The events of a file have no names, so each is as large as its header.
        let size = MemoryLayout<inotify_event>.size
        var events = [inotify_event](repeating: inotify_event(), count: 256)
        while case let count = Glibc.read(descriptor, &events, events.count * size), count > 0 {
            for event in events.prefix(count / size) where event.mask & UInt32(IN_OPEN) != 0 {
                times.append(.now)
            }
        }
    }
}
