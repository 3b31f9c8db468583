/// The events that wait until the app at one connection requests them.
///
/// An app that requests no events for a while must cost little memory. So when the queue is full, the oldest event that
/// is only news is dropped. An event whose effect somebody waits for is never dropped. If there is no room for such an
/// event, the queue refuses it, and the requester continues without the app.
package struct AppEventQueue: Equatable, Sendable {
    private var events: [AppEvent] = []

    /// The largest number of waiting events.
    package static let most = 64

    package init() {}

    /// Appends an event; returns false if there is no room for it.
    package mutating func append(_ event: AppEvent) -> Bool {
        if events.count >= Self.most {
            guard let oldest = events.firstIndex(where: \.isNews) else { return false }
            events.remove(at: oldest)
        }
        events.append(event)
        return true
    }

    /// Removes the next event, and returns it.
    package mutating func next() -> AppEvent? { events.isEmpty ? nil : events.removeFirst() }

    /// Removes a request to save an activity, because nobody waits for it any longer.
    package mutating func withdraw(save number: UInt64) {
        events.removeAll { event in
            if case .save(let waiting, _) = event { waiting == number } else { false }
        }
    }

    /// Removes a request to open or to continue something, because nobody waits for it any longer.
    package mutating func withdraw(opening number: UInt64) {
        events.removeAll { event in
            switch event {
            case .opens(let waiting, _, _), .continues(let waiting, _): waiting == number
            case .save, .wasContinued, .ended, .streamWanted: false
            }
        }
    }

    /// Removes the offer of a stream that is no longer wanted.
    package mutating func withdraw(stream number: UInt64) {
        events.removeAll { event in
            if case .streamWanted(let waiting, _, _) = event { waiting == number } else { false }
        }
    }
}

extension AppEvent {
    /// Whether the event is only news for the app, so that nobody waits for the app to do something.
    fileprivate var isNews: Bool {
        switch self {
        case .wasContinued, .ended: true
        case .save, .continues, .streamWanted, .opens: false
        }
    }
}
