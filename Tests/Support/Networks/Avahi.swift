import Glibc

/// Avahi on a machine of a bridge, with a D-Bus and a `/run` of its own, until this object is deallocated.
package final class Avahi {
    /// A service that Avahi has found and resolved.
    package struct Service: Equatable, Sendable {
        package let family: String
        package let instance: String
        package let host: String
        package let address: String
        package let port: UInt16
        /// The entries of the TXT record.
        package let text: [String]
    }

    /// Whether the programs that it takes are on this machine.
    package static let isInstalled: Bool = {
        let programs = [
            "/usr/sbin/avahi-daemon", "/usr/bin/avahi-browse", "/usr/bin/avahi-publish-service",
            "/usr/bin/dbus-daemon", "/usr/bin/setpriv", "/usr/bin/nsenter",
        ]
        return programs.allSatisfy { access($0, X_OK) == 0 }
    }()

    private let process: ChildProcess
    /// Keeps the output of all programs.
    private let folder: TemporaryFolder
    private var runs = 0
    private static let environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"]

    /// Starts Avahi on a machine of the bridge, which it calls HOST.local, and waits until it serves.
    package init(on place: Int, of bridge: Bridge, as host: String) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        let process = try ChildProcess(
            bridge.on(place, [LANScript.path("avahi"), host]), environment: Self.environment,
            files: folder.path + "/avahi")
        self.process = process
        try eventually("Avahi on \(host): \(process.errors)") {
            guard process.isRunning else { throw DeadlinePassed(description: process.errors) }
            return process.errors.contains("Server startup complete")
        }
    }

    /// Stops it, and waits for its end; the process with the namespaces ignores milder signals.
    package func stop() { process.end(SIGKILL) }

    /// Lists the services of Baton that it has found.
    package func services() throws -> [Service] {
        let browser = try begin(["avahi-browse", "--resolve", "--parsable", "--terminate", "_baton._tcp"])
        guard try browser.wait() == 0 else { throw DeadlinePassed(description: browser.errors) }
        return browser.output.split(separator: "\n").compactMap { line in
            // =;eth0;IPv4;INSTANCE;_baton._tcp;local;HOST.local;ADDRESS;PORT;"TEXT" "TEXT"
            let fields = line.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 10, fields[0] == "=", fields[1] == "eth0", let port = UInt16(fields[8])
            else { return nil }
            let text = fields[9].split(separator: " ").map { String($0.dropFirst().dropLast()) }
            return Service(
                family: fields[2], instance: fields[3], host: fields[6], address: fields[7], port: port,
                text: text.sorted())
        }
    }

    /// Has it announce a service as long as the process runs.
    package func publish(_ instance: String, port: UInt16, text: [String]) throws -> ChildProcess {
        let publisher = try begin(
            ["avahi-publish-service", instance, "_baton._tcp", String(port)] + text)
        try eventually("a service: \(publisher.errors)") { publisher.errors.contains("Established under") }
        return publisher
    }

    /// Starts a program that reaches Avahi over its D-Bus.
    private func begin(_ words: [String]) throws -> ChildProcess {
        runs += 1
        return try ChildProcess(
            ["nsenter", "--target", "\(process.number)", "--mount", "--net"] + words,
            environment: Self.environment, files: folder.path + "/\(runs)")
    }
}
