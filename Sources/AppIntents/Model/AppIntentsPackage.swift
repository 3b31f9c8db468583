/// A part of an app that has intents, such as a library; on Linux only a list of such parts.
public protocol AppIntentsPackage {
    /// The parts that this part uses.
    static var includedPackages: [any AppIntentsPackage.Type] { get }
}

extension AppIntentsPackage {
    /// No parts.
    public static var includedPackages: [any AppIntentsPackage.Type] { [] }
}
