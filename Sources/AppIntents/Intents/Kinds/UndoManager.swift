/// Keeps the actions that undo what a person did, and those that redo it.
///
/// Foundation on Linux has no such class. An action that is registered outside of a group is a group of its own, because
/// there are no events that would group actions.
@MainActor open class UndoManager {
    /// Actions that are undone together.
    private struct Group {
        var name = ""
        var actions: [(target: ObjectIdentifier, perform: @MainActor () -> Void)] = []
    }

    private enum State {
        case idle
        case undoing
        case redoing
    }

    private var state = State.idle
    private var (undone, redone): ([Group], [Group]) = ([], [])
    /// The groups that are open, the outermost first.
    private var open: [Group] = []
    private var disabled = 0

    /// The most groups that are kept; 0 for any number.
    public var levelsOfUndo = 0 {
        didSet { trim() }
    }

    /// Creates a manager without actions.
    public nonisolated init() {}

    // MARK: Registering

    /// Registers an action that undoes, or that redoes if something is being undone.
    ///
    /// The target is not kept alive; the action is left out once the target is gone.
    public func registerUndo<Target: AnyObject>(
        withTarget target: Target, handler: @escaping @MainActor @Sendable (Target) -> Void
    ) {
        guard isUndoRegistrationEnabled else { return }
        let action = { @MainActor [weak target] in
            if let target { handler(target) }
        }
        beginUndoGrouping()
        open[open.count - 1].actions.append((ObjectIdentifier(target), action))
        endUndoGrouping()
        if state == .idle { redone = [] }
    }

    /// Whether actions are registered.
    public var isUndoRegistrationEnabled: Bool { disabled == 0 }
    /// Ignores registrations until `enableUndoRegistration()` is called as often.
    public func disableUndoRegistration() { disabled += 1 }
    /// Ends one `disableUndoRegistration()`.
    public func enableUndoRegistration() { disabled = max(0, disabled - 1) }

    /// Begins a group; groups may be nested.
    public func beginUndoGrouping() { open.append(Group()) }

    /// Ends the innermost group, which becomes a part of the group around it.
    public func endUndoGrouping() {
        guard let group = open.popLast(), !group.actions.isEmpty else { return }
        guard open.isEmpty else {
            open[open.count - 1].actions += group.actions
            if !group.name.isEmpty { open[open.count - 1].name = group.name }
            return
        }
        if state == .undoing { redone.append(group) } else { undone.append(group) }
        trim()
    }

    /// How many groups are open.
    public var groupingLevel: Int { open.count }

    // MARK: Undoing

    /// Whether there is something to undo.
    public var canUndo: Bool { !undone.isEmpty }
    /// Whether there is something to redo.
    public var canRedo: Bool { !redone.isEmpty }
    /// Whether an action is being undone.
    public var isUndoing: Bool { state == .undoing }
    /// Whether an action is being redone.
    public var isRedoing: Bool { state == .redoing }

    /// Undoes the newest group, the last action first.
    public func undo() {
        guard state == .idle, open.isEmpty, let group = undone.popLast() else { return }
        perform(group, as: .undoing)
    }

    /// Redoes the group that was undone last.
    public func redo() {
        guard state == .idle, open.isEmpty, let group = redone.popLast() else { return }
        perform(group, as: .redoing)
    }

    private func perform(_ group: Group, as state: State) {
        self.state = state
        beginUndoGrouping()
        open[0].name = group.name
        for action in group.actions.reversed() { action.perform() }
        while !open.isEmpty { endUndoGrouping() }
        self.state = .idle
    }

    // MARK: Names

    /// Names the open group, else the newest.
    public func setActionName(_ name: String) {
        if !open.isEmpty {
            open[open.count - 1].name = name
        } else if !undone.isEmpty {
            undone[undone.count - 1].name = name
        }
    }

    /// The name of the group that `undo()` would undo; empty if it has none.
    public var undoActionName: String { undone.last?.name ?? "" }
    /// The name of the group that `redo()` would redo; empty if it has none.
    public var redoActionName: String { redone.last?.name ?? "" }

    // MARK: Removing

    /// Removes all actions.
    public func removeAllActions() { (undone, redone, open, disabled) = ([], [], [], 0) }

    /// Removes the actions of a target.
    public func removeAllActions(withTarget target: Any) {
        let identifier = ObjectIdentifier(target as AnyObject)
        func remaining(_ groups: [Group]) -> [Group] {
            groups.map { group in
                var group = group
                group.actions.removeAll { $0.target == identifier }
                return group
            }
        }
        undone = remaining(undone).filter { !$0.actions.isEmpty }
        redone = remaining(redone).filter { !$0.actions.isEmpty }
        open = remaining(open)
    }

    private func trim() {
        guard levelsOfUndo > 0 else { return }
        undone = undone.suffix(levelsOfUndo)
        redone = redone.suffix(levelsOfUndo)
    }
}
