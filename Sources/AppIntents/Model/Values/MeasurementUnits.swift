import Foundation

/// The units by their symbols, because Foundation finds none by its symbol.
enum MeasurementUnits {
    /// Returns the unit of the same dimension with a symbol.
    static func unit(_ symbol: String, like base: Dimension) -> Dimension? {
        units(like: base).first { $0.symbol == symbol } ?? (base.symbol == symbol ? base : nil)
    }

    private static func units(like base: Dimension) -> [Dimension] {
        switch base {
        case is UnitLength:
            [
                UnitLength.millimeters, UnitLength.centimeters, UnitLength.meters, UnitLength.kilometers,
                UnitLength.inches, UnitLength.feet, UnitLength.yards, UnitLength.miles,
                UnitLength.nauticalMiles,
            ]
        case is UnitMass:
            [
                UnitMass.milligrams, UnitMass.grams, UnitMass.kilograms, UnitMass.metricTons,
                UnitMass.ounces, UnitMass.pounds, UnitMass.stones,
            ]
        case is UnitDuration: [UnitDuration.seconds, UnitDuration.minutes, UnitDuration.hours]
        case is UnitTemperature:
            [UnitTemperature.celsius, UnitTemperature.fahrenheit, UnitTemperature.kelvin]
        case is UnitVolume:
            [
                UnitVolume.milliliters, UnitVolume.liters, UnitVolume.cups, UnitVolume.gallons,
                UnitVolume.teaspoons, UnitVolume.tablespoons,
            ]
        case is UnitSpeed:
            [UnitSpeed.metersPerSecond, UnitSpeed.kilometersPerHour, UnitSpeed.milesPerHour, UnitSpeed.knots]
        case is UnitEnergy:
            [UnitEnergy.joules, UnitEnergy.kilojoules, UnitEnergy.calories, UnitEnergy.kilocalories]
        case is UnitAngle: [UnitAngle.degrees, UnitAngle.radians]
        case is UnitInformationStorage:
            [
                UnitInformationStorage.bytes, UnitInformationStorage.kilobytes,
                UnitInformationStorage.megabytes, UnitInformationStorage.gigabytes,
            ]
        case is UnitArea:
            [UnitArea.squareMeters, UnitArea.squareKilometers, UnitArea.hectares, UnitArea.acres]
        default: []
        }
    }
}
