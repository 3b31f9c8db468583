/// The words for the two values of a parameter of type `Bool`.
public struct BoolDisplayName: Hashable, Sendable {
    let pair: [String]

    /// “true” and “false”.
    public static let `true` = BoolDisplayName(pair: ["true", "false"])
    /// “yes” and “no”.
    public static let yesNo = BoolDisplayName(pair: ["yes", "no"])
    /// “on” and “off”.
    public static let onOff = BoolDisplayName(pair: ["on", "off"])
}
