extension StoreSummary {
    /// Returns the parts that are sent in a first message; nil if the vector has at most `undivided` origins.
    func parts(salt: UInt64, beyond undivided: Int) -> VectorParts? {
        complete.count > undivided ? VectorParts(of: complete, salt: salt) : nil
    }

    /// Returns the standing for a peer that has said which parts it has.
    ///
    /// In the other parts both sides claim the same, so the claimed part of `dropped` is not sent for them, either.
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
    /// Returns the whole standing, in which the parts that were not sent come from this side's claims.
    ///
    /// Throws if those claims have at most `undivided` origins, because then no parts were requested.
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
