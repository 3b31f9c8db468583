/// A value that is passed between threads, which use it one after the other.
///
/// `@unchecked` because the classes of Foundation and of apps don't say whether they may be passed between threads.
/// Each use of this type says why only one thread at a time uses the value.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
