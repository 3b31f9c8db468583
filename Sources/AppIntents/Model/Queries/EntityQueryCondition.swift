/// A condition on a property, as a terminal reads it from `rating > 3`.
package struct EntityQueryCondition: Hashable, Sendable {
    /// The name of the property in the source.
    package let property: String
    /// The kind of comparison.
    package let kind: EntityQueryComparisonKind
    /// The values of the person.
    package let inputs: [_IntentValueContent]

    package init(property: String, kind: EntityQueryComparisonKind, inputs: [_IntentValueContent]) {
        (self.property, self.kind, self.inputs) = (property, kind, inputs)
    }
}
