import BatonDiscovery
import BatonNetwork

extension LANDiscovery {
    /// The reason why machines on a local network might not be found, in words; nil if there is none.
    var trouble: String? {
        error.map { "the networks of this machine can't be listed: \($0.reason)." } ?? status.trouble
    }
}

extension [DiscoveryStatus] {
    /// The reason why machines on a local network might not be found, in words; nil if there is none.
    fileprivate var trouble: String? {
        guard !isEmpty else { return "this machine is on no local network that allows multicast." }
        let troubles = compactMap(\.trouble)
        return troubles.isEmpty ? nil : troubles.joined(separator: "; ")
    }
}

extension DiscoveryStatus {
    /// The reason why machines on this network might not be found; nil if multicast works with at least one IP version.
    fileprivate var trouble: String? {
        guard !links.contains(where: { $0.error == nil && $0.isOpen && $0.hearing != .nothing }) else {
            return nil
        }
        if let error = links.compactMap(\.error).first {
            return "no multicast on \(name): \(error.reason)"
        }
        return links.isEmpty
            ? nil
            : "\(name): even this machine's own packets are not heard; does a firewall drop UDP port 5353?"
    }
}
