/// A large value in a box with copy-on-write.
///
/// Copies share the box. If a box has only one owner, its value is changed in place.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
    /// The box, which is `Sendable` although its value can change.
    ///
    /// The value is changed only while the box has a single owner.
    private final class Box: @unchecked Sendable {
        /// The value, whose exclusivity need not be checked at run time.
        ///
        /// The compiler checks accesses to the wrapper, and no other wrapper has the box while the value changes.
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

    /// The value.
    ///
    /// It is used if the box is not the wrapper of a property.
    var value: Value {
        _read { yield wrappedValue }
        _modify { yield &wrappedValue }
    }
}

extension Boxed {
    /// Whether both share the same box.
    ///
    /// If they do, their values are equal.
    func isSame(as other: Self) -> Bool { box === other.box }
}
