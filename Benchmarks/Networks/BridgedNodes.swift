import BatonCore
import Foundation
import Support

/// Two nodes as they are shipped, of one account, each on a machine of its own on one bridge, and connected.
final class BridgedNodes {
    let bridge: Bridge
    let first, second: NodeHome

    /// Starts both, with discovery on local networks or without, and waits until they are connected.
    init(
        in folder: TemporaryFolder, _ addresses: Bridge.Addresses = .both, discovery isOn: Bool = true
    ) throws {
        bridge = try Bridge(machines: 2, addresses)
        let path = folder.path + "/bridged-\(UUID().uuidString.prefix(8))"
        first = try NodeHome(path + "-1", at: .on(bridge, 1, discovery: isOn))
        try first.start()
        second = try NodeHome(path + "-2", joining: first, at: .on(bridge, 2, discovery: isOn))
        try second.start()
        try eventually("two connected nodes") {
            try [first, second].allSatisfy { try $0.status.peers.contains(where: \.isInStep) }
        }
    }

    func stop() throws {
        try second.stop()
        try first.stop()
    }
}

extension NodePlace {
    /// A machine of a bridge, which others find by discovery, or else at its IPv4 address.
    static func on(_ bridge: Bridge, _ place: Int, discovery isOn: Bool = true) -> NodePlace {
        NodePlace(
            words: bridge.on(place, []), options: isOn ? [] : ["--discovery", "off"],
            route: isOn ? [] : ["--at", "10.78.0.\(place):4817"])
    }
}

extension Benchmark {
    /// Says on standard error that a benchmark of networks is skipped; true if it is.
    static func isSkipped(_ name: String) -> Bool {
        guard !NetworkNamespaces.arePossible else { return false }
        let reason = "network namespaces can't be made here: this takes root and the `ip` command"
        FileHandle.standardError.write(Data("bench: \(name) was SKIPPED: \(reason)\n".utf8))
        return true
    }
}
