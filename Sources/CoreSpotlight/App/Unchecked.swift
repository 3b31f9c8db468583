/// A value that is passed between threads one after the other.
///
/// Unchecked because Foundation's classes and those of apps don't say whether they may be; each use says why it is one
/// after the other.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
