extension Attribute {
    /// The fixed properties of an attribute.
    package struct Definition: Sendable {
        /// The Swift name of Apple's property.
        ///
        /// Queries use this name, too.
        package let name: String
        package let type: AttributeType
        /// The weight that a search gives to a match in the attribute's text.
        package let weight: SearchWeight

        fileprivate init(_ name: String, _ type: AttributeType, _ weight: SearchWeight = .none) {
            (self.name, self.type, self.weight) = (name, type, weight)
        }
    }

    package var name: String { definition.name }
    package var type: AttributeType { definition.type }
    package var weight: SearchWeight { definition.weight }

    /// The attribute's entry in the table of all attributes.
    ///
    /// The table is a `switch` and not data, so nothing is built before the first lookup. An attribute is an integer if
    /// Apple's headers mention a count, position or choice. It is a real if they mention a measure, and `number` if
    /// they don't say.
    package var definition: Definition {
        switch self {
        // General
        case .title: Definition("title", .string, .title)
        case .displayName: Definition("displayName", .string, .title)
        case .alternateNames: Definition("alternateNames", .strings, .names)
        case .keywords: Definition("keywords", .strings, .keywords)
        case .path: Definition("path", .string)
        case .contentURL: Definition("contentURL", .url)
        case .thumbnailURL: Definition("thumbnailURL", .url)
        case .darkThumbnailURL: Definition("darkThumbnailURL", .url)
        case .thumbnailData: Definition("thumbnailData", .data)
        case .relatedUniqueIdentifier: Definition("relatedUniqueIdentifier", .string)
        case .weakRelatedUniqueIdentifier: Definition("weakRelatedUniqueIdentifier", .string)
        case .domainIdentifier: Definition("domainIdentifier", .string)
        case .metadataModificationDate: Definition("metadataModificationDate", .date)
        case .contentType: Definition("contentType", .string)
        case .contentTypeTree: Definition("contentTypeTree", .strings)
        case .version: Definition("version", .string)
        case .userCreated: Definition("userCreated", .boolean)
        case .userOwned: Definition("userOwned", .boolean)
        case .userCurated: Definition("userCurated", .boolean)
        case .rankingHint: Definition("rankingHint", .number)
        // Actions
        case .supportsPhoneCall: Definition("supportsPhoneCall", .boolean)
        case .supportsNavigation: Definition("supportsNavigation", .boolean)
        case .actionIdentifiers: Definition("actionIdentifiers", .strings)
        case .sharedItemContentType: Definition("sharedItemContentType", .typeIdentifier)
        // Containment
        case .containerTitle: Definition("containerTitle", .string, .names)
        case .containerDisplayName: Definition("containerDisplayName", .string, .names)
        case .containerIdentifier: Definition("containerIdentifier", .string)
        case .containerOrder: Definition("containerOrder", .number)
        // Item providers
        case .providerDataTypeIdentifiers: Definition("providerDataTypeIdentifiers", .strings)
        case .providerFileTypeIdentifiers: Definition("providerFileTypeIdentifiers", .strings)
        case .providerInPlaceFileTypeIdentifiers: Definition("providerInPlaceFileTypeIdentifiers", .strings)
        // Attributes that the system sets
        case .isPriority: Definition("isPriority", .boolean)
        case .textContentSummary: Definition("textContentSummary", .string, .description)
        case .transcribedTextContent: Definition("transcribedTextContent", .string, .body)
        case .relatedAppEntityIdentifier: Definition("relatedAppEntityIdentifier", .entity)
        // Documents
        case .subject: Definition("subject", .string, .title)
        case .theme: Definition("theme", .string, .keywords)
        case .contentDescription: Definition("contentDescription", .string, .description)
        case .identifier: Definition("identifier", .string, .keywords)
        case .securityMethod: Definition("securityMethod", .string)
        case .creator: Definition("creator", .string)
        case .kind: Definition("kind", .string, .keywords)
        case .audiences: Definition("audiences", .strings, .keywords)
        case .encodingApplications: Definition("encodingApplications", .strings)
        case .fontNames: Definition("fontNames", .strings)
        case .fileSize: Definition("fileSize", .number)
        case .pageCount: Definition("pageCount", .integer)
        case .pageWidth: Definition("pageWidth", .real)
        case .pageHeight: Definition("pageHeight", .real)
        // Events
        case .dueDate: Definition("dueDate", .date)
        case .completionDate: Definition("completionDate", .date)
        case .startDate: Definition("startDate", .date)
        case .endDate: Definition("endDate", .date)
        case .importantDates: Definition("importantDates", .dates)
        case .allDay: Definition("allDay", .boolean)
        // Messages
        case .accountIdentifier: Definition("accountIdentifier", .string)
        case .accountHandles: Definition("accountHandles", .strings, .names)
        case .mailboxIdentifiers: Definition("mailboxIdentifiers", .strings)
        case .textContent: Definition("textContent", .string, .body)
        case .htmlContentData: Definition("htmlContentData", .data, .body)
        case .authors: Definition("authors", .persons, .names)
        case .primaryRecipients: Definition("primaryRecipients", .persons, .names)
        case .additionalRecipients: Definition("additionalRecipients", .persons, .names)
        case .hiddenAdditionalRecipients: Definition("hiddenAdditionalRecipients", .persons, .names)
        case .authorNames: Definition("authorNames", .strings, .names)
        case .authorEmailAddresses: Definition("authorEmailAddresses", .strings, .names)
        case .authorAddresses: Definition("authorAddresses", .strings, .names)
        case .recipientNames: Definition("recipientNames", .strings, .names)
        case .recipientEmailAddresses: Definition("recipientEmailAddresses", .strings, .names)
        case .recipientAddresses: Definition("recipientAddresses", .strings, .names)
        case .phoneNumbers: Definition("phoneNumbers", .strings, .names)
        case .emailAddresses: Definition("emailAddresses", .strings, .names)
        case .instantMessageAddresses: Definition("instantMessageAddresses", .strings, .names)
        case .emailHeaders: Definition("emailHeaders", .headers)
        case .likelyJunk: Definition("likelyJunk", .boolean)
        // Places
        case .headline: Definition("headline", .string, .title)
        case .instructions: Definition("instructions", .string, .description)
        case .thoroughfare: Definition("thoroughfare", .string, .names)
        case .subThoroughfare: Definition("subThoroughfare", .string, .names)
        case .postalCode: Definition("postalCode", .string, .names)
        case .city: Definition("city", .string, .names)
        case .stateOrProvince: Definition("stateOrProvince", .string, .names)
        case .country: Definition("country", .string, .names)
        case .fullyFormattedAddress: Definition("fullyFormattedAddress", .string, .names)
        case .namedLocation: Definition("namedLocation", .string, .names)
        case .latitude: Definition("latitude", .real)
        case .longitude: Definition("longitude", .real)
        case .altitude: Definition("altitude", .real)
        case .speed: Definition("speed", .real)
        case .imageDirection: Definition("imageDirection", .real)
        case .gpsTrack: Definition("gpsTrack", .real)
        case .timestamp: Definition("timestamp", .date)
        case .gpsDateStamp: Definition("gpsDateStamp", .date)
        case .gpsStatus: Definition("gpsStatus", .string)
        case .gpsMeasureMode: Definition("gpsMeasureMode", .string)
        case .gpsMapDatum: Definition("gpsMapDatum", .string)
        case .gpsProcessingMethod: Definition("gpsProcessingMethod", .string)
        case .gpsAreaInformation: Definition("gpsAreaInformation", .string, .names)
        case .gpsdop: Definition("gpsdop", .real)
        case .gpsDestLatitude: Definition("gpsDestLatitude", .real)
        case .gpsDestLongitude: Definition("gpsDestLongitude", .real)
        case .gpsDestBearing: Definition("gpsDestBearing", .real)
        case .gpsDestDistance: Definition("gpsDestDistance", .real)
        case .gpsDifferental: Definition("gpsDifferental", .number)
        // Images
        case .pixelHeight: Definition("pixelHeight", .integer)
        case .pixelWidth: Definition("pixelWidth", .integer)
        case .pixelCount: Definition("pixelCount", .integer)
        case .bitsPerSample: Definition("bitsPerSample", .integer)
        case .resolutionWidthDPI: Definition("resolutionWidthDPI", .real)
        case .resolutionHeightDPI: Definition("resolutionHeightDPI", .real)
        case .orientation: Definition("orientation", .integer)
        case .flashOn: Definition("flashOn", .boolean)
        case .redEyeOn: Definition("redEyeOn", .boolean)
        case .hasAlphaChannel: Definition("hasAlphaChannel", .boolean)
        case .focalLength35mm: Definition("focalLength35mm", .boolean)
        case .whiteBalance: Definition("whiteBalance", .integer)
        case .exposureMode: Definition("exposureMode", .integer)
        case .focalLength: Definition("focalLength", .real)
        case .isoSpeed: Definition("isoSpeed", .number)
        case .aperture: Definition("aperture", .real)
        case .maxAperture: Definition("maxAperture", .real)
        case .fNumber: Definition("fNumber", .real)
        case .exposureTime: Definition("exposureTime", .real)
        case .colorSpace: Definition("colorSpace", .string)
        case .profileName: Definition("profileName", .string)
        case .acquisitionMake: Definition("acquisitionMake", .string, .keywords)
        case .acquisitionModel: Definition("acquisitionModel", .string, .keywords)
        case .cameraOwner: Definition("cameraOwner", .string, .names)
        case .lensModel: Definition("lensModel", .string, .keywords)
        case .exifVersion: Definition("exifVersion", .string)
        case .exifgpsVersion: Definition("exifgpsVersion", .string)
        case .meteringMode: Definition("meteringMode", .string)
        case .exposureProgram: Definition("exposureProgram", .string)
        case .exposureTimeString: Definition("exposureTimeString", .string)
        case .layerNames: Definition("layerNames", .strings, .keywords)
        // Media
        case .editors: Definition("editors", .strings, .names)
        case .participants: Definition("participants", .strings, .names)
        case .projects: Definition("projects", .strings, .keywords)
        case .contentSources: Definition("contentSources", .strings, .keywords)
        case .contactKeywords: Definition("contactKeywords", .strings, .keywords)
        case .codecs: Definition("codecs", .strings)
        case .mediaTypes: Definition("mediaTypes", .strings)
        case .organizations: Definition("organizations", .strings, .names)
        case .languages: Definition("languages", .strings)
        case .publishers: Definition("publishers", .strings, .names)
        case .contributors: Definition("contributors", .strings, .names)
        case .coverage: Definition("coverage", .strings, .keywords)
        case .performers: Definition("performers", .strings, .names)
        case .comment: Definition("comment", .string, .description)
        case .copyright: Definition("copyright", .string, .description)
        case .role: Definition("role", .string, .keywords)
        case .rights: Definition("rights", .string, .description)
        case .ratingDescription: Definition("ratingDescription", .string, .description)
        case .information: Definition("information", .string, .description)
        case .director: Definition("director", .string, .names)
        case .producer: Definition("producer", .string, .names)
        case .genre: Definition("genre", .string, .keywords)
        case .originalFormat: Definition("originalFormat", .string)
        case .originalSource: Definition("originalSource", .string)
        case .downloadedDate: Definition("downloadedDate", .date)
        case .lastUsedDate: Definition("lastUsedDate", .date)
        case .contentCreationDate: Definition("contentCreationDate", .date)
        case .contentModificationDate: Definition("contentModificationDate", .date)
        case .addedDate: Definition("addedDate", .date)
        case .duration: Definition("duration", .real)
        case .totalBitRate: Definition("totalBitRate", .number)
        case .videoBitRate: Definition("videoBitRate", .number)
        case .audioBitRate: Definition("audioBitRate", .number)
        case .playCount: Definition("playCount", .integer)
        case .rating: Definition("rating", .number)
        case .streamable: Definition("streamable", .boolean)
        case .local: Definition("local", .boolean)
        case .contentRating: Definition("contentRating", .boolean)
        case .deliveryType: Definition("deliveryType", .integer)
        case .url: Definition("url", .url)
        // Music
        case .audioSampleRate: Definition("audioSampleRate", .number)
        case .audioChannelCount: Definition("audioChannelCount", .integer)
        case .tempo: Definition("tempo", .number)
        case .audioTrackNumber: Definition("audioTrackNumber", .integer)
        case .generalMIDISequence: Definition("generalMIDISequence", .boolean)
        case .keySignature: Definition("keySignature", .string)
        case .timeSignature: Definition("timeSignature", .string)
        case .audioEncodingApplication: Definition("audioEncodingApplication", .string)
        case .composer: Definition("composer", .string, .names)
        case .lyricist: Definition("lyricist", .string, .names)
        case .album: Definition("album", .string, .names)
        case .artist: Definition("artist", .string, .names)
        case .musicalGenre: Definition("musicalGenre", .string, .keywords)
        case .musicalInstrumentCategory: Definition("musicalInstrumentCategory", .string, .keywords)
        case .musicalInstrumentName: Definition("musicalInstrumentName", .string, .keywords)
        case .recordingDate: Definition("recordingDate", .date)
        }
    }
}

extension Attribute {
    /// Returns the attribute with that field number; nil if there is none.
    package init?(number: UInt64) {
        guard let number = UInt16(exactly: number) else { return nil }
        self.init(rawValue: number)
    }

    /// The number of the attribute's field.
    package var number: UInt64 { UInt64(rawValue) }

    /// Returns the attribute for Apple's property with that Swift name; nil if there is none.
    package init?(name: some StringProtocol) {
        guard let found = Self.find(name, in: Self.byName, of: \.name) else { return nil }
        self = found
    }

    /// Returns the attribute that a query calls by this name; nil if there is none.
    ///
    /// A query may use the Swift name, or the Objective-C name if that differs.
    ///
    /// Names of file metadata, such as `kMDItemTitle`, are not part of Core Spotlight's query language.
    package init?(queryName: some StringProtocol) {
        guard let found = Self(name: queryName) ?? Self.find(queryName, in: Self.byOtherName, of: \.queryName)
        else { return nil }
        self = found
    }

    /// The property's name in Objective-C.
    ///
    /// Some of these names begin with several capitals; there, the Swift name differs.
    package var queryName: String {
        switch self {
        case .htmlContentData: "HTMLContentData"
        case .gpsTrack: "GPSTrack"
        case .gpsDateStamp: "GPSDateStamp"
        case .gpsStatus: "GPSStatus"
        case .gpsMeasureMode: "GPSMeasureMode"
        case .gpsMapDatum: "GPSMapDatum"
        case .gpsProcessingMethod: "GPSProcessingMethod"
        case .gpsAreaInformation: "GPSAreaInformation"
        case .gpsdop: "GPSDOP"
        case .gpsDestLatitude: "GPSDestLatitude"
        case .gpsDestLongitude: "GPSDestLongitude"
        case .gpsDestBearing: "GPSDestBearing"
        case .gpsDestDistance: "GPSDestDistance"
        case .gpsDifferental: "GPSDifferental"
        case .isoSpeed: "ISOSpeed"
        case .exifVersion: "EXIFVersion"
        case .exifgpsVersion: "EXIFGPSVersion"
        case .url: "URL"
        default: name
        }
    }

    /// Finds an attribute by binary search in a list that is sorted by the names that `path` returns.
    private static func find(
        _ name: some StringProtocol, in list: [Attribute], of path: (Attribute) -> String
    ) -> Attribute? {
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if path(list[middle]) < name { low = middle + 1 } else { high = middle }
        }
        return low < list.count && path(list[low]) == name ? list[low] : nil
    }

    /// All attributes in the order of their Swift names.
    package static let byName: [Attribute] = [
        .accountHandles, .accountIdentifier, .acquisitionMake, .acquisitionModel, .actionIdentifiers,
        .addedDate, .additionalRecipients, .album, .allDay, .alternateNames, .altitude, .aperture, .artist,
        .audiences, .audioBitRate, .audioChannelCount, .audioEncodingApplication, .audioSampleRate,
        .audioTrackNumber, .authorAddresses, .authorEmailAddresses, .authorNames, .authors, .bitsPerSample,
        .cameraOwner, .city, .codecs, .colorSpace, .comment, .completionDate, .composer, .contactKeywords,
        .containerDisplayName, .containerIdentifier, .containerOrder, .containerTitle,
        .contentCreationDate, .contentDescription, .contentModificationDate, .contentRating,
        .contentSources, .contentType, .contentTypeTree, .contentURL, .contributors, .copyright, .country,
        .coverage, .creator, .darkThumbnailURL, .deliveryType, .director, .displayName, .domainIdentifier,
        .downloadedDate, .dueDate, .duration, .editors, .emailAddresses, .emailHeaders,
        .encodingApplications, .endDate, .exifVersion, .exifgpsVersion, .exposureMode, .exposureProgram,
        .exposureTime, .exposureTimeString, .fNumber, .fileSize, .flashOn, .focalLength, .focalLength35mm,
        .fontNames, .fullyFormattedAddress, .generalMIDISequence, .genre, .gpsAreaInformation,
        .gpsDateStamp, .gpsDestBearing, .gpsDestDistance, .gpsDestLatitude, .gpsDestLongitude,
        .gpsDifferental, .gpsMapDatum, .gpsMeasureMode, .gpsProcessingMethod, .gpsStatus, .gpsTrack,
        .gpsdop, .hasAlphaChannel, .headline, .hiddenAdditionalRecipients, .htmlContentData, .identifier,
        .imageDirection, .importantDates, .information, .instantMessageAddresses, .instructions,
        .isPriority, .isoSpeed, .keySignature, .keywords, .kind, .languages, .lastUsedDate, .latitude,
        .layerNames, .lensModel, .likelyJunk, .local, .longitude, .lyricist, .mailboxIdentifiers,
        .maxAperture, .mediaTypes, .metadataModificationDate, .meteringMode, .musicalGenre,
        .musicalInstrumentCategory, .musicalInstrumentName, .namedLocation, .organizations, .orientation,
        .originalFormat, .originalSource, .pageCount, .pageHeight, .pageWidth, .participants, .path,
        .performers, .phoneNumbers, .pixelCount, .pixelHeight, .pixelWidth, .playCount, .postalCode,
        .primaryRecipients, .producer, .profileName, .projects, .providerDataTypeIdentifiers,
        .providerFileTypeIdentifiers, .providerInPlaceFileTypeIdentifiers, .publishers, .rankingHint,
        .rating, .ratingDescription, .recipientAddresses, .recipientEmailAddresses, .recipientNames,
        .recordingDate, .redEyeOn, .relatedAppEntityIdentifier, .relatedUniqueIdentifier,
        .resolutionHeightDPI, .resolutionWidthDPI, .rights, .role, .securityMethod, .sharedItemContentType,
        .speed, .startDate, .stateOrProvince, .streamable, .subThoroughfare, .subject, .supportsNavigation,
        .supportsPhoneCall, .tempo, .textContent, .textContentSummary, .theme, .thoroughfare,
        .thumbnailData, .thumbnailURL, .timeSignature, .timestamp, .title, .totalBitRate,
        .transcribedTextContent, .url, .userCreated, .userCurated, .userOwned, .version, .videoBitRate,
        .weakRelatedUniqueIdentifier, .whiteBalance,
    ]

    /// The attributes whose Objective-C name differs from the Swift name, in the order of the Objective-C names.
    package static let byOtherName: [Attribute] = [
        .exifgpsVersion, .exifVersion, .gpsAreaInformation, .gpsdop, .gpsDateStamp, .gpsDestBearing,
        .gpsDestDistance, .gpsDestLatitude, .gpsDestLongitude, .gpsDifferental, .gpsMapDatum,
        .gpsMeasureMode, .gpsProcessingMethod, .gpsStatus, .gpsTrack, .htmlContentData, .isoSpeed, .url,
    ]
}
