import BatonCore
import Support

/// Promise 1, for programs that write to an index: each write of which a program was told that it is done is saved, or
/// still in its spool; writes are saved in the order in which the program made them, and each once.
final class ProgramsAreHeard: Checker {
    /// The last saved write of each node's program, by its number, with the transaction that saved it.
    private var last: [Int: (serial: Int, transaction: Dot)] = [:]
    /// The numbers of all saved writes of each node's program.
    private var saved: [Int: Set<Int>] = [:]

    /// A device that lost something may be sent a write again whose name it lost.
    func noteLoss(at node: SimulatedNode, _ world: World) { last[node.number] = nil }

    func noteWritten(_ entry: Ledger.Entry, at node: SimulatedNode, _ world: World) {
        let write = entry.write
        guard entry.isOfBatch, write.isFull, !write.isAdopted, entry.author == node.number,
            let serial = node.program?.serials[write.identity]
        else { return }
        saved[node.number, default: []].insert(serial)
        // A group that its process gave up is found by the next one, and was saved earlier than it is noted.
        guard !node.entriesInDoubt.contains(where: { $0.write.dot == write.dot }) else { return }
        let transaction = Dot(origin: write.dot.origin, sequence: write.dot.sequence)
        defer { last[node.number] = (serial, transaction) }
        guard let last = last[node.number], last.transaction != transaction, serial <= last.serial else {
            return
        }
        world.violate(
            .acknowledgedIsKept, about: Violation.Subject([write], at: node),
            "\(node.name) saves write \(serial) of a program "
                + (serial == last.serial ? "once more" : "behind write \(last.serial)"))
    }

    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.honest {
            guard let program = node.program else { continue }
            let inDoubt = node.entriesInDoubt.compactMap { program.serials[$0.write.identity] }
            let spooled = program.spooled
            let missing = program.done.subtracting(saved[node.number] ?? []).subtracting(spooled)
                .subtracting(inDoubt)
            if let first = missing.min() {
                world.violate(
                    .acknowledgedIsKept, about: Violation.Subject(at: node),
                    "write \(first) of a program of \(node.name) is done, and neither saved nor in its spool")
            }
            if node.isUp, let first = spooled.min() {
                world.violate(
                    .acknowledgedIsKept, about: Violation.Subject(at: node),
                    "write \(first) of a program of \(node.name) stays in its spool, though the node runs")
            }
        }
    }
}
