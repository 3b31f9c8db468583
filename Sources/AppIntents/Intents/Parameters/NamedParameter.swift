/// A parameter with its name in the source.
package struct NamedParameter: Sendable {
    /// The name.
    package let name: String
    /// The parameter.
    package let parameter: any AnyIntentParameter
}
