package import BatonCore
package import BatonNetwork

/// The next run of this program, which takes over the sockets of a node that has locked its accounts.
///
/// The node itself has ended: its connections and its stores are closed. The program begins the next run, because a
/// node that runs in a test must not replace the process of the test.
package struct NextRun {
    private let listeners: [Listener]
    private let manager: ServiceManager?
    private let home: Home

    init(taking listeners: [Listener], of home: Home, telling manager: ServiceManager?) {
        (self.listeners, self.home, self.manager) = (listeners, home, manager)
    }

    /// Replaces the process by the next run; returns only if that fails.
    package func begin() -> LocalFailure {
        let error = ProcessReplacement.run(passing: listeners, manager: manager) {
            NodeSockets.name(of: $0, in: home)
        }
        var text = "The node is locked, because it has ended: it could not start again. \(error)"
        do throws(NetworkError) {
            try giveUp()
        } catch {
            text += " \(error)"
        }
        return LocalFailure(.failed, "\(text)\nType `baton node\(home.option)`.")
    }

    /// Closes the sockets; no run follows.
    package func giveUp() throws(NetworkError) { for listener in listeners { try listener.close() } }
}
