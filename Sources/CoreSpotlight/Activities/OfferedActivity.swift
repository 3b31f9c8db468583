import BatonCore

/// An activity as the app wants it and as the node has it.
struct OfferedActivity {
    /// The activity; nil once the app has released it.
    var core: ActivityCore?
    /// The instance by which the node knows it.
    let instance: String
    var wanted = Wanted.current
    var known = Known.nothing
    /// The content that the node has.
    var sent: ActivityChange?
    /// Whether the content has changed since it was sent.
    var isChanged = true

    init(_ core: ActivityCore, instance: String) { (self.core, self.instance) = (core, instance) }

    /// The state that the app wants.
    enum Wanted: Equatable {
        case current
        case resigned
        case finished
        /// Deleted, as if it had never existed.
        case withdrawn
    }

    /// The state that the node has.
    enum Known: Equatable {
        case nothing
        /// The node offers it, by this identifier.
        case offered(String)
        case resigned
    }

    /// The call that leads towards the state that the app wants.
    enum Step: Equatable {
        case start
        case update
        case resign
        case finish
        case withdraw(String)
    }

    /// The next step; nil if there is none.
    var step: Step? {
        switch (wanted, known) {
        case (.current, .nothing), (.current, .resigned): isChanged ? .start : nil
        case (.current, .offered): isChanged ? .update : nil
        case (.resigned, .offered): .resign
        case (.finished, .offered), (.finished, .resigned), (.withdrawn, .resigned): .finish
        case (.withdrawn, .offered(let identifier)): .withdraw(identifier)
        case (.resigned, _), (.finished, .nothing), (.withdrawn, .nothing): nil
        }
    }

    /// Whether nothing is left to do about the activity.
    var isOver: Bool { wanted != .current && known == .nothing }
}
