/// The DNS names that belong to a kind of service.
struct ServiceNames: Sendable {
    /// The domain `local`, in which all names of multicast DNS are.
    static let local = DNSName(checked: [5] + Array("local".utf8))

    /// The name of the kind itself, for example `_baton._tcp.local`.
    let kind: DNSName
    /// The name whose PTR records list all kinds of services.
    let kinds: DNSName

    /// Creates the names for a kind of service such as `_baton._tcp`.
    ///
    /// The kind is a constant of the program, so an invalid kind stops the program.
    init(_ service: String) {
        guard let kind = DNSName(service + ".local"), let kinds = DNSName("_services._dns-sd._udp.local")
        else {
            preconditionFailure("a kind of service has no name: \(service)")
        }
        (self.kind, self.kinds) = (kind, kinds)
    }
}
