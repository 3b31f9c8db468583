import BatonCore
import Support
import Testing

/// The rule by which a node accepts the changes and the ends of an app's batches.
@Suite struct `The open batches of a connection` {
    private static let index = ClientStateName(app: "org.example", index: "notes")
    private static let other = ClientStateName(app: "org.example", index: "others")

    /// A batch that knows which changes it was given.
    private struct Batch: BegunBatch {
        let index: ClientStateName
        var changes: [Int] = []

        var count: Int { changes.count }
    }

    private typealias Refusal = OpenBatches<Batch>.Refusal

    private func refusal(_ body: () throws(Refusal) -> Void) -> Refusal? {
        do throws(Refusal) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    /// Adds changes at a place; returns the batch that they replace.
    private func add(
        _ changes: [Int], _ batch: UInt64 = 1, at offset: Int, of index: ClientStateName = index,
        to batches: inout OpenBatches<Batch>
    ) throws(Refusal) -> Batch? {
        let replaced = try batches.admit(
            BatchPlace(batch, offset: offset), of: index, beginning: Batch(index: index))
        batches[batch]?.changes += changes
        return replaced
    }

    @Test func `a batch begins with changes at offset 0, and a batch that has not begun can't end`() throws {
        var batches = OpenBatches<Batch>()
        #expect(refusal { () throws(Refusal) in _ = try add([1], at: 1, to: &batches) } == .notBegun)
        for count in 0...1 {
            #expect(
                refusal { () throws(Refusal) in _ = try batches.end(1, of: Self.index, count: count) }
                    == .notBegun)
        }
        #expect(try add([], at: 0, to: &batches) == nil)
        let (batch, refused) = try batches.end(1, of: Self.index, count: 0)
        #expect(batch.changes.isEmpty && refused == nil)
        #expect(
            refusal { () throws(Refusal) in _ = try batches.end(1, of: Self.index, count: 0) } == .notBegun)
    }

    @Test func `changing or ending a batch under another index is refused`() throws {
        var batches = OpenBatches<Batch>()
        _ = try add([1], at: 0, to: &batches)
        for offset in 0...1 {
            #expect(
                refusal { () throws(Refusal) in _ = try add([2], at: offset, of: Self.other, to: &batches) }
                    == .otherIndex)
        }
        #expect(
            refusal { () throws(Refusal) in _ = try batches.end(1, of: Self.other, count: 1) } == .otherIndex)
        #expect(refusal { () throws(Refusal) in _ = try batches.remove(1, of: Self.other) } == .otherIndex)
        #expect(try batches.end(1, of: Self.index, count: 1).batch.changes == [1])
    }

    @Test func `the number of open batches is limited, and a batch that begins again replaces its changes`()
        throws
    {
        var batches = OpenBatches<Batch>()
        for number in 0..<UInt64(Limits.openBatches) { _ = try add([1, 2], number, at: 0, to: &batches) }
        #expect(refusal { () throws(Refusal) in _ = try add([], 99, at: 0, to: &batches) } == .tooMany)
        #expect(try add([3], 3, at: 0, to: &batches)?.changes == [1, 2], "what was there is to be discarded")
        #expect(try batches.remove(5, of: Self.index).changes == [1, 2])
        #expect(try add([], 99, at: 0, to: &batches) == nil)
        #expect(batches.removeAll().count == Limits.openBatches && batches.all.isEmpty)
    }

    @Test(arguments: Array(UInt64(1)...40))
    func `an accepted batch has all of its changes, even if calls and connections were lost`(seed: UInt64)
        throws
    {
        var generator = SeededGenerator(seed: seed)
        var batches = OpenBatches<Batch>()
        var (accepted, refused) = (0, 0)
        for _ in 0..<200 {
            // An app sends a batch in pieces and looks at no answer; some of what it sends never arrives.
            let number = UInt64(generator.number(1...3))
            let all = (0..<generator.number(0...6)).map { _ in generator.number(0...999) }
            var offset = 0
            repeat {
                let piece = Array(all[offset...].prefix(generator.number(1...3)))
                if generator.chance(10) { batches = OpenBatches() }
                if !generator.chance(10) {
                    _ = refusal { () throws(Refusal) in
                        _ = try add(piece, number, at: offset, to: &batches)
                    }
                }
                offset += piece.count
            } while offset < all.count
            if generator.chance(10) { batches = OpenBatches() }
            do throws(Refusal) {
                let (batch, refusal) = try batches.end(number, of: Self.index, count: all.count)
                #expect((refusal == nil) == (batch.changes.count == all.count))
                #expect(refusal != nil || batch.changes == all, "seed \(seed)")
                (accepted, refused) = (
                    accepted + (refusal == nil ? 1 : 0), refused + (refusal == nil ? 0 : 1)
                )
            } catch {
                refused += 1
            }
            #expect(batches[number] == nil)
        }
        #expect(accepted > 0 && refused > 0)
    }
}
