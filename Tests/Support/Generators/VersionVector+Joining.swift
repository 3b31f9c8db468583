package import BatonCore

extension VersionVector {
    /// What this one or the other covers.
    package func joined(_ other: VersionVector) -> VersionVector {
        var both = self
        both.join(other)
        return both
    }
}
