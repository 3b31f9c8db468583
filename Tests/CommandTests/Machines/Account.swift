import Support
import Testing

/// Several machines of one account, created by the first; their nodes are running.
struct Account {
    let machines: [Machine]
    /// The folder with the homes of the machines.
    let folder: TemporaryFolder
    /// The code with which a machine becomes an owner.
    let recoveryCode: String

    /// Creates an account of machines with these names, all invited by the first.
    init(_ names: String..., in folder: TemporaryFolder? = nil) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        machines = names.map { Machine($0, in: folder) }
        recoveryCode = try machines[0].begin()
        for machine in machines.dropFirst() { try machine.join(machines[0]) }
        for machine in machines.dropFirst() { try machine.startNode() }
        for machine in machines.dropFirst() { try machine.waitUntilConnected(with: machines[0]) }
        try introduce(machines.dropFirst())
    }

    /// Tells each machine the addresses of the others, since loopback addresses are not passed on.
    private func introduce(_ machines: ArraySlice<Machine>) throws {
        for machine in machines {
            for other in machines where other !== machine {
                try eventually("“\(other.name)” on “\(machine.name)”") {
                    try machine.baton("devices", other.name, "--at", other.address).status == 0
                }
            }
        }
    }

    /// One more machine, which has not joined yet.
    func newMachine(_ name: String) -> Machine { Machine(name, in: folder) }

    subscript(place: Int) -> Machine { machines[place] }
}

extension Machine {
    /// A code with which one machine can join this one's account.
    func invite() throws -> String { try #require(try json("invite", "--no-wait")["code"].string) }

    /// Joins the inviter's account.
    func join(_ inviter: Machine) throws {
        try must("join", try inviter.invite(), "--at", inviter.address, "--name", name)
    }

    /// Waits until this machine and the other are connected and in step, as each of them reports it.
    ///
    /// If neither admitted the other, it sets the other's address, since loopback addresses are not passed on.
    func waitUntilConnected(with other: Machine, within time: Duration = .seconds(30)) throws {
        for (one, another) in [(self, other), (other, self)] {
            try eventually("\(one.name) and \(another.name) in step; \(one.log)", within: time) {
                let peers = try one.json("status")["peers"].list.filter { peer in
                    // Devices with the same name are shown with their identifiers.
                    let name = peer["device"]["name"].string ?? ""
                    return name == another.name || name.hasPrefix("\(another.name) (")
                }
                for peer in peers where peer["addresses"].list.isEmpty {
                    let device = try #require(peer["device"]["id"].string)
                    try one.must("devices", device, "--at", another.address)
                }
                return peers.contains { $0["inStep"].boolean == true }
            }
        }
    }

    /// The current activities, from `baton list --json`.
    func list() throws -> [JSONValue] { try json("list")["activities"].list }

    /// Waits until an activity with this title is listed, and returns it.
    @discardableResult func waitForActivity(titled title: String) throws -> JSONValue {
        try eventual("“\(title)” on \(name)", attempt: { try list().first { $0["title"].string == title } })
    }

    /// Waits until nothing with this title is listed.
    func waitForEnd(ofActivityTitled title: String) throws {
        try eventually("the end of “\(title)” on \(name)") {
            try !list().contains { $0["title"].string == title }
        }
    }
}
