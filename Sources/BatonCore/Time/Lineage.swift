/// Records which earlier lives each claimed life follows.
///
/// A vector that claims a life also claims the lives that it follows.
///
/// A machine begins a new life at each start, so a vector would name thousands of lives after some years. If a later
/// life in a vector follows an earlier life, the vector need not name the earlier life. A vector without such lives is
/// called *reduced*. It has the same meaning for every device that claims everything that it names.
package struct Lineage: Equatable, Sendable {
    /// For each origin that follows others, the last transaction of each origin that it follows.
    ///
    /// An origin follows only a few others (`Limits.followedOrigins`), so the entry for a claimed life takes at most a
    /// few hundred bytes.
    private var followed: [Origin: [Dot]] = [:]

    package init() {}

    // MARK: Commands

    /// Adds a vector to the claims.
    ///
    /// A life is left out if a life that it follows is not claimed. New origins are left out when the limit is reached.
    ///
    /// The closure is called for each origin that is claimed for the first time, and returns the transactions that this
    /// origin follows. An origin follows only origins with smaller names, and these are claimed before it.
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

    /// Whether a vector covers a transaction.
    ///
    /// The vector may be reduced.
    package func covers(_ dot: Dot, by vector: VersionVector) -> Bool {
        vector.covers(dot) || (!followed.isEmpty && expanded(vector).covers(dot))
    }

    /// Returns the vector with all transactions added that its origins follow.
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

    /// Returns the vector without the transactions that its other origins follow.
    ///
    /// Vectors with the same meaning have the same result.
    package func reduced(_ vector: VersionVector) -> VersionVector {
        guard !followed.isEmpty else { return vector }
        let whole = expanded(vector)
        let dots = whole.sorted.lazy.flatMap { followed[$0.origin] ?? [] }
        return whole.beyond(VersionVector(dots.map { ($0.origin, $0.sequence) }))
    }
}
