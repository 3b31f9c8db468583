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
    func `a node on a read-only disk serves its data, and writes once it can`(wasKilled: Bool)
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

    @Test func `a node retries at a constant pace while a file is read-only`() throws {
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

    @Test func `a node on a full disk reports it, and stores changes once there is room`()
        throws
    {
        let account = try Account("laptop")
        let laptop = account[0]
        #expect(try laptop.stopNode() == 0)
        try start(
            laptop,
            after: """
                umask 077
                cp -a "$1/accounts" "$1.copy"
                mount -t tmpfs -o size=2m,mode=700 tmpfs "$1/accounts"
                cp -a "$1.copy/." "$1/accounts/"
                dd if=/dev/zero of="$1/accounts/fill" bs=4k 2>/dev/null || true
                """)
        try awaitStatus(laptop, with: "df -h")
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
