package import BatonNetwork

/// The state of discovery on one interface.
///
/// It helps a person to learn why a machine is not found.
package struct DiscoveryStatus: Equatable, Sendable {
    /// Whether packets to the group come back to this machine.
    ///
    /// They come back unless a firewall drops them. If they don't come back, they don't reach other programs of this
    /// machine, either.
    package enum Hearing: Equatable, Sendable {
        /// No packet was sent yet, or the last one was sent less than a second ago.
        case unknown
        /// The last packet came back.
        case ownPackets
        /// The last packet did not come back.
        case nothing
    }

    /// The state of discovery for one IP version on the interface.
    package struct Link: Equatable, Sendable {
        package let family: IPVersion
        /// True while the socket is open.
        package let isOpen: Bool
        /// Whether this machine's own packets come back.
        package let hearing: Hearing
        /// The time when a packet of another machine or another program last arrived; nil if no such packet has
        /// arrived.
        package let heardOthers: MonotonicTime?
        /// The number of packets that were sent.
        package let sentCount: Int
        /// The error because of which the socket could not be opened, or the last packet could not be sent; nil if
        /// there is none.
        package let error: NetworkError?

        package init(
            family: IPVersion, isOpen: Bool, hearing: Hearing, heardOthers: MonotonicTime?, sentCount: Int,
            error: NetworkError?
        ) {
            (self.family, self.isOpen, self.hearing) = (family, isOpen, hearing)
            (self.heardOthers, self.sentCount, self.error) = (heardOthers, sentCount, error)
        }
    }

    /// The number of the interface, and its name.
    package let index: UInt32
    package let name: String
    /// The IP versions for which the interface has an address.
    package let links: [Link]
    /// The names of the instances that this machine announces on the interface.
    package let announced: [String]
    /// The number of times that another machine was found to use a name that this machine wanted to announce.
    package let conflictCount: Int
    /// The number of services that are found on the interface.
    package let foundCount: Int

    package init(
        index: UInt32, name: String, links: [Link], announced: [String], conflictCount: Int, foundCount: Int
    ) {
        (self.index, self.name, self.links) = (index, name, links)
        (self.announced, self.conflictCount, self.foundCount) = (announced, conflictCount, foundCount)
    }
}
