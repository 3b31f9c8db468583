/// A decoder or a rule that must cope with arbitrary bytes.
///
/// An executable of `Fuzzing` feeds it inputs from libFuzzer; an ordinary test feeds it all inputs that once failed.
package struct FuzzTarget: Sendable, CustomStringConvertible {
    /// The name of the executable, and of the folder in `Fuzzing/Failures`.
    package let name: String
    private let body: @Sendable ([UInt8]) throws(FuzzViolation) -> Void

    package init(_ name: String, _ body: @escaping @Sendable ([UInt8]) throws(FuzzViolation) -> Void) {
        (self.name, self.body) = (name, body)
    }

    package static let all = [
        frames, values, peerMessages, localMessages, pairingMessages, records, session, queries,
        queryMatching,
    ]

    /// Checks these bytes.
    ///
    /// This must neither throw nor end the process, whatever the bytes are.
    package func check(_ bytes: [UInt8]) throws(FuzzViolation) { try body(bytes) }

    /// Does the same for an executable, which a violation ends.
    package func check(_ bytes: UnsafeBufferPointer<UInt8>) {
        do throws(FuzzViolation) {
            try check(Array(bytes))
        } catch {
            fatalError("\(name): \(error)")
        }
    }

    package var description: String { name }
}

/// A claim that did not hold.
package struct FuzzViolation: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

extension FuzzTarget {
    /// Fails the check unless the claim is true.
    package static func require(_ claim: Bool, _ sentence: @autoclosure () -> String) throws(FuzzViolation) {
        guard claim else { throw FuzzViolation(description: sentence()) }
    }

    /// Fails the check unless the two values are equal.
    package static func require<Value: Equatable>(
        _ found: Value, is expected: Value, _ what: @autoclosure () -> String
    ) throws(FuzzViolation) {
        guard found == expected else {
            throw FuzzViolation(description: "\(what()): found \(found), expected \(expected)")
        }
    }
}
