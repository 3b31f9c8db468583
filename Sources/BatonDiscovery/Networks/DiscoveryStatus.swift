package import BatonNetwork

/// The state of discovery on one interface, for a person who asks why a machine is not found.
package struct DiscoveryStatus: Equatable, Sendable {
    /// Whether packets to the group come back to this machine.
    ///
    /// They do so unless a firewall drops them, and must do so to reach other programs of this machine.
    package enum Hearing: Equatable, Sendable {
        /// Nothing was sent yet, or only just now.
        case unknown
        /// The last packet was heard.
        case ownPackets
        /// The last packet was not heard.
        case nothing
    }

    /// One IP version on the interface.
    package struct Link: Equatable, Sendable {
        package let family: IPVersion
        /// True while the socket is open.
        package let isOpen: Bool
        /// Whether this machine hears its own packets.
        package let hearing: Hearing
        /// When a packet of another machine, or of another program, last came; nil if none came.
        package let heardOthers: MonotonicTime?
        /// How many packets were sent.
        package let sentCount: Int
        /// Why the socket could not be opened, or the last packet not be sent; nil if all is well.
        package let error: NetworkError?

        package init(
            family: IPVersion, isOpen: Bool, hearing: Hearing, heardOthers: MonotonicTime?, sentCount: Int,
            error: NetworkError?
        ) {
            (self.family, self.isOpen, self.hearing) = (family, isOpen, hearing)
            (self.heardOthers, self.sentCount, self.error) = (heardOthers, sentCount, error)
        }
    }

    /// The number and the name of the interface.
    package let index: UInt32
    package let name: String
    /// The IP versions for which the interface has an address.
    package let links: [Link]
    /// The names of the instances for which this machine answers here.
    package let announced: [String]
    /// How often another machine turned out to use a name that was to be announced here.
    package let conflictCount: Int
    /// How many services are found here.
    package let foundCount: Int

    package init(
        index: UInt32, name: String, links: [Link], announced: [String], conflictCount: Int, foundCount: Int
    ) {
        (self.index, self.name, self.links) = (index, name, links)
        (self.announced, self.conflictCount, self.foundCount) = (announced, conflictCount, foundCount)
    }
}
