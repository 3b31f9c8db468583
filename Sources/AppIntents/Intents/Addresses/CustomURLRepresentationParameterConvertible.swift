/// A value that can be a part of an address.
public protocol CustomURLRepresentationParameterConvertible {
    /// The value in an address.
    var urlRepresentationParameter: String { get }
}
