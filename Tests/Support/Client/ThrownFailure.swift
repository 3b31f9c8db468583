package import BatonCore

/// The failure that a closure throws, if it does.
package func failure<Value: ~Copyable>(_ body: () throws(LocalFailure) -> Value) -> LocalFailure? {
    do throws(LocalFailure) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}
