extension Attribute {
    /// Returns the attribute with that field number; nil if there is none.
    package init?(number: UInt64) {
        guard let number = UInt16(exactly: number) else { return nil }
        self.init(rawValue: number)
    }

    /// The number of the attribute's field.
    package var number: UInt64 { UInt64(rawValue) }

    /// Returns the attribute that is Apple's property with that Swift name; nil if there is none.
    package init?(name: some StringProtocol) {
        guard let found = Self.find(name, in: Self.byName, of: \.name) else { return nil }
        self = found
    }

    /// Returns the attribute with that name in a query: the property's Swift name, or its Objective-C name where that
    /// differs.
    ///
    /// Names of file metadata, such as `kMDItemTitle`, are not part of Core Spotlight's query language.
    package init?(queryName: some StringProtocol) {
        guard let found = Self(name: queryName) ?? Self.find(queryName, in: Self.byOtherName, of: \.queryName)
        else { return nil }
        self = found
    }

    /// The property's name in Objective-C, which differs from the Swift name for some that begin with capitals.
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

    /// Finds an attribute by binary search in a list that is sorted by those names.
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

    /// The attributes with a different Objective-C name, in the order of those names.
    package static let byOtherName: [Attribute] = [
        .exifgpsVersion, .exifVersion, .gpsAreaInformation, .gpsdop, .gpsDateStamp, .gpsDestBearing,
        .gpsDestDistance, .gpsDestLatitude, .gpsDestLongitude, .gpsDifferental, .gpsMapDatum,
        .gpsMeasureMode, .gpsProcessingMethod, .gpsStatus, .gpsTrack, .htmlContentData, .isoSpeed, .url,
    ]
}
