/// A donation that the node did not take, or did not delete.
package struct IntentDonationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, in the words of the node.
    package let text: String

    package var description: String { text }
}
