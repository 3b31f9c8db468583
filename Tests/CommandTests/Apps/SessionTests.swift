import Foundation
import Support
import Testing

/// A node and the programs that look for it, in sessions with different variables.
@Suite struct `Programs in different sessions` {
    /// A session: what `XDG_RUNTIME_DIR` is in it.
    enum Session: String, CaseIterable {
        case login, otherLogin
        /// A session without the variable, such as that of cron.
        case without
    }

    private let folder: TemporaryFolder
    private let machine: Machine

    /// A machine in its usual folders, with an account.
    init() throws {
        folder = try TemporaryFolder()
        machine = Machine("laptop", in: folder)
        machine.variables = ["BATON_HOME": "", "HOME": machine.home]
        for path in [machine.home, runtime(.login), runtime(.otherLogin)] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        try machine.must("init", "--no-confirm", "--name", "laptop")
    }

    private func runtime(_ session: Session) -> String { "\(folder.path)/session-\(session)" }

    /// Runs what follows in a session.
    private func enter(_ session: Session) {
        machine.variables["XDG_RUNTIME_DIR"] = session == .without ? "" : runtime(session)
    }

    @Test(arguments: Session.allCases, Session.allCases)
    func `commands and apps find the node of their home from any session`(nodes: Session, programs: Session)
        throws
    {
        enter(nodes)
        try machine.startNode()
        enter(programs)
        #expect(try machine.json("status")["listening"].string == machine.address)
        let second = try machine.baton("node", "--listen", "127.0.0.1:0")
        #expect(second.status == 6 && second.errors.contains("already running on this home"), "\(second)")
        machine.variables["BATON_DEBUG"] = "1"
        let numbers = IndexedNumbers(machine: machine)
        let app = try numbers.app.type([Products.folder + "/IndexingApp", "add", "0", "1"])
        #expect(app.output == "kept 0\ndone\n" && !app.errors.contains("kept on the disk"), "\(app)")
        #expect(try machine.must("search", "added").contains("added 0"))
    }

    @Test func `after a session has ended, its node is still found by the home alone`() throws {
        enter(.login)
        try machine.startNode()
        try FileManager.default.removeItem(atPath: runtime(.login))
        try machine.must("status")
        let answer = try machine.type([
            "/usr/bin/env", "-i", "HOME=\(machine.home)", Products.baton, "status",
        ])
        #expect(answer.status == 0, "\(answer)")
    }

    @Test func `nothing that a killed node leaves behind is mistaken for a running node`() throws {
        enter(.login)
        try machine.startNode()
        machine.killNode()
        for session in Session.allCases {
            enter(session)
            let answer = try machine.baton("status")
            #expect(answer.status == 3 && answer.errors.contains("No node is running here."), "\(answer)")
        }
        enter(.without)
        try machine.startNode()
        enter(.otherLogin)
        try machine.must("status")
    }

    @Test func `a socket passed by a service manager is used in addition to the socket in the home`()
        throws
    {
        let socket = try Listening(atUnix: runtime(.login) + "/baton/node.sock")
        let passed = socket.copy
        defer { close(passed) }
        enter(.login)
        try HeldSockets.startNode(on: machine, passing: [passed])
        for session in Session.allCases {
            enter(session)
            try machine.must("status")
        }
        #expect(try machine.stopNode() == 0)
    }
}
