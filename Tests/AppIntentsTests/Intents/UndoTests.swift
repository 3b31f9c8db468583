import AppIntents
import Support
import Testing

/// A number whose changes can be undone.
@MainActor private final class Counter {
    let manager = UndoManager()
    private(set) var value = 0

    func set(_ new: Int) {
        let old = value
        manager.registerUndo(withTarget: self) { $0.set(old) }
        value = new
    }
}

@MainActor @Suite struct `Undoing` {
    @Test(arguments: 0..<20) func `and redoing go through all values that there were`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let counter = Counter()
        var (values, place) = ([0], 0)
        for _ in 0..<100 {
            switch random.number(0...3) {
            case 0:
                counter.manager.undo()
                place = max(0, place - 1)
            case 1:
                counter.manager.redo()
                place = min(values.count - 1, place + 1)
            default:
                counter.set(random.number(0...99))
                values = values.prefix(place + 1) + [counter.value]
                place += 1
            }
            #expect(counter.value == values[place])
            #expect(counter.manager.canUndo == (place > 0))
            #expect(counter.manager.canRedo == (place < values.count - 1))
        }
    }

    @Test func `takes a group back as a whole, with its name`() {
        let counter = Counter()
        counter.set(1)
        counter.manager.beginUndoGrouping()
        counter.set(2)
        counter.set(3)
        counter.manager.setActionName("Count")
        #expect(counter.manager.groupingLevel == 1)
        counter.manager.endUndoGrouping()
        #expect(counter.manager.undoActionName == "Count")
        counter.manager.undo()
        #expect(counter.value == 1 && counter.manager.undoActionName.isEmpty)
        #expect(counter.manager.redoActionName == "Count")
        counter.manager.redo()
        #expect(counter.value == 3 && counter.manager.undoActionName == "Count")
    }

    @Test func `leaves out what was removed, switched off or is too old`() {
        let (one, other) = (Counter(), Counter())
        let manager = one.manager
        manager.registerUndo(withTarget: other) { $0.set(9) }
        one.set(1)
        manager.removeAllActions(withTarget: one)
        manager.undo()
        #expect(other.value == 9 && one.value == 1 && !manager.canUndo)
        manager.disableUndoRegistration()
        one.set(2)
        #expect(!manager.canUndo && !manager.isUndoRegistrationEnabled)
        manager.enableUndoRegistration()
        manager.levelsOfUndo = 2
        for value in 3...6 { one.set(value) }
        for _ in 0..<5 { manager.undo() }
        #expect(one.value == 4)
        one.set(5)
        manager.removeAllActions()
        #expect(!manager.canUndo && !manager.canRedo)
    }

    @Test func `does not keep its targets alive`() {
        let manager = UndoManager()
        weak var target: Counter?
        do {
            let counter = Counter()
            target = counter
            manager.registerUndo(withTarget: counter) { _ in Issue.record("the target is gone") }
        }
        #expect(target == nil)
        manager.undo()
    }

    @Test func `is not offered to intents`() { #expect(DeletePlaylist().undoManager == nil) }
}
