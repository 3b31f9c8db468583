import Support
import Testing

/// Some machines of one account, the first of which made it; their nodes run.
struct Account {
    let machines: [Machine]
    private let folder: TemporaryFolder

    /// Makes an account of machines with these names, all invited by the first.
    init(_ names: String..., in folder: TemporaryFolder? = nil) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        machines = names.map { Machine($0, in: folder) }
        try machines[0].must("init", "--no-confirm", "--name", names[0])
        try machines[0].startNode()
        for machine in machines.dropFirst() { try machine.join(machines[0]) }
        for machine in machines.dropFirst() { try machine.startNode() }
        for machine in machines.dropFirst() { try machine.waitUntilConnected(with: machines[0]) }
        try introduce(machines.dropFirst())
    }

    /// Names to each machine where the others are: addresses of loopback, which the first one knows, are not told.
    private func introduce(_ machines: ArraySlice<Machine>) throws {
        for machine in machines {
            for other in machines where other !== machine {
                try eventually("“\(other.name)” on “\(machine.name)”") {
                    try machine.baton("devices", other.name, "--at", other.address).status == 0
                }
            }
        }
    }

    /// One more machine, which knows nothing of the account yet.
    func newMachine(_ name: String) -> Machine { Machine(name, in: folder) }

    subscript(place: Int) -> Machine { machines[place] }
}

extension Machine {
    /// A code that lets one machine into this one's account.
    func invite() throws -> String { try #require(try json("invite", "--no-wait")["code"].string) }

    /// Becomes a device of the inviter's account.
    func join(_ inviter: Machine) throws {
        try must("join", try inviter.invite(), "--at", inviter.address, "--name", name)
    }

    /// Waits until this machine and the other are connected and in step, as each of them sees it.
    ///
    /// Where neither let the other in, it names the other's address: those of loopback are not told by others.
    func waitUntilConnected(with other: Machine) throws {
        for (one, another) in [(self, other), (other, self)] {
            try eventually("\(one.name) and \(another.name) in step; \(one.log)") {
                let peers = try one.json("status")["peers"].list.filter { peer in
                    // Two devices of one name bear their identifiers.
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

    /// The activities that are going on, as `baton list --json` tells them.
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
