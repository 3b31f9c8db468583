/// A terminal at which a person answers, or a script in tests.
package protocol IntentTerminal: Sendable {
    /// Asks for a line; throws `IntentPromptError.declined` if the person leaves.
    func line(_ question: String, hint: String) async throws -> String
    /// Asks for one of several answers; returns its index.
    func choose(_ question: String, among choices: [PromptChoice]) async throws -> Int
    /// Asks for an agreement, with the words for accepting and declining.
    func confirm(_ question: String, accept: String, decline: String) async throws -> Bool
    /// Shows a text of the intent.
    func say(_ text: String) async
    /// Shows a remark about an answer.
    func remark(_ text: String) async
}
