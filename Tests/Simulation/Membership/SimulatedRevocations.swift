import BatonCore
import Support

/// The revocations that a simulated machine keeps beside its store, in two files as a node has them.
struct SimulatedRevocations {
    /// The content of each file; nil stands for one that can't be read.
    var files: [[RecordKey]?] = [[], []]

    /// The content of both files together.
    var keys: [RecordKey] {
        var known: Set<RecordKey> = []
        return files.compactMap(\.self).joined().filter { known.insert($0).inserted }
    }

    var statements: [RosterStatement] { Self.statements(keys) }

    static func statements(_ keys: [RecordKey]) -> [RosterStatement] { keys.compactMap(\.statement) }
}

/// The loss of a store beside files that stay.
extension SimulatedNode {
    /// The statements in its store and in the files beside it.
    var statements: [RosterStatement] { contents.statements + revocations.statements }

    /// Writes the revocations that it knows into one file after the other.
    func keepRevocations() {
        let keys = membership.revocations.keys
        guard hasPapers, revocations.files.contains(where: { $0 != keys }) else { return }
        later(1) { [self] in
            revocations.files[0] = keys
            later(1) { [self] in
                revocations.files[1] = keys
                world.noteKept(SimulatedRevocations.statements(keys), at: self)
            }
        }
    }

    /// One of the two files is damaged now and then, while the store is lost as well.
    func considerDamage() {
        guard hasPapers, revocations.files[0] == revocations.files[1] else { return }
        let concern = "revocation files"
        guard world.streams[concern].chance(30) else { return }
        world.tell("\(name) loses one of its files of revocations")
        revocations.files[world.streams[concern].number(0...1)] = nil
    }

    /// Counts a start with revocations that the store has lost.
    func noteLostRevocations() {
        let isLost = revocations.keys.contains { contents.record($0.identity) == nil }
        if isLost { world.marks[.revocationsLost] += 1 }
    }
}
