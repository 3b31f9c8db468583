/// A value that a parameter can't have, with the parameter.
package struct IntentParameterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the parameter in the source.
    package let parameter: String
    /// The reason.
    package let error: IntentValueError

    package init(parameter: String, _ error: IntentValueError) {
        (self.parameter, self.error) = (parameter, error)
    }

    package var description: String { "\(parameter): \(error.description)" }
}
