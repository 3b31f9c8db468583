/// A value for each of the two lanes.
package struct PerLane<Value> {
    package var activities: Value
    package var index: Value

    @inlinable
    package init(activities: Value, index: Value) { (self.activities, self.index) = (activities, index) }

    /// Creates the value of each lane by the closure, which is called for the activities first.
    @inlinable
    package init<Failure>(_ make: (Lane) throws(Failure) -> Value) throws(Failure) {
        activities = try make(.activities)
        index = try make(.index)
    }

    @inlinable
    package subscript(lane: Lane) -> Value {
        get {
            switch lane {
            case .activities: activities
            case .index: index
            }
        }
        _modify {
            switch lane {
            case .activities: yield &activities
            case .index: yield &index
            }
        }
    }

    /// Both values, with that of the activities first.
    @inlinable
    package var all: [Value] { [activities, index] }
}

extension PerLane: Sendable where Value: Sendable {}
