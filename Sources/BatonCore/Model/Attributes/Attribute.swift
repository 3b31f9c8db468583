/// An attribute of an item, named after the property of Apple's `CSSearchableItemAttributeSet`.
///
/// The raw value is the number of the field in a record. It is part of the protocol: a number always keeps its meaning,
/// and is not used again even if the attribute is removed. Numbers below 32 belong to the item itself. The gaps between
/// the groups leave room for more attributes; the groups have no meaning. Numbers up to 255 take two bytes. Larger
/// numbers are free for further attributes. The names, types and weights of attributes are in `definition`. The
/// library, the query language, the full-text index and the specification all use this one table.
package enum Attribute: UInt16, CaseIterable, Sendable {
    // MARK: General, from 32
    case title = 32
    case displayName = 33
    case alternateNames = 34
    case keywords = 35
    case path = 36
    case contentURL = 37
    case thumbnailURL = 38
    case darkThumbnailURL = 39
    case thumbnailData = 40
    case relatedUniqueIdentifier = 41
    case weakRelatedUniqueIdentifier = 42
    case domainIdentifier = 43
    case metadataModificationDate = 44
    case contentType = 45
    case contentTypeTree = 46
    case version = 47
    case userCreated = 48
    case userOwned = 49
    case userCurated = 50
    case rankingHint = 51

    // MARK: Actions, from 56
    case supportsPhoneCall = 56
    case supportsNavigation = 57
    case actionIdentifiers = 58
    case sharedItemContentType = 59

    // MARK: Containment, from 61
    case containerTitle = 61
    case containerDisplayName = 62
    case containerIdentifier = 63
    case containerOrder = 64

    // MARK: Item providers, from 66
    case providerDataTypeIdentifiers = 66
    case providerFileTypeIdentifiers = 67
    case providerInPlaceFileTypeIdentifiers = 68

    // MARK: Attributes that the system sets, from 70
    case isPriority = 70
    case textContentSummary = 71
    case transcribedTextContent = 72
    case relatedAppEntityIdentifier = 73

    // MARK: Documents, from 75
    case subject = 75
    case theme = 76
    case contentDescription = 77
    case identifier = 78
    case securityMethod = 79
    case creator = 80
    case kind = 81
    case audiences = 82
    case encodingApplications = 83
    case fontNames = 84
    case fileSize = 85
    case pageCount = 86
    case pageWidth = 87
    case pageHeight = 88

    // MARK: Events, from 92
    case dueDate = 92
    case completionDate = 93
    case startDate = 94
    case endDate = 95
    case importantDates = 96
    case allDay = 97

    // MARK: Messages, from 100
    case accountIdentifier = 100
    case accountHandles = 101
    case mailboxIdentifiers = 102
    case textContent = 103
    case htmlContentData = 104
    case authors = 105
    case primaryRecipients = 106
    case additionalRecipients = 107
    case hiddenAdditionalRecipients = 108
    case authorNames = 109
    case authorEmailAddresses = 110
    case authorAddresses = 111
    case recipientNames = 112
    case recipientEmailAddresses = 113
    case recipientAddresses = 114
    case phoneNumbers = 115
    case emailAddresses = 116
    case instantMessageAddresses = 117
    case emailHeaders = 118
    case likelyJunk = 119

    // MARK: Places, from 123
    case headline = 123
    case instructions = 124
    case thoroughfare = 125
    case subThoroughfare = 126
    case postalCode = 127
    case city = 128
    case stateOrProvince = 129
    case country = 130
    case fullyFormattedAddress = 131
    case namedLocation = 132
    case latitude = 133
    case longitude = 134
    case altitude = 135
    case speed = 136
    case imageDirection = 137
    case gpsTrack = 138
    case timestamp = 139
    case gpsDateStamp = 140
    case gpsStatus = 141
    case gpsMeasureMode = 142
    case gpsMapDatum = 143
    case gpsProcessingMethod = 144
    case gpsAreaInformation = 145
    case gpsdop = 146
    case gpsDestLatitude = 147
    case gpsDestLongitude = 148
    case gpsDestBearing = 149
    case gpsDestDistance = 150
    case gpsDifferental = 151

    // MARK: Images, from 155
    case pixelHeight = 155
    case pixelWidth = 156
    case pixelCount = 157
    case bitsPerSample = 158
    case resolutionWidthDPI = 159
    case resolutionHeightDPI = 160
    case orientation = 161
    case flashOn = 162
    case redEyeOn = 163
    case hasAlphaChannel = 164
    case focalLength35mm = 165
    case whiteBalance = 166
    case exposureMode = 167
    case focalLength = 168
    case isoSpeed = 169
    case aperture = 170
    case maxAperture = 171
    case fNumber = 172
    case exposureTime = 173
    case colorSpace = 174
    case profileName = 175
    case acquisitionMake = 176
    case acquisitionModel = 177
    case cameraOwner = 178
    case lensModel = 179
    case exifVersion = 180
    case exifgpsVersion = 181
    case meteringMode = 182
    case exposureProgram = 183
    case exposureTimeString = 184
    case layerNames = 185

    // MARK: Media, from 190
    case editors = 190
    case participants = 191
    case projects = 192
    case contentSources = 193
    case contactKeywords = 194
    case codecs = 195
    case mediaTypes = 196
    case organizations = 197
    case languages = 198
    case publishers = 199
    case contributors = 200
    case coverage = 201
    case performers = 202
    case comment = 203
    case copyright = 204
    case role = 205
    case rights = 206
    case ratingDescription = 207
    case information = 208
    case director = 209
    case producer = 210
    case genre = 211
    case originalFormat = 212
    case originalSource = 213
    case downloadedDate = 214
    case lastUsedDate = 215
    case contentCreationDate = 216
    case contentModificationDate = 217
    case addedDate = 218
    case duration = 219
    case totalBitRate = 220
    case videoBitRate = 221
    case audioBitRate = 222
    case playCount = 223
    case rating = 224
    case streamable = 225
    case local = 226
    case contentRating = 227
    case deliveryType = 228
    case url = 229

    // MARK: Music, from 234
    case audioSampleRate = 234
    case audioChannelCount = 235
    case tempo = 236
    case audioTrackNumber = 237
    case generalMIDISequence = 238
    case keySignature = 239
    case timeSignature = 240
    case audioEncodingApplication = 241
    case composer = 242
    case lyricist = 243
    case album = 244
    case artist = 245
    case musicalGenre = 246
    case musicalInstrumentCategory = 247
    case musicalInstrumentName = 248
    case recordingDate = 249
}
