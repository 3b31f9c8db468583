import BatonCore

/// An activity, with the state that the app wants and the state that the node has.
struct OfferedActivity {
    /// The activity; nil once the app has released it.
    var core: ActivityCore?
    /// The name of the instance under which the node knows the activity.
    let instance: String
    var wanted = Wanted.current
    var known = Known.nothing
    /// The content that was last sent to the node.
    var sent: ActivityChange?
    /// Whether the content has changed since it was sent.
    var isChanged = true

    init(_ core: ActivityCore, instance: String) { (self.core, self.instance) = (core, instance) }

    /// The state that the app wants.
    enum Wanted: Equatable {
        case current
        case resigned
        case finished
        /// The activity must be deleted, as if it had never existed.
        case withdrawn
    }

    /// The state that the node has.
    enum Known: Equatable {
        case nothing
        /// The node offers the activity under this identifier.
        case offered(String)
        case resigned
    }

    /// The next call to the node, which leads towards the state that the app wants.
    enum Step: Equatable {
        case start
        case update
        case resign
        case finish
        case withdraw(String)
    }

    /// The next call to make; nil if the node has the state that the app wants.
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

    /// Whether there is nothing more to do for the activity.
    var isOver: Bool { wanted != .current && known == .nothing }
}
