import BatonCore
import Testing

@Suite struct `The table of attributes` {
    @Test func `contains every property of Apple's attribute set`() {
        for name in Self.apple { #expect(Attribute(name: name)?.name == name, "\(name)") }
        #expect(Set(Self.apple).count == Self.apple.count)
        #expect(Attribute.allCases.map(\.name) == Self.apple)
    }

    @Test func `gives attributes ascending numbers from 32 on, and finds each attribute by its number`() {
        let numbers = Attribute.allCases.map(\.number)
        #expect(numbers.first == 32)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        for attribute in Attribute.allCases { #expect(Attribute(number: attribute.number) == attribute) }
        for number in [0, 31, 52, 252, 256, UInt64(UInt16.max) + 33, .max] {
            #expect(Attribute(number: number) == nil)
        }
    }

    @Test func `maps names to their attributes, and nothing else`() {
        #expect(Attribute.byName.map(\.name) == Attribute.allCases.map(\.name).sorted())
        for attribute in Attribute.allCases {
            #expect("\(attribute)" == attribute.name)
            #expect(Attribute(name: attribute.name) == attribute)
            #expect(Attribute(name: attribute.name + "x") == nil)
            #expect(Attribute(name: attribute.name.dropLast()).map { $0.name != attribute.name } ?? true)
        }
        for name in ["", "Title", "tïtle", "zzz", "aaa", "kMDItemTitle", "inbox"] {
            #expect(Attribute(name: name) == nil)
        }
    }

    @Test func `accepts an attribute's property name and its query name in a query`() {
        let others = Attribute.allCases.filter { $0.queryName != $0.name }
        #expect(Attribute.byOtherName.map(\.queryName) == others.map(\.queryName).sorted())
        for attribute in Attribute.allCases {
            #expect(Attribute(queryName: attribute.name) == attribute)
            #expect(Attribute(queryName: attribute.queryName) == attribute)
        }
        #expect(Attribute(queryName: "HTMLContentData") == .htmlContentData)
        #expect(Attribute(queryName: "GPSDestBearing") == .gpsDestBearing)
        #expect(Attribute(queryName: "kMDItemTitle") == nil)
    }

    @Test func `gives a search weight only to texts`() {
        for attribute in Attribute.allCases where attribute.weight != .none {
            let isText = [.string, .strings, .persons].contains(attribute.type)
            #expect(isText || attribute == .htmlContentData, "\(attribute)")
        }
        #expect(SearchWeight.title > .names && SearchWeight.body > .none)
    }

    /// The properties as the reference lists them, group by group.
    private static let apple = [
        "title", "displayName", "alternateNames", "keywords", "path", "contentURL", "thumbnailURL",
        "darkThumbnailURL", "thumbnailData", "relatedUniqueIdentifier", "weakRelatedUniqueIdentifier",
        "domainIdentifier", "metadataModificationDate", "contentType", "contentTypeTree", "version",
        "userCreated", "userOwned", "userCurated", "rankingHint", "supportsPhoneCall",
        "supportsNavigation", "actionIdentifiers", "sharedItemContentType", "containerTitle",
        "containerDisplayName", "containerIdentifier", "containerOrder", "providerDataTypeIdentifiers",
        "providerFileTypeIdentifiers", "providerInPlaceFileTypeIdentifiers", "isPriority",
        "textContentSummary", "transcribedTextContent", "relatedAppEntityIdentifier", "subject", "theme",
        "contentDescription", "identifier", "securityMethod", "creator", "kind", "audiences",
        "encodingApplications", "fontNames", "fileSize", "pageCount", "pageWidth", "pageHeight", "dueDate",
        "completionDate", "startDate", "endDate", "importantDates", "allDay", "accountIdentifier",
        "accountHandles", "mailboxIdentifiers", "textContent", "htmlContentData", "authors",
        "primaryRecipients", "additionalRecipients", "hiddenAdditionalRecipients", "authorNames",
        "authorEmailAddresses", "authorAddresses", "recipientNames", "recipientEmailAddresses",
        "recipientAddresses", "phoneNumbers", "emailAddresses", "instantMessageAddresses", "emailHeaders",
        "likelyJunk", "headline", "instructions", "thoroughfare", "subThoroughfare", "postalCode", "city",
        "stateOrProvince", "country", "fullyFormattedAddress", "namedLocation", "latitude", "longitude",
        "altitude", "speed", "imageDirection", "gpsTrack", "timestamp", "gpsDateStamp", "gpsStatus",
        "gpsMeasureMode", "gpsMapDatum", "gpsProcessingMethod", "gpsAreaInformation", "gpsdop",
        "gpsDestLatitude", "gpsDestLongitude", "gpsDestBearing", "gpsDestDistance", "gpsDifferental",
        "pixelHeight", "pixelWidth", "pixelCount", "bitsPerSample", "resolutionWidthDPI",
        "resolutionHeightDPI", "orientation", "flashOn", "redEyeOn", "hasAlphaChannel", "focalLength35mm",
        "whiteBalance", "exposureMode", "focalLength", "isoSpeed", "aperture", "maxAperture", "fNumber",
        "exposureTime", "colorSpace", "profileName", "acquisitionMake", "acquisitionModel", "cameraOwner",
        "lensModel", "exifVersion", "exifgpsVersion", "meteringMode", "exposureProgram",
        "exposureTimeString", "layerNames", "editors", "participants", "projects", "contentSources",
        "contactKeywords", "codecs", "mediaTypes", "organizations", "languages", "publishers",
        "contributors", "coverage", "performers", "comment", "copyright", "role", "rights",
        "ratingDescription", "information", "director", "producer", "genre", "originalFormat",
        "originalSource", "downloadedDate", "lastUsedDate", "contentCreationDate",
        "contentModificationDate", "addedDate", "duration", "totalBitRate", "videoBitRate", "audioBitRate",
        "playCount", "rating", "streamable", "local", "contentRating", "deliveryType", "url",
        "audioSampleRate", "audioChannelCount", "tempo", "audioTrackNumber", "generalMIDISequence",
        "keySignature", "timeSignature", "audioEncodingApplication", "composer", "lyricist", "album",
        "artist", "musicalGenre", "musicalInstrumentCategory", "musicalInstrumentName", "recordingDate",
    ]
}
