import BatonCore

/// An item that exists, as searches read it: without the writes that made it.
struct StoredItem {
    let name: ItemName
    let content: Write.Content
    /// The life in which it was written in full.
    let writer: Life
    /// The time from which it has expired; nil if there is none.
    let expiration: WallTime?

    init(_ name: ItemName, _ content: Write.Content, by writer: Life, until expiration: WallTime?) {
        (self.name, self.content) = (name, content)
        (self.writer, self.expiration) = (writer, expiration)
    }

    /// Whether it has expired at this time.
    func hasExpired(at time: WallTime) -> Bool { expiration.map { $0 <= time } ?? false }
}
