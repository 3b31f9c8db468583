public import Foundation

/// A measurement, for the initialisers of its parameters.
public protocol _MeasurementIntentValue: _IntentValue {
    /// The kind of unit.
    associatedtype UnitType: Dimension
}
