extension StoreSummary {
    /// Returns the digests of the vector's parts for a first message; nil if the vector has at most `undivided`
    /// origins.
    func parts(salt: UInt64, beyond undivided: Int) -> VectorParts? {
        complete.count > undivided ? VectorParts(of: complete, salt: salt) : nil
    }

    /// Returns the standing for a peer that has sent the digests of its parts.
    ///
    /// Only the parts that differ are sent. In the other parts, both sides have the same claims. So the claimed portion
    /// of `dropped` is not sent for them, either.
    func standing(for parts: VectorParts?) -> Standing {
        var standing = Standing(complete: complete, snapshots: snapshots, dropped: dropped)
        guard let told = parts?.differing(from: complete) else { return standing }
        standing.parts = told
        standing.complete = complete.restricted(to: told)
        standing.dropped = dropped.beyond(complete)
        standing.dropped.join(dropped.restricted(to: told))
        return standing
    }
}

extension Standing {
    /// Returns the whole standing.
    ///
    /// The parts that the peer did not send are taken from this side's claims.
    ///
    /// Throws if this side's claims have at most `undivided` origins, because then this side requested no parts.
    func completed(by own: StoreSummary, beyond undivided: Int) throws(CloseReason) -> Standing {
        guard let parts else { return self }
        guard own.complete.count > undivided else {
            throw CloseReason(.unexpected, "parts of a vector that were not requested")
        }
        guard complete.restricted(to: parts) == complete else {
            throw CloseReason(.malformed, "a vector contains entries outside of its parts")
        }
        var standing = self
        (standing.parts, standing.complete) = (nil, own.complete.replacing(parts, with: complete))
        return standing
    }
}
