/// One connection over which a pairing goes, as both of its ends know it and nobody else does.
package struct PairingChannel: Hashable, Sendable {
    /// The label under which both sides export the channel's value from TLS.
    package static let exporterLabel = "EXPORTER-baton-pair-1"
    /// How many bytes of it there are.
    package static let exportedByteCount = 32

    /// The key with which the joiner made the handshake.
    package let joiner: PublicKey
    /// What TLS exports: another value for each connection, and at both ends of someone in between.
    package let exported: [UInt8]

    /// The connection of this joiner with this exported value.
    package init(joiner: PublicKey, exported: [UInt8]) {
        precondition(exported.count == Self.exportedByteCount, "A channel's value has a fixed length.")
        (self.joiner, self.exported) = (joiner, exported)
    }
}
