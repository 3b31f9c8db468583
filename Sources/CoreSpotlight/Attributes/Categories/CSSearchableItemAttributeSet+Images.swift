import BatonCore
public import Foundation

// Attributes of pictures.

extension CSSearchableItemAttributeSet {
    /// The height in pixels.
    public var pixelHeight: NSNumber? {
        get { self[.pixelHeight] }
        set { self[.pixelHeight] = newValue }
    }

    /// The width in pixels.
    public var pixelWidth: NSNumber? {
        get { self[.pixelWidth] }
        set { self[.pixelWidth] = newValue }
    }

    /// The number of pixels.
    public var pixelCount: NSNumber? {
        get { self[.pixelCount] }
        set { self[.pixelCount] = newValue }
    }

    /// The number of bits for each colour sample.
    public var bitsPerSample: NSNumber? {
        get { self[.bitsPerSample] }
        set { self[.bitsPerSample] = newValue }
    }

    /// The horizontal resolution in dots per inch.
    public var resolutionWidthDPI: NSNumber? {
        get { self[.resolutionWidthDPI] }
        set { self[.resolutionWidthDPI] = newValue }
    }

    /// The vertical resolution in dots per inch.
    public var resolutionHeightDPI: NSNumber? {
        get { self[.resolutionHeightDPI] }
        set { self[.resolutionHeightDPI] = newValue }
    }

    /// The orientation: 0 for landscape, 1 for portrait.
    public var orientation: NSNumber? {
        get { self[.orientation] }
        set { self[.orientation] = newValue }
    }

    /// Whether the picture was taken with a flash: 0 or 1.
    public var flashOn: NSNumber? {
        get { self[.flashOn] }
        set { self[.flashOn] = newValue }
    }

    /// Whether red-eye reduction was used: 0 or 1.
    public var redEyeOn: NSNumber? {
        get { self[.redEyeOn] }
        set { self[.redEyeOn] = newValue }
    }

    /// Whether the picture has an alpha channel: 0 or 1.
    public var hasAlphaChannel: NSNumber? {
        get { self[.hasAlphaChannel] }
        set { self[.hasAlphaChannel] = newValue }
    }

    /// Whether the focal length is given as the equivalent for 35 mm film: 0 or 1.
    public var focalLength35mm: NSNumber? {
        get { self[.focalLength35mm] }
        set { self[.focalLength35mm] = newValue }
    }

    /// The white balance: 0 for automatic, 1 for manual.
    public var whiteBalance: NSNumber? {
        get { self[.whiteBalance] }
        set { self[.whiteBalance] = newValue }
    }

    /// The exposure mode: 0 for automatic, 1 for manual, 2 for a series of different exposures (bracketing).
    public var exposureMode: NSNumber? {
        get { self[.exposureMode] }
        set { self[.exposureMode] = newValue }
    }

    /// The focal length in millimetres.
    public var focalLength: NSNumber? {
        get { self[.focalLength] }
        set { self[.focalLength] = newValue }
    }

    /// The light sensitivity, as an ISO number.
    public var isoSpeed: NSNumber? {
        get { self[.isoSpeed] }
        set { self[.isoSpeed] = newValue }
    }

    /// The aperture, as an APEX value.
    public var aperture: NSNumber? {
        get { self[.aperture] }
        set { self[.aperture] = newValue }
    }

    /// The smallest f-number that the lens allows, as an APEX value.
    public var maxAperture: NSNumber? {
        get { self[.maxAperture] }
        set { self[.maxAperture] = newValue }
    }

    /// The f-number: the focal length divided by the diameter of the aperture.
    public var fNumber: NSNumber? {
        get { self[.fNumber] }
        set { self[.fNumber] = newValue }
    }

    /// The exposure time in seconds.
    public var exposureTime: NSNumber? {
        get { self[.exposureTime] }
        set { self[.exposureTime] = newValue }
    }

    /// The colour model; for example, “RGB”.
    public var colorSpace: String? {
        get { self[.colorSpace] }
        set { self[.colorSpace] = newValue }
    }

    /// The name of the colour profile.
    public var profileName: String? {
        get { self[.profileName] }
        set { self[.profileName] = newValue }
    }

    /// The manufacturer of the camera.
    public var acquisitionMake: String? {
        get { self[.acquisitionMake] }
        set { self[.acquisitionMake] = newValue }
    }

    /// The model of the camera.
    public var acquisitionModel: String? {
        get { self[.acquisitionModel] }
        set { self[.acquisitionModel] = newValue }
    }

    /// The owner of the camera.
    public var cameraOwner: String? {
        get { self[.cameraOwner] }
        set { self[.cameraOwner] = newValue }
    }

    /// The model of the lens.
    public var lensModel: String? {
        get { self[.lensModel] }
        set { self[.lensModel] = newValue }
    }

    /// The version of the EXIF data.
    public var exifVersion: String? {
        get { self[.exifVersion] }
        set { self[.exifVersion] = newValue }
    }

    /// The version of the EXIF data for the GPS position.
    public var exifgpsVersion: String? {
        get { self[.exifgpsVersion] }
        set { self[.exifgpsVersion] = newValue }
    }

    /// The way in which the camera measured the light.
    public var meteringMode: String? {
        get { self[.meteringMode] }
        set { self[.meteringMode] = newValue }
    }

    /// The program that the camera used to set the exposure.
    public var exposureProgram: String? {
        get { self[.exposureProgram] }
        set { self[.exposureProgram] = newValue }
    }

    /// The exposure time in words; for example, “1/250”.
    public var exposureTimeString: String? {
        get { self[.exposureTimeString] }
        set { self[.exposureTimeString] = newValue }
    }

    /// The names of the layers.
    public var layerNames: [String]? {
        get { self[.layerNames] }
        set { self[.layerNames] = newValue }
    }
}
