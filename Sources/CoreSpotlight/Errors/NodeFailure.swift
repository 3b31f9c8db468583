/// The reason why the node did not answer a question of the library AppIntents.
package struct NodeFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reason, in the words of the node.
    package let text: String

    package var description: String { text }
}
