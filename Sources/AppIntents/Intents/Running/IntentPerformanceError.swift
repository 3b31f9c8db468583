/// An intent that could not be performed.
package enum IntentPerformanceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The intent has no parameter with this name.
    case unknownParameter(String, known: [String])
    /// The intent begins again, or opens further intents, without end.
    case endless(String)

    package var description: String {
        switch self {
        case .unknownParameter(let name, let known):
            known.isEmpty
                ? "The intent has no parameters, and no “\(name)”."
                : "Unknown parameter “\(name)”. Use one of: \(known.joined(separator: ", "))."
        case .endless(let intent): "“\(intent)” begins again without an end; this is a mistake of the app."
        }
    }
}
