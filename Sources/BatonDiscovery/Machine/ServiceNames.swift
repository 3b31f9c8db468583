/// The names of a kind of service.
struct ServiceNames: Sendable {
    /// The top of all names of multicast DNS.
    static let local = DNSName(checked: [5] + Array("local".utf8))

    /// The kind itself: `_baton._tcp.local`.
    let kind: DNSName
    /// The name that lists all kinds of services.
    let kinds: DNSName

    /// Makes the names for a kind such as `_baton._tcp`, which is a constant of the program.
    init(_ service: String) {
        guard let kind = DNSName(service + ".local"), let kinds = DNSName("_services._dns-sd._udp.local")
        else {
            preconditionFailure("a kind of service has no name: \(service)")
        }
        (self.kind, self.kinds) = (kind, kinds)
    }
}
