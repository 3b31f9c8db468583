/// A parameter without the type of its value.
package protocol AnyIntentParameter: AnyObject, Sendable {
    /// The details that the app gives about the parameter.
    var details: ParameterDetails { get }
    /// The kind of its values.
    var form: _IntentValueForm { get }
    /// The value; nil if none was given.
    var content: _IntentValueContent? { get }
    /// Gives the parameter a value; throws an `IntentValueError` if the value does not fit.
    func set(_ content: _IntentValueContent) async throws
    /// Returns the values that a person may choose; nil if any value will do.
    func choices(for text: String?) async throws -> PromptChoices?
}
