/// A version of the Internet Protocol; each version has its own addresses, multicast groups and sockets.
package enum IPVersion: String, CaseIterable, Hashable, Sendable {
    case version4 = "IPv4"
    case version6 = "IPv6"
}
