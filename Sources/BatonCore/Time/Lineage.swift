/// Records which claimed lives follow which earlier lives: a vector that claims a life claims what the life follows.
///
/// A machine begins a life with every start, so a vector would come to name thousands of lives. A life that a later
/// life of the vector follows need not be named: a vector without such lives is *reduced*, and means the same to every
/// device that claims all that it names.
package struct Lineage: Equatable, Sendable {
    /// The last transactions that an origin follows, by origin; only for origins that follow others.
    ///
    /// An origin follows few (`Limits.followedOrigins`), so a claimed life takes a few hundred bytes at most.
    private var followed: [Origin: [Dot]] = [:]

    package init() {}

    // MARK: Commands

    /// Adds a vector to the claims, except lives whose predecessors are not claimed, and origins beyond the limit.
    ///
    /// The closure is called when an origin is first claimed, and returns the transactions that it follows. An origin
    /// follows only origins with smaller names, which are claimed before it.
    package mutating func claim<Failure: Error>(
        _ vector: VersionVector, in complete: inout VersionVector,
        following: (Origin) throws(Failure) -> [Dot]
    ) throws(Failure) {
        for (origin, sequence) in vector.sorted where sequence > complete[origin] {
            if complete[origin] == 0 {
                guard complete.count < Limits.laneOrigins else { continue }
                let dots = try following(origin)
                guard dots.allSatisfy(complete.covers) else { continue }
                recordOrigin(origin, following: dots)
            }
            complete.extend(origin, to: sequence)
        }
    }

    /// Records that a claimed origin follows these transactions.
    package mutating func recordOrigin(_ origin: Origin, following dots: [Dot]) {
        guard !dots.isEmpty else { return }
        followed[origin] = dots
    }

    // MARK: Queries

    /// Whether a vector, which may be reduced, covers a transaction.
    package func covers(_ dot: Dot, by vector: VersionVector) -> Bool {
        vector.covers(dot) || (!followed.isEmpty && expanded(vector).covers(dot))
    }

    /// Returns the vector together with all that its origins follow.
    package func expanded(_ vector: VersionVector) -> VersionVector {
        guard !followed.isEmpty else { return vector }
        var added: [Origin: UInt64] = [:]
        var open = vector.sorted.map(\.origin)
        while let origin = open.popLast() {
            for dot in followed[origin] ?? [] where !vector.covers(dot) {
                let known = added[dot.origin]
                if known == nil, vector[dot.origin] == 0 { open.append(dot.origin) }
                added[dot.origin] = max(known ?? 0, dot.sequence)
            }
        }
        guard !added.isEmpty else { return vector }
        var whole = vector
        whole.join(VersionVector(added.lazy.map { ($0.key, $0.value) }))
        return whole
    }

    /// Returns the vector without what its other origins follow; equivalent vectors have the same result.
    package func reduced(_ vector: VersionVector) -> VersionVector {
        guard !followed.isEmpty else { return vector }
        let whole = expanded(vector)
        let dots = whole.sorted.lazy.flatMap { followed[$0.origin] ?? [] }
        return whole.beyond(VersionVector(dots.map { ($0.origin, $0.sequence) }))
    }
}
