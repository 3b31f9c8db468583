/// Names an owner by the first sixteen bytes of the SHA-256 of its public key.
///
/// An owner may admit devices.
package struct OwnerIdentifier: Identifier {
    package let high, low: UInt64
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
}
