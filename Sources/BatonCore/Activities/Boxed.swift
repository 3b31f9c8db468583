/// A large value that is copied as a reference, and changed in place as long as nobody else has it.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
    /// Sendable although it changes: it is changed only by its sole owner.
    private final class Box: @unchecked Sendable {
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    init(wrappedValue: Value) { box = Box(wrappedValue) }

    var wrappedValue: Value {
        _read { yield box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }
}
