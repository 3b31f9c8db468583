import BatonDiscovery
import BatonNetwork

extension LANDiscovery {
    /// Why machines on some network might not be found, in words; nil if all is well.
    var trouble: String? {
        error.map { "the networks of this machine can't be listed: \($0.reason)." } ?? status.trouble
    }
}

extension [DiscoveryStatus] {
    /// Why machines on some network might not be found, in words; nil if all is well.
    fileprivate var trouble: String? {
        guard !isEmpty else { return "this machine is on no local network that allows multicast." }
        let troubles = compactMap(\.trouble)
        return troubles.isEmpty ? nil : troubles.joined(separator: "; ")
    }
}

extension DiscoveryStatus {
    /// Why machines on this network might not be found; nil if one IP version works.
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
