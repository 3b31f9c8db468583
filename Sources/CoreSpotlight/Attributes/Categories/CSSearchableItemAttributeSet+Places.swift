import BatonCore
public import Foundation

// Attributes of places and positions.

extension CSSearchableItemAttributeSet {
    /// A headline for the content.
    public var headline: String? {
        get { self[.headline] }
        set { self[.headline] = newValue }
    }

    /// Instructions about the content, such as how a picture may be used.
    public var instructions: String? {
        get { self[.instructions] }
        set { self[.instructions] = newValue }
    }

    /// The street of the place.
    public var thoroughfare: String? {
        get { self[.thoroughfare] }
        set { self[.thoroughfare] = newValue }
    }

    /// The house number in the street.
    public var subThoroughfare: String? {
        get { self[.subThoroughfare] }
        set { self[.subThoroughfare] = newValue }
    }

    /// The postal code of the place.
    public var postalCode: String? {
        get { self[.postalCode] }
        set { self[.postalCode] = newValue }
    }

    /// The city of the place.
    public var city: String? {
        get { self[.city] }
        set { self[.city] = newValue }
    }

    /// The state or province of the place.
    public var stateOrProvince: String? {
        get { self[.stateOrProvince] }
        set { self[.stateOrProvince] = newValue }
    }

    /// The country of the place.
    public var country: String? {
        get { self[.country] }
        set { self[.country] = newValue }
    }

    /// The full address of the place, in the form in which it is written.
    public var fullyFormattedAddress: String? {
        get { self[.fullyFormattedAddress] }
        set { self[.fullyFormattedAddress] = newValue }
    }

    /// The name of the place; for example, the name of a building.
    public var namedLocation: String? {
        get { self[.namedLocation] }
        set { self[.namedLocation] = newValue }
    }

    /// The latitude in degrees (WGS84); it is negative in the south.
    public var latitude: NSNumber? {
        get { self[.latitude] }
        set { self[.latitude] = newValue }
    }

    /// The longitude in degrees (WGS84); it is negative in the west.
    public var longitude: NSNumber? {
        get { self[.longitude] }
        set { self[.longitude] = newValue }
    }

    /// The altitude in metres (WGS84); it is negative below sea level.
    public var altitude: NSNumber? {
        get { self[.altitude] }
        set { self[.altitude] = newValue }
    }

    /// The speed in kilometres per hour.
    public var speed: NSNumber? {
        get { self[.speed] }
        set { self[.speed] = newValue }
    }

    /// The direction in which a picture was taken, in degrees from true north.
    public var imageDirection: NSNumber? {
        get { self[.imageDirection] }
        set { self[.imageDirection] = newValue }
    }

    /// The direction of movement, in degrees from true north.
    public var gpsTrack: NSNumber? {
        get { self[.gpsTrack] }
        set { self[.gpsTrack] = newValue }
    }

    /// The time when the position was measured.
    public var timestamp: Date? {
        get { self[.timestamp] }
        set { self[.timestamp] = newValue }
    }

    /// The GPS date that belongs to the position.
    public var gpsDateStamp: Date? {
        get { self[.gpsDateStamp] }
        set { self[.gpsDateStamp] = newValue }
    }

    /// The status of the GPS receiver when the position was measured.
    public var gpsStatus: String? {
        get { self[.gpsStatus] }
        set { self[.gpsStatus] = newValue }
    }

    /// Whether the position was measured in two or in three dimensions.
    public var gpsMeasureMode: String? {
        get { self[.gpsMeasureMode] }
        set { self[.gpsMeasureMode] = newValue }
    }

    /// The geodetic reference system that the position uses.
    public var gpsMapDatum: String? {
        get { self[.gpsMapDatum] }
        set { self[.gpsMapDatum] = newValue }
    }

    /// The method that was used to find the position.
    public var gpsProcessingMethod: String? {
        get { self[.gpsProcessingMethod] }
        set { self[.gpsProcessingMethod] = newValue }
    }

    /// The name of the area that contains the position.
    public var gpsAreaInformation: String? {
        get { self[.gpsAreaInformation] }
        set { self[.gpsAreaInformation] = newValue }
    }

    /// The precision of the position, as the dilution of precision.
    public var gpsdop: NSNumber? {
        get { self[.gpsdop] }
        set { self[.gpsdop] = newValue }
    }

    /// The latitude of the destination in degrees.
    public var gpsDestLatitude: NSNumber? {
        get { self[.gpsDestLatitude] }
        set { self[.gpsDestLatitude] = newValue }
    }

    /// The longitude of the destination in degrees.
    public var gpsDestLongitude: NSNumber? {
        get { self[.gpsDestLongitude] }
        set { self[.gpsDestLongitude] = newValue }
    }

    /// The direction to the destination in degrees.
    public var gpsDestBearing: NSNumber? {
        get { self[.gpsDestBearing] }
        set { self[.gpsDestBearing] = newValue }
    }

    /// The distance to the destination.
    public var gpsDestDistance: NSNumber? {
        get { self[.gpsDestDistance] }
        set { self[.gpsDestDistance] = newValue }
    }

    /// Whether the position was corrected with a second receiver.
    ///
    /// The spelling of the name is that of Apple's systems.
    public var gpsDifferental: NSNumber? {
        get { self[.gpsDifferental] }
        set { self[.gpsDifferental] = newValue }
    }
}
