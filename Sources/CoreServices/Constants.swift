public import Foundation

// The identifiers of types, by the names that Apple's libraries used before `UTType`.

/// The identifier of `UTType.item`.
@available(*, deprecated, message: "Use UTType.item.")
public var kUTTypeItem: CFString { "public.item" }
/// The identifier of `UTType.content`.
@available(*, deprecated, message: "Use UTType.content.")
public var kUTTypeContent: CFString { "public.content" }
/// The identifier of `UTType.compositeContent`.
@available(*, deprecated, message: "Use UTType.compositeContent.")
public var kUTTypeCompositeContent: CFString { "public.composite-content" }
/// The identifier of `UTType.message`.
@available(*, deprecated, message: "Use UTType.message.")
public var kUTTypeMessage: CFString { "public.message" }
/// The identifier of `UTType.contact`.
@available(*, deprecated, message: "Use UTType.contact.")
public var kUTTypeContact: CFString { "public.contact" }
/// The identifier of `UTType.archive`.
@available(*, deprecated, message: "Use UTType.archive.")
public var kUTTypeArchive: CFString { "public.archive" }
/// The identifier of `UTType.diskImage`.
@available(*, deprecated, message: "Use UTType.diskImage.")
public var kUTTypeDiskImage: CFString { "public.disk-image" }
/// The identifier of `UTType.data`.
@available(*, deprecated, message: "Use UTType.data.")
public var kUTTypeData: CFString { "public.data" }
/// The identifier of `UTType.directory`.
@available(*, deprecated, message: "Use UTType.directory.")
public var kUTTypeDirectory: CFString { "public.directory" }
/// The identifier of `UTType.resolvable`.
@available(*, deprecated, message: "Use UTType.resolvable.")
public var kUTTypeResolvable: CFString { "com.apple.resolvable" }
/// The identifier of `UTType.symbolicLink`.
@available(*, deprecated, message: "Use UTType.symbolicLink.")
public var kUTTypeSymLink: CFString { "public.symlink" }
/// The identifier of `UTType.executable`.
@available(*, deprecated, message: "Use UTType.executable.")
public var kUTTypeExecutable: CFString { "public.executable" }
/// The identifier of `UTType.mountPoint`.
@available(*, deprecated, message: "Use UTType.mountPoint.")
public var kUTTypeMountPoint: CFString { "com.apple.mount-point" }
/// The identifier of `UTType.aliasFile`.
@available(*, deprecated, message: "Use UTType.aliasFile.")
public var kUTTypeAliasFile: CFString { "com.apple.alias-file" }
/// The identifier of `UTType.urlBookmarkData`.
@available(*, deprecated, message: "Use UTType.urlBookmarkData.")
public var kUTTypeURLBookmarkData: CFString { "com.apple.bookmark" }
/// The identifier of `UTType.url`.
@available(*, deprecated, message: "Use UTType.url.")
public var kUTTypeURL: CFString { "public.url" }
/// The identifier of `UTType.fileURL`.
@available(*, deprecated, message: "Use UTType.fileURL.")
public var kUTTypeFileURL: CFString { "public.file-url" }
/// The identifier of `UTType.text`.
@available(*, deprecated, message: "Use UTType.text.")
public var kUTTypeText: CFString { "public.text" }
/// The identifier of `UTType.plainText`.
@available(*, deprecated, message: "Use UTType.plainText.")
public var kUTTypePlainText: CFString { "public.plain-text" }
/// The identifier of `UTType.utf8PlainText`.
@available(*, deprecated, message: "Use UTType.utf8PlainText.")
public var kUTTypeUTF8PlainText: CFString { "public.utf8-plain-text" }
/// The identifier of `UTType.utf16ExternalPlainText`.
@available(*, deprecated, message: "Use UTType.utf16ExternalPlainText.")
public var kUTTypeUTF16ExternalPlainText: CFString { "public.utf16-external-plain-text" }
/// The identifier of `UTType.utf16PlainText`.
@available(*, deprecated, message: "Use UTType.utf16PlainText.")
public var kUTTypeUTF16PlainText: CFString { "public.utf16-plain-text" }
/// The identifier of `UTType.delimitedText`.
@available(*, deprecated, message: "Use UTType.delimitedText.")
public var kUTTypeDelimitedText: CFString { "public.delimited-values-text" }
/// The identifier of `UTType.commaSeparatedText`.
@available(*, deprecated, message: "Use UTType.commaSeparatedText.")
public var kUTTypeCommaSeparatedText: CFString { "public.comma-separated-values-text" }
/// The identifier of `UTType.tabSeparatedText`.
@available(*, deprecated, message: "Use UTType.tabSeparatedText.")
public var kUTTypeTabSeparatedText: CFString { "public.tab-separated-values-text" }
/// The identifier of `UTType.utf8TabSeparatedText`.
@available(*, deprecated, message: "Use UTType.utf8TabSeparatedText.")
public var kUTTypeUTF8TabSeparatedText: CFString { "public.utf8-tab-separated-values-text" }
/// The identifier of `UTType.rtf`.
@available(*, deprecated, message: "Use UTType.rtf.")
public var kUTTypeRTF: CFString { "public.rtf" }
/// The identifier of `UTType.html`.
@available(*, deprecated, message: "Use UTType.html.")
public var kUTTypeHTML: CFString { "public.html" }
/// The identifier of `UTType.xml`.
@available(*, deprecated, message: "Use UTType.xml.")
public var kUTTypeXML: CFString { "public.xml" }
/// The identifier of `UTType.sourceCode`.
@available(*, deprecated, message: "Use UTType.sourceCode.")
public var kUTTypeSourceCode: CFString { "public.source-code" }
/// The identifier of `UTType.assemblyLanguageSource`.
@available(*, deprecated, message: "Use UTType.assemblyLanguageSource.")
public var kUTTypeAssemblyLanguageSource: CFString { "public.assembly-source" }
/// The identifier of `UTType.cSource`.
@available(*, deprecated, message: "Use UTType.cSource.")
public var kUTTypeCSource: CFString { "public.c-source" }
/// The identifier of `UTType.objectiveCSource`.
@available(*, deprecated, message: "Use UTType.objectiveCSource.")
public var kUTTypeObjectiveCSource: CFString { "public.objective-c-source" }
/// The identifier of `UTType.swiftSource`.
@available(*, deprecated, message: "Use UTType.swiftSource.")
public var kUTTypeSwiftSource: CFString { "public.swift-source" }
/// The identifier of `UTType.cPlusPlusSource`.
@available(*, deprecated, message: "Use UTType.cPlusPlusSource.")
public var kUTTypeCPlusPlusSource: CFString { "public.c-plus-plus-source" }
/// The identifier of `UTType.objectiveCPlusPlusSource`.
@available(*, deprecated, message: "Use UTType.objectiveCPlusPlusSource.")
public nonisolated(unsafe) let kUTTypeObjectiveCPlusPlusSource: CFString =
    "public.objective-c-plus-plus-source"
/// The identifier of `UTType.cHeader`.
@available(*, deprecated, message: "Use UTType.cHeader.")
public var kUTTypeCHeader: CFString { "public.c-header" }
/// The identifier of `UTType.cPlusPlusHeader`.
@available(*, deprecated, message: "Use UTType.cPlusPlusHeader.")
public var kUTTypeCPlusPlusHeader: CFString { "public.c-plus-plus-header" }
/// The identifier `com.sun.java-source`.
@available(*, deprecated, message: "Use UTType(\"com.sun.java-source\").")
public var kUTTypeJavaSource: CFString { "com.sun.java-source" }
/// The identifier of `UTType.script`.
@available(*, deprecated, message: "Use UTType.script.")
public var kUTTypeScript: CFString { "public.script" }
/// The identifier of `UTType.appleScript`.
@available(*, deprecated, message: "Use UTType.appleScript.")
public var kUTTypeAppleScript: CFString { "com.apple.applescript.text" }
/// The identifier of `UTType.osaScript`.
@available(*, deprecated, message: "Use UTType.osaScript.")
public var kUTTypeOSAScript: CFString { "com.apple.applescript.script" }
/// The identifier of `UTType.osaScriptBundle`.
@available(*, deprecated, message: "Use UTType.osaScriptBundle.")
public var kUTTypeOSAScriptBundle: CFString { "com.apple.applescript.script-bundle" }
/// The identifier of `UTType.javaScript`.
@available(*, deprecated, message: "Use UTType.javaScript.")
public var kUTTypeJavaScript: CFString { "com.netscape.javascript-source" }
/// The identifier of `UTType.shellScript`.
@available(*, deprecated, message: "Use UTType.shellScript.")
public var kUTTypeShellScript: CFString { "public.shell-script" }
/// The identifier of `UTType.perlScript`.
@available(*, deprecated, message: "Use UTType.perlScript.")
public var kUTTypePerlScript: CFString { "public.perl-script" }
/// The identifier of `UTType.pythonScript`.
@available(*, deprecated, message: "Use UTType.pythonScript.")
public var kUTTypePythonScript: CFString { "public.python-script" }
/// The identifier of `UTType.rubyScript`.
@available(*, deprecated, message: "Use UTType.rubyScript.")
public var kUTTypeRubyScript: CFString { "public.ruby-script" }
/// The identifier of `UTType.phpScript`.
@available(*, deprecated, message: "Use UTType.phpScript.")
public var kUTTypePHPScript: CFString { "public.php-script" }
/// The identifier of `UTType.json`.
@available(*, deprecated, message: "Use UTType.json.")
public var kUTTypeJSON: CFString { "public.json" }
/// The identifier of `UTType.propertyList`.
@available(*, deprecated, message: "Use UTType.propertyList.")
public var kUTTypePropertyList: CFString { "com.apple.property-list" }
/// The identifier of `UTType.xmlPropertyList`.
@available(*, deprecated, message: "Use UTType.xmlPropertyList.")
public var kUTTypeXMLPropertyList: CFString { "com.apple.xml-property-list" }
/// The identifier of `UTType.binaryPropertyList`.
@available(*, deprecated, message: "Use UTType.binaryPropertyList.")
public var kUTTypeBinaryPropertyList: CFString { "com.apple.binary-property-list" }
/// The identifier of `UTType.pdf`.
@available(*, deprecated, message: "Use UTType.pdf.")
public var kUTTypePDF: CFString { "com.adobe.pdf" }
/// The identifier of `UTType.rtfd`.
@available(*, deprecated, message: "Use UTType.rtfd.")
public var kUTTypeRTFD: CFString { "com.apple.rtfd" }
/// The identifier of `UTType.flatRTFD`.
@available(*, deprecated, message: "Use UTType.flatRTFD.")
public var kUTTypeFlatRTFD: CFString { "com.apple.flat-rtfd" }
/// The identifier of `UTType.webArchive`.
@available(*, deprecated, message: "Use UTType.webArchive.")
public var kUTTypeWebArchive: CFString { "com.apple.webarchive" }
/// The identifier of `UTType.image`.
@available(*, deprecated, message: "Use UTType.image.")
public var kUTTypeImage: CFString { "public.image" }
/// The identifier of `UTType.jpeg`.
@available(*, deprecated, message: "Use UTType.jpeg.")
public var kUTTypeJPEG: CFString { "public.jpeg" }
/// The identifier `public.jpeg-2000`.
@available(*, deprecated, message: "Use UTType(\"public.jpeg-2000\").")
public var kUTTypeJPEG2000: CFString { "public.jpeg-2000" }
/// The identifier of `UTType.tiff`.
@available(*, deprecated, message: "Use UTType.tiff.")
public var kUTTypeTIFF: CFString { "public.tiff" }
/// The identifier of `UTType.gif`.
@available(*, deprecated, message: "Use UTType.gif.")
public var kUTTypeGIF: CFString { "com.compuserve.gif" }
/// The identifier of `UTType.png`.
@available(*, deprecated, message: "Use UTType.png.")
public var kUTTypePNG: CFString { "public.png" }
/// The identifier of `UTType.icns`.
@available(*, deprecated, message: "Use UTType.icns.")
public var kUTTypeAppleICNS: CFString { "com.apple.icns" }
/// The identifier of `UTType.bmp`.
@available(*, deprecated, message: "Use UTType.bmp.")
public var kUTTypeBMP: CFString { "com.microsoft.bmp" }
/// The identifier of `UTType.ico`.
@available(*, deprecated, message: "Use UTType.ico.")
public var kUTTypeICO: CFString { "com.microsoft.ico" }
/// The identifier of `UTType.rawImage`.
@available(*, deprecated, message: "Use UTType.rawImage.")
public var kUTTypeRawImage: CFString { "public.camera-raw-image" }
/// The identifier of `UTType.svg`.
@available(*, deprecated, message: "Use UTType.svg.")
public var kUTTypeScalableVectorGraphics: CFString { "public.svg-image" }
/// The identifier of `UTType.livePhoto`.
@available(*, deprecated, message: "Use UTType.livePhoto.")
public var kUTTypeLivePhoto: CFString { "com.apple.live-photo" }
/// The identifier of `UTType.audiovisualContent`.
@available(*, deprecated, message: "Use UTType.audiovisualContent.")
public var kUTTypeAudiovisualContent: CFString { "public.audiovisual-content" }
/// The identifier of `UTType.movie`.
@available(*, deprecated, message: "Use UTType.movie.")
public var kUTTypeMovie: CFString { "public.movie" }
/// The identifier of `UTType.video`.
@available(*, deprecated, message: "Use UTType.video.")
public var kUTTypeVideo: CFString { "public.video" }
/// The identifier of `UTType.audio`.
@available(*, deprecated, message: "Use UTType.audio.")
public var kUTTypeAudio: CFString { "public.audio" }
/// The identifier of `UTType.quickTimeMovie`.
@available(*, deprecated, message: "Use UTType.quickTimeMovie.")
public var kUTTypeQuickTimeMovie: CFString { "com.apple.quicktime-movie" }
/// The identifier of `UTType.mpeg`.
@available(*, deprecated, message: "Use UTType.mpeg.")
public var kUTTypeMPEG: CFString { "public.mpeg" }
/// The identifier of `UTType.mpeg2Video`.
@available(*, deprecated, message: "Use UTType.mpeg2Video.")
public var kUTTypeMPEG2Video: CFString { "public.mpeg-2-video" }
/// The identifier of `UTType.mpeg2TransportStream`.
@available(*, deprecated, message: "Use UTType.mpeg2TransportStream.")
public var kUTTypeMPEG2TransportStream: CFString { "public.mpeg-2-transport-stream" }
/// The identifier of `UTType.mp3`.
@available(*, deprecated, message: "Use UTType.mp3.")
public var kUTTypeMP3: CFString { "public.mp3" }
/// The identifier of `UTType.mpeg4Movie`.
@available(*, deprecated, message: "Use UTType.mpeg4Movie.")
public var kUTTypeMPEG4: CFString { "public.mpeg-4" }
/// The identifier of `UTType.mpeg4Audio`.
@available(*, deprecated, message: "Use UTType.mpeg4Audio.")
public var kUTTypeMPEG4Audio: CFString { "public.mpeg-4-audio" }
/// The identifier of `UTType.appleProtectedMPEG4Audio`.
@available(*, deprecated, message: "Use UTType.appleProtectedMPEG4Audio.")
public var kUTTypeAppleProtectedMPEG4Audio: CFString { "com.apple.protected-mpeg-4-audio" }
/// The identifier of `UTType.appleProtectedMPEG4Video`.
@available(*, deprecated, message: "Use UTType.appleProtectedMPEG4Video.")
public var kUTTypeAppleProtectedMPEG4Video: CFString { "com.apple.protected-mpeg-4-video" }
/// The identifier of `UTType.avi`.
@available(*, deprecated, message: "Use UTType.avi.")
public var kUTTypeAVIMovie: CFString { "public.avi" }
/// The identifier of `UTType.aiff`.
@available(*, deprecated, message: "Use UTType.aiff.")
public var kUTTypeAudioInterchangeFileFormat: CFString { "public.aiff-audio" }
/// The identifier of `UTType.wav`.
@available(*, deprecated, message: "Use UTType.wav.")
public var kUTTypeWaveformAudio: CFString { "com.microsoft.waveform-audio" }
/// The identifier of `UTType.midi`.
@available(*, deprecated, message: "Use UTType.midi.")
public var kUTTypeMIDIAudio: CFString { "public.midi-audio" }
/// The identifier of `UTType.playlist`.
@available(*, deprecated, message: "Use UTType.playlist.")
public var kUTTypePlaylist: CFString { "public.playlist" }
/// The identifier of `UTType.m3uPlaylist`.
@available(*, deprecated, message: "Use UTType.m3uPlaylist.")
public var kUTTypeM3UPlaylist: CFString { "public.m3u-playlist" }
/// The identifier of `UTType.folder`.
@available(*, deprecated, message: "Use UTType.folder.")
public var kUTTypeFolder: CFString { "public.folder" }
/// The identifier of `UTType.volume`.
@available(*, deprecated, message: "Use UTType.volume.")
public var kUTTypeVolume: CFString { "public.volume" }
/// The identifier of `UTType.package`.
@available(*, deprecated, message: "Use UTType.package.")
public var kUTTypePackage: CFString { "com.apple.package" }
/// The identifier of `UTType.bundle`.
@available(*, deprecated, message: "Use UTType.bundle.")
public var kUTTypeBundle: CFString { "com.apple.bundle" }
/// The identifier of `UTType.pluginBundle`.
@available(*, deprecated, message: "Use UTType.pluginBundle.")
public var kUTTypePluginBundle: CFString { "com.apple.plugin" }
/// The identifier of `UTType.spotlightImporter`.
@available(*, deprecated, message: "Use UTType.spotlightImporter.")
public var kUTTypeSpotlightImporter: CFString { "com.apple.metadata-importer" }
/// The identifier of `UTType.quickLookGenerator`.
@available(*, deprecated, message: "Use UTType.quickLookGenerator.")
public var kUTTypeQuickLookGenerator: CFString { "com.apple.quicklook-generator" }
/// The identifier of `UTType.xpcService`.
@available(*, deprecated, message: "Use UTType.xpcService.")
public var kUTTypeXPCService: CFString { "com.apple.xpc-service" }
/// The identifier of `UTType.framework`.
@available(*, deprecated, message: "Use UTType.framework.")
public var kUTTypeFramework: CFString { "com.apple.framework" }
/// The identifier of `UTType.application`.
@available(*, deprecated, message: "Use UTType.application.")
public var kUTTypeApplication: CFString { "com.apple.application" }
/// The identifier of `UTType.applicationBundle`.
@available(*, deprecated, message: "Use UTType.applicationBundle.")
public var kUTTypeApplicationBundle: CFString { "com.apple.application-bundle" }
/// The identifier of `UTType.unixExecutable`.
@available(*, deprecated, message: "Use UTType.unixExecutable.")
public var kUTTypeUnixExecutable: CFString { "public.unix-executable" }
/// The identifier of `UTType.exe`.
@available(*, deprecated, message: "Use UTType.exe.")
public var kUTTypeWindowsExecutable: CFString { "com.microsoft.windows-executable" }
/// The identifier `com.sun.java-archive`.
@available(*, deprecated, message: "Use UTType(\"com.sun.java-archive\").")
public var kUTTypeJavaArchive: CFString { "com.sun.java-archive" }
/// The identifier of `UTType.systemPreferencesPane`.
@available(*, deprecated, message: "Use UTType.systemPreferencesPane.")
public var kUTTypeSystemPreferencesPane: CFString { "com.apple.systempreference.prefpane" }
/// The identifier of `UTType.gzip`.
@available(*, deprecated, message: "Use UTType.gzip.")
public var kUTTypeGNUZipArchive: CFString { "org.gnu.gnu-zip-archive" }
/// The identifier of `UTType.bz2`.
@available(*, deprecated, message: "Use UTType.bz2.")
public var kUTTypeBzip2Archive: CFString { "public.bzip2-archive" }
/// The identifier of `UTType.zip`.
@available(*, deprecated, message: "Use UTType.zip.")
public var kUTTypeZipArchive: CFString { "public.zip-archive" }
/// The identifier of `UTType.spreadsheet`.
@available(*, deprecated, message: "Use UTType.spreadsheet.")
public var kUTTypeSpreadsheet: CFString { "public.spreadsheet" }
/// The identifier of `UTType.presentation`.
@available(*, deprecated, message: "Use UTType.presentation.")
public var kUTTypePresentation: CFString { "public.presentation" }
/// The identifier of `UTType.database`.
@available(*, deprecated, message: "Use UTType.database.")
public var kUTTypeDatabase: CFString { "public.database" }
/// The identifier of `UTType.vCard`.
@available(*, deprecated, message: "Use UTType.vCard.")
public var kUTTypeVCard: CFString { "public.vcard" }
/// The identifier of `UTType.toDoItem`.
@available(*, deprecated, message: "Use UTType.toDoItem.")
public var kUTTypeToDoItem: CFString { "public.to-do-item" }
/// The identifier of `UTType.calendarEvent`.
@available(*, deprecated, message: "Use UTType.calendarEvent.")
public var kUTTypeCalendarEvent: CFString { "public.calendar-event" }
/// The identifier of `UTType.emailMessage`.
@available(*, deprecated, message: "Use UTType.emailMessage.")
public var kUTTypeEmailMessage: CFString { "public.email-message" }
/// The identifier of `UTType.internetLocation`.
@available(*, deprecated, message: "Use UTType.internetLocation.")
public var kUTTypeInternetLocation: CFString { "com.apple.internet-location" }
/// The identifier of `UTType.font`.
@available(*, deprecated, message: "Use UTType.font.")
public var kUTTypeFont: CFString { "public.font" }
/// The identifier of `UTType.bookmark`.
@available(*, deprecated, message: "Use UTType.bookmark.")
public var kUTTypeBookmark: CFString { "public.bookmark" }
/// The identifier of `UTType.threeDContent`.
@available(*, deprecated, message: "Use UTType.threeDContent.")
public var kUTType3DContent: CFString { "public.3d-content" }
/// The identifier of `UTType.pkcs12`.
@available(*, deprecated, message: "Use UTType.pkcs12.")
public var kUTTypePKCS12: CFString { "com.rsa.pkcs-12" }
/// The identifier of `UTType.x509Certificate`.
@available(*, deprecated, message: "Use UTType.x509Certificate.")
public var kUTTypeX509Certificate: CFString { "public.x509-certificate" }
/// The identifier of `UTType.epub`.
@available(*, deprecated, message: "Use UTType.epub.")
public var kUTTypeElectronicPublication: CFString { "org.idpf.epub-container" }
/// The identifier of `UTType.log`.
@available(*, deprecated, message: "Use UTType.log.")
public var kUTTypeLog: CFString { "public.log" }
/// The tag class of filename extensions.
@available(*, deprecated, message: "Use UTTagClass.filenameExtension.")
public var kUTTagClassFilenameExtension: CFString { "public.filename-extension" }
/// The tag class of MIME types.
@available(*, deprecated, message: "Use UTTagClass.mimeType.")
public var kUTTagClassMIMEType: CFString { "public.mime-type" }
/// The tag class of pasteboard types.
@available(*, deprecated, message: "Use UTTagClass(rawValue:).")
public var kUTTagClassNSPboardType: CFString { "com.apple.nspboard-type" }
/// The tag class of four-character types (`OSType`).
@available(*, deprecated, message: "Use UTTagClass(rawValue:).")
public var kUTTagClassOSType: CFString { "com.apple.ostype" }
/// The key of the identifier in the declaration of a type.
@available(*, deprecated, message: "Use the properties of UTType.")
public var kUTTypeIdentifierKey: CFString { "UTTypeIdentifier" }
/// The key of the identifiers of the supertypes in the declaration of a type.
@available(*, deprecated, message: "Use the properties of UTType.")
public var kUTTypeConformsToKey: CFString { "UTTypeConformsTo" }
/// The key of the tags in the declaration of a type, which are grouped by tag class.
@available(*, deprecated, message: "Use the properties of UTType.")
public var kUTTypeTagSpecificationKey: CFString { "UTTypeTagSpecification" }
/// The key of the description in the declaration of a type.
@available(*, deprecated, message: "Use the properties of UTType.")
public var kUTTypeDescriptionKey: CFString { "UTTypeDescription" }
/// The key of the icon in the declaration of a type; on Linux, a declaration has no icon.
@available(*, deprecated, message: "Use the properties of UTType.")
public var kUTTypeIconFileKey: CFString { "UTTypeIconFile" }
/// The key of the address of a reference page in the declaration of a type; on Linux, a declaration has none.
@available(*, deprecated, message: "Use the properties of UTType.")
public var kUTTypeReferenceURLKey: CFString { "UTTypeReferenceURL" }
/// The key of the version in the declaration of a type; on Linux, a declaration has no version.
@available(*, deprecated, message: "Use the properties of UTType.")
public var kUTTypeVersionKey: CFString { "UTTypeVersion" }
/// The key of the types that an app owns, in the app's property list; on Linux, apps have no property list.
@available(*, deprecated, message: "Use the properties of UTType.")
public var kUTExportedTypeDeclarationsKey: CFString { "UTExportedTypeDeclarations" }
/// The key of the types that other apps own, in an app's property list; on Linux, apps have no property list.
@available(*, deprecated, message: "Use the properties of UTType.")
public var kUTImportedTypeDeclarationsKey: CFString { "UTImportedTypeDeclarations" }
/// The identifier of text with pictures on the classic Mac OS; nothing on Linux declares this type.
@available(*, deprecated, message: "Use UTType(importedAs:).")
public var kUTTypeTXNTextAndMultimediaData: CFString { "com.apple.txn.text-multimedia-data" }
/// The identifier of handwritten text; nothing on Linux declares this type.
@available(*, deprecated, message: "Use UTType(importedAs:).")
public var kUTTypeInkText: CFString { "com.apple.ink.inktext" }
/// The identifier of pictures on the classic Mac OS; nothing on Linux declares this type.
@available(*, deprecated, message: "Use UTType(importedAs:).")
public var kUTTypePICT: CFString { "com.apple.pict" }
/// The identifier of QuickTime pictures; nothing on Linux declares this type.
@available(*, deprecated, message: "Use UTType(importedAs:).")
public var kUTTypeQuickTimeImage: CFString { "com.apple.quicktime-image" }
/// The identifier of aliases on the classic Mac OS; nothing on Linux declares this type.
@available(*, deprecated, message: "Use UTType(importedAs:).")
public var kUTTypeAliasRecord: CFString { "com.apple.alias-record" }
/// The identifier of applications that are single files; nothing on Linux declares this type.
@available(*, deprecated, message: "Use UTType(importedAs:).")
public var kUTTypeApplicationFile: CFString { "com.apple.application-file" }
/// The identifier of compiled Java classes; nothing on Linux declares this type.
@available(*, deprecated, message: "Use UTType(importedAs:).")
public var kUTTypeJavaClass: CFString { "com.sun.java-class" }
