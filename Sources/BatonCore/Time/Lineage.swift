/// Which lives follow which, among those that are claimed: who claims a life claims what it follows.
///
/// A machine begins a life with every start, so a vector would come to name thousands. Those that a later life of the
/// vector follows need not be named: a vector that leaves them out is *reduced*, and says the same to everyone who
/// claims all that it names.
package struct Lineage: Equatable, Sendable {
    /// Of each origin that follows others, their last transactions that it follows.
    private var followed: [Origin: [Dot]] = [:]

    package init() {}

    // MARK: Commands

    /// Claims more, but for a life without what it follows, and for more origins than may be claimed.
    ///
    /// What an origin follows is asked for when it is first claimed. It follows smaller names only, which are claimed
    /// before it.
    package mutating func claim<Failure: Error>(
        _ vector: VersionVector, in complete: inout VersionVector,
        following: (Origin) throws(Failure) -> [Dot]
    ) throws(Failure) {
        for (origin, sequence) in vector.sorted where sequence > complete[origin] {
            if complete[origin] == 0 {
                guard complete.count < Limits.laneOrigins else { continue }
                let dots = try following(origin)
                guard dots.allSatisfy(complete.covers) else { continue }
                note(origin, following: dots)
            }
            complete.extend(origin, to: sequence)
        }
    }

    /// The origin, which is claimed, follows these transactions.
    package mutating func note(_ origin: Origin, following dots: [Dot]) {
        guard !dots.isEmpty else { return }
        followed[origin] = dots
    }

    // MARK: Queries

    /// Whether a transaction is covered by a vector that may be reduced.
    package func covers(_ dot: Dot, by vector: VersionVector) -> Bool {
        vector.covers(dot) || (!followed.isEmpty && expanded(vector).covers(dot))
    }

    /// The vector, and all that its origins follow.
    package func expanded(_ vector: VersionVector) -> VersionVector {
        guard !followed.isEmpty else { return vector }
        var (whole, open) = (vector, vector.sorted.map(\.origin))
        while let origin = open.popLast() {
            for dot in followed[origin] ?? [] where !whole.covers(dot) {
                if whole[dot.origin] == 0 { open.append(dot.origin) }
                whole.cover(dot)
            }
        }
        return whole
    }

    /// The vector without what others of its origins follow; it is the same for all vectors that say the same.
    package func reduced(_ vector: VersionVector) -> VersionVector {
        guard !followed.isEmpty else { return vector }
        let whole = expanded(vector)
        var followedByOthers = VersionVector()
        for (origin, _) in whole.sorted {
            for dot in followed[origin] ?? [] { followedByOthers.cover(dot) }
        }
        return whole.beyond(followedByOthers)
    }
}
