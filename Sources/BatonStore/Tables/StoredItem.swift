import BatonCore

/// An existing item, as searches read it.
///
/// Unlike `StoredRecord`, it doesn't have the writes of the item.
struct StoredItem {
    let name: ItemName
    let content: Write.Content
    /// The life that wrote the item in full.
    let writer: Life
    /// The time at which the item expires; nil if it never expires.
    let expiration: WallTime?

    init(_ name: ItemName, _ content: Write.Content, by writer: Life, until expiration: WallTime?) {
        (self.name, self.content) = (name, content)
        (self.writer, self.expiration) = (writer, expiration)
    }

    /// Whether the item has expired at this time.
    func hasExpired(at time: WallTime) -> Bool { expiration.map { $0 <= time } ?? false }
}
