import BatonCore
import BatonStore
import Support

/// Searches of the person at a node.
extension SimulatedNode {
    /// A person searches, and is offered more later.
    func search() {
        // A store in memory has no words to search.
        guard isUp, let contents = contents as? SQLiteContents, !contents.store.isGrouping else { return }
        let (stream, judge) = ("search", SearchJudge(self, contents))
        let question = world.question(at: self, contents)
        let draw = { (numbers: ClosedRange<Int>) in self.world.streams[stream].number(numbers) }
        if let open = contents.openPages.last, draw(0...1) == 0 {
            let isOff = draw(0...9) == 0
            return judge.takePage(of: open, appsOff: isOff ? ["org.example"] : open.question.scope.appsOff)
        }
        if draw(0...3) == 0 {
            return judge.beginPages(
                question, order: draw(0...1) == 0 ? .best : .found, pageMost: draw(1...3))
        }
        let answer = judge.judge(question)
        if case .words(let typed) = question.kind, case .found(let finding) = answer, !finding.things.isEmpty,
            draw(0...2) == 0
        {
            contents.remember(typed, in: question.scope.filter.app, at: wallTime)
        }
    }
}
