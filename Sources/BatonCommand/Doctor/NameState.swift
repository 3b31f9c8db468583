import BatonCore

/// Whether another program than the node announces this machine's name on local networks.
///
/// Strangers on those networks can recognise the machine by the name.
package enum NameState: Equatable, Sendable {
    case hidden
    /// Another program, such as Avahi, announces this name.
    case announced(String)
    /// It could not be found out, for this reason.
    case unknown(String)

    package var finding: Finding {
        switch self {
        case .hidden:
            Finding(
                .names, "hidden", .ok, "names",
                "no other program of this machine announces a name of it on local networks")
        case .announced(let name):
            Finding(
                .names, "announced", .warning, "names",
                "another program, such as Avahi, announces this machine as \(name), so others on its networks recognise it, whatever names the node uses",
                advice:
                    "If nobody is to recognise it, type as root: `systemctl disable --now avahi-daemon.socket avahi-daemon.service`, or set MulticastDNS=no in /etc/systemd/resolved.conf. Its addresses show, too."
            )
        case .unknown(let reason):
            Finding(.names, "unknown", .note, "names", "not checked (\(reason))")
        }
    }
}
