extension StoreSummary {
    /// The parts that are told in a first message; none where the vector has no more than so many origins.
    func parts(salt: UInt64, beyond undivided: Int) -> VectorParts? {
        complete.count > undivided ? VectorParts(of: complete, salt: salt) : nil
    }

    /// What a peer is told that has said which parts it has.
    ///
    /// In the other parts both claim the same, so that what was let go and is claimed there is no news, either.
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
    /// The standing as it would be if all were told; parts were asked for beyond so many origins.
    func completed(by own: StoreSummary, beyond undivided: Int) throws(CloseReason) -> Standing {
        guard let parts else { return self }
        guard own.complete.count > undivided else {
            throw CloseReason(.unexpected, "some parts of a vector, of which none were asked for")
        }
        guard complete.restricted(to: parts) == complete else {
            throw CloseReason(.malformed, "a vector names what is not of its parts")
        }
        var standing = self
        (standing.parts, standing.complete) = (nil, own.complete.replacing(parts, with: complete))
        return standing
    }
}
