package import BatonCore

extension VersionVector {
    /// Returns a vector of everything that either covers.
    package func joined(_ other: VersionVector) -> VersionVector {
        var both = self
        both.join(other)
        return both
    }
}
