/// Names an owner, who may admit devices: the first sixteen bytes of the SHA-256 of the owner's public key.
package struct OwnerIdentifier: Identifier {
    package let high, low: UInt64
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
}
