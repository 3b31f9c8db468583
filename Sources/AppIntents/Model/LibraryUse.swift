import BatonNetwork

/// Tells the part that keeps the manifest of the app what the app does with the library.
///
/// That part stands above those that are used, so they don't call it themselves.
package enum LibraryUse {
    /// A thing that an app does.
    package enum Event: Hashable, Sendable {
        /// The app makes a call that apps make at their start.
        case call
        /// An entity of a type is indexed for the first time.
        case newEntityType
    }

    private static let listener = Monitor<(@Sendable (Event) -> Void)?>(nil)

    /// Sets the closure that is told of events.
    package static func listen(_ listen: @escaping @Sendable (Event) -> Void) {
        listener.change { $0 = listen }
    }

    /// Tells of an event.
    package static func note(_ event: Event) {
        // Called outside of the monitor, because the closure may use the library.
        listener.change { $0 }?(event)
    }
}
