/// A version of the Internet Protocol: each has addresses, groups and sockets of its own.
package enum IPVersion: String, CaseIterable, Hashable, Sendable {
    case version4 = "IPv4"
    case version6 = "IPv6"
}
