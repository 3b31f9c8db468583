package import BatonCore

extension Batch {
    /// Creates a batch of a store that never began an order of arrival, read up to that position.
    package init(
        number: UInt64, lane: Lane, writes: [Write], complete: VersionVector?, upTo place: UInt64 = 0
    ) {
        let order = ArrivalOrder(high: 0, low: 0)
        self.init(
            number: number, lane: lane, writes: writes, complete: complete,
            resume: ResumeToken(Cursor(Arrival(value: place)), in: order))
    }
}
