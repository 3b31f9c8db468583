/// A large value in a box with copy-on-write: copies share the box, and a box with one owner is changed in place.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
    /// Sendable although it changes: it is changed only by its sole owner.
    private final class Box: @unchecked Sendable {
        /// Accesses can't overlap: the compiler checks accesses to the wrapper, and no other wrapper has the box while
        /// it changes.
        @exclusivity(unchecked) var value: Value

        init(_ value: Value) { unsafe self.value = value }
    }

    private var box: Box

    init(wrappedValue: Value) { box = Box(wrappedValue) }

    init(_ value: Value) { box = Box(value) }

    var wrappedValue: Value {
        _read { yield unsafe box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(unsafe box.value) }
            yield unsafe &box.value
        }
    }

    /// The value in a box that is not the wrapper of a property.
    var value: Value {
        _read { yield wrappedValue }
        _modify { yield &wrappedValue }
    }
}

extension Boxed {
    /// Whether both share one box; then their values are equal.
    func isSame(as other: Self) -> Bool { box === other.box }
}
