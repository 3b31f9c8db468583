/// A type with properties that the app provides by `AppDependencyManager`.
public protocol _SupportsAppDependencies {}

extension _SupportsAppDependencies {
    /// The wrapper of an object that the app provides.
    public typealias Dependency = AppDependency
}
