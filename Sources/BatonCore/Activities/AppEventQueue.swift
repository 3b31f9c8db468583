/// What is to be told to the app at one connection, in order, until it asks for it.
///
/// An app that does not ask for a while must cost little: of what only tells it something, the oldest makes room. What
/// somebody waits for is never dropped; it is refused when there is no room, and who wants it goes on without the app.
package struct AppEventQueue: Equatable, Sendable {
    private var events: [AppEvent] = []

    /// How many events wait at the most.
    package static let most = 64

    package init() {}

    /// Puts an event behind the others; false if there is no room for it.
    package mutating func append(_ event: AppEvent) -> Bool {
        if events.count >= Self.most {
            guard let oldest = events.firstIndex(where: \.isNews) else { return false }
            events.remove(at: oldest)
        }
        events.append(event)
        return true
    }

    /// Takes out what is to be told next.
    package mutating func next() -> AppEvent? { events.isEmpty ? nil : events.removeFirst() }

    /// Nobody waits any more for what the app was to save, and it needs not hear of it.
    package mutating func withdraw(save number: UInt64) {
        events.removeAll { event in
            if case .save(let waiting, _) = event { waiting == number } else { false }
        }
    }

    /// Nobody wants a stream any more that the app was to take.
    package mutating func withdraw(stream number: UInt64) {
        events.removeAll { event in
            if case .streamWanted(let waiting, _, _) = event { waiting == number } else { false }
        }
    }
}

extension AppEvent {
    /// Whether it only tells the app of something, and nobody waits for what the app does then.
    fileprivate var isNews: Bool {
        switch self {
        case .wasContinued, .ended: true
        case .save, .continues, .streamWanted: false
        }
    }
}
