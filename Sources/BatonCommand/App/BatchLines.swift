package import BatonClient
package import BatonCore

/// Reads a batch of index changes that a script writes.
///
/// Each change is one line of JSON. The last line has the client state.
package struct BatchLines {
    private let index: ClientStateName
    /// The entities that the app has declared; nil if there are none.
    private let declared: IntentManifest?
    private var lineNumber = 0
    private var changes: [IndexChange] = []
    private var bytes = 0
    /// The number of changes that the calls have contained so far.
    private var count = 0
    /// The content of the last line, or nil until that line was read.
    private var ending: Ending?

    /// The last line of a batch: the new client state, and the state that the index is expected to have.
    private struct Ending {
        let state: [UInt8]?
        let isConditional: Bool
        let expected: [UInt8]?
    }

    /// The number of the batch.
    ///
    /// Any number will do, because the connection has no other batch.
    private static let number: UInt64 = 1
    /// The largest number of bytes of lines in one call.
    ///
    /// The call must fit in a frame.
    private static let portion = 256 << 10

    /// Reads a batch of an index, whose items may be entities that the app has declared.
    package init(_ index: ClientStateName, declared: IntentManifest? = nil) {
        (self.index, self.declared) = (index, declared)
    }

    /// Reads a line.
    ///
    /// If the next call would become too large with this line, returns a call with the earlier lines.
    package mutating func receiveLine(
        _ line: LineBuffer.Line, at time: PresentTime
    ) throws(LocalFailure) -> ChangeIndex? {
        lineNumber += 1
        do throws(JSONError) {
            guard case .whole(let bytes) = line else { throw JSONError("this line is too long") }
            if bytes.allSatisfy({ $0 == 0x20 || 0x9...0xd ~= $0 }) { return nil }
            guard ending == nil else { throw JSONError("the batch has already ended") }
            let json = try JSON(reading: bytes)
            if json["state"] != nil {
                try end(json)
                return nil
            }
            let call = self.bytes + bytes.count > Self.portion ? takeChanges() : nil
            changes.append(try IndexChange(json, at: time, declared: declared))
            self.bytes += bytes.count
            return call
        } catch {
            throw LocalFailure(
                .usage,
                "Line \(lineNumber) of the batch: \(error.sentence) Nothing was indexed."
            )
        }
    }

    private mutating func end(_ json: JSON) throws(JSONError) {
        let members = try JSONMembers(json, "the end of a batch", keys: ["state", "expected"])
        ending = Ending(
            state: try members.bytes("state"), isConditional: json["expected"] != nil,
            expected: try members.bytes("expected"))
    }

    /// Returns the last calls, after all lines were read.
    ///
    /// The first has the remaining changes; it has none if the batch only stores a client state. The second ends the
    /// batch.
    package mutating func finish() throws(LocalFailure) -> (changes: ChangeIndex?, end: EndBatch) {
        guard let ending else {
            throw LocalFailure(
                .usage, "The batch does not end with a line such as {\"state\": null}. Nothing was indexed.")
        }
        let changes = changes.isEmpty && count > 0 ? nil : takeChanges()
        return (
            changes,
            EndBatch(
                index, batch: Self.number, count: count, state: ending.state,
                isConditional: ending.isConditional, expected: ending.expected)
        )
    }

    private mutating func takeChanges() -> ChangeIndex {
        let call = ChangeIndex(index, at: BatchPlace(Self.number, offset: count), changes)
        count += changes.count
        (changes, bytes) = ([], 0)
        return call
    }
}
