package import BatonCore

/// A batch of changes of an index as a script writes it, a line of JSON each; the last one ends it with a state.
package struct BatchLines {
    private let index: ClientStateName
    private var lineNumber = 0
    private var changes: [IndexChange] = []
    private var bytes = 0
    /// The end, once it was read.
    private var ending: EndBatch?

    /// The number of the connection's only batch.
    private static let number: UInt64 = 1
    /// How many bytes of lines are asked at once; a request must fit a frame.
    private static let portion = 256 << 10

    package init(_ index: ClientStateName) { self.index = index }

    /// Takes a line, and returns the call to make now, if there is one.
    package mutating func take(
        _ line: LineBuffer.Line, at time: PresentTime
    ) throws(LocalFailure) -> ChangeIndex? {
        lineNumber += 1
        do throws(JSONError) {
            guard case .whole(let bytes) = line else { throw JSONError("this line is too long") }
            if bytes.allSatisfy({ $0 == 0x20 || 0x9...0xd ~= $0 }) { return nil }
            guard ending == nil else { throw JSONError("there is more behind the end of the batch") }
            let json = try JSON(reading: bytes)
            if json["state"] != nil {
                try end(json)
                return nil
            }
            let call = self.bytes + bytes.count > Self.portion ? takeChanges() : nil
            changes.append(try IndexChange(json, at: time))
            self.bytes += bytes.count
            return call
        } catch {
            throw LocalFailure(
                .usage, "Line \(lineNumber) of the batch: \(VisibleText(error.text).text). Nothing was kept.")
        }
    }

    private mutating func end(_ json: JSON) throws(JSONError) {
        let members = try JSONMembers(json, "the end of a batch", keys: ["state", "expected"])
        ending = EndBatch(
            index, batch: Self.number, state: try members.bytes("state"),
            isConditional: json["expected"] != nil, expected: try members.bytes("expected"))
    }

    /// Returns the calls to make once all lines are read: the last changes if there are any, and the end.
    package mutating func finish() throws(LocalFailure) -> (changes: ChangeIndex?, end: EndBatch) {
        guard let ending else {
            throw LocalFailure(
                .usage, "The batch has no end, a line such as {\"state\": null}. Nothing was kept.")
        }
        return (takeChanges(), ending)
    }

    private mutating func takeChanges() -> ChangeIndex? {
        defer { (changes, bytes) = ([], 0) }
        return changes.isEmpty ? nil : ChangeIndex(index, batch: Self.number, changes)
    }
}
