public import Foundation

// The identifiers of types under the names that they had before `UTType`. They are immutable strings, so every thread may
// read them; the compiler can't know that of a class that has a mutable subclass.

/// The identifier of `UTType.item`.
@available(*, deprecated, message: "Use UTType.item.")
public nonisolated(unsafe) let kUTTypeItem: CFString = "public.item"
/// The identifier of `UTType.content`.
@available(*, deprecated, message: "Use UTType.content.")
public nonisolated(unsafe) let kUTTypeContent: CFString = "public.content"
/// The identifier of `UTType.compositeContent`.
@available(*, deprecated, message: "Use UTType.compositeContent.")
public nonisolated(unsafe) let kUTTypeCompositeContent: CFString = "public.composite-content"
/// The identifier of `UTType.message`.
@available(*, deprecated, message: "Use UTType.message.")
public nonisolated(unsafe) let kUTTypeMessage: CFString = "public.message"
/// The identifier of `UTType.contact`.
@available(*, deprecated, message: "Use UTType.contact.")
public nonisolated(unsafe) let kUTTypeContact: CFString = "public.contact"
/// The identifier of `UTType.archive`.
@available(*, deprecated, message: "Use UTType.archive.")
public nonisolated(unsafe) let kUTTypeArchive: CFString = "public.archive"
/// The identifier of `UTType.diskImage`.
@available(*, deprecated, message: "Use UTType.diskImage.")
public nonisolated(unsafe) let kUTTypeDiskImage: CFString = "public.disk-image"
/// The identifier of `UTType.data`.
@available(*, deprecated, message: "Use UTType.data.")
public nonisolated(unsafe) let kUTTypeData: CFString = "public.data"
/// The identifier of `UTType.directory`.
@available(*, deprecated, message: "Use UTType.directory.")
public nonisolated(unsafe) let kUTTypeDirectory: CFString = "public.directory"
/// The identifier of `UTType.resolvable`.
@available(*, deprecated, message: "Use UTType.resolvable.")
public nonisolated(unsafe) let kUTTypeResolvable: CFString = "com.apple.resolvable"
/// The identifier of `UTType.symbolicLink`.
@available(*, deprecated, message: "Use UTType.symbolicLink.")
public nonisolated(unsafe) let kUTTypeSymLink: CFString = "public.symlink"
/// The identifier of `UTType.executable`.
@available(*, deprecated, message: "Use UTType.executable.")
public nonisolated(unsafe) let kUTTypeExecutable: CFString = "public.executable"
/// The identifier of `UTType.mountPoint`.
@available(*, deprecated, message: "Use UTType.mountPoint.")
public nonisolated(unsafe) let kUTTypeMountPoint: CFString = "com.apple.mount-point"
/// The identifier of `UTType.aliasFile`.
@available(*, deprecated, message: "Use UTType.aliasFile.")
public nonisolated(unsafe) let kUTTypeAliasFile: CFString = "com.apple.alias-file"
/// The identifier of `UTType.urlBookmarkData`.
@available(*, deprecated, message: "Use UTType.urlBookmarkData.")
public nonisolated(unsafe) let kUTTypeURLBookmarkData: CFString = "com.apple.bookmark"
/// The identifier of `UTType.url`.
@available(*, deprecated, message: "Use UTType.url.")
public nonisolated(unsafe) let kUTTypeURL: CFString = "public.url"
/// The identifier of `UTType.fileURL`.
@available(*, deprecated, message: "Use UTType.fileURL.")
public nonisolated(unsafe) let kUTTypeFileURL: CFString = "public.file-url"
/// The identifier of `UTType.text`.
@available(*, deprecated, message: "Use UTType.text.")
public nonisolated(unsafe) let kUTTypeText: CFString = "public.text"
/// The identifier of `UTType.plainText`.
@available(*, deprecated, message: "Use UTType.plainText.")
public nonisolated(unsafe) let kUTTypePlainText: CFString = "public.plain-text"
/// The identifier of `UTType.utf8PlainText`.
@available(*, deprecated, message: "Use UTType.utf8PlainText.")
public nonisolated(unsafe) let kUTTypeUTF8PlainText: CFString = "public.utf8-plain-text"
/// The identifier of `UTType.utf16ExternalPlainText`.
@available(*, deprecated, message: "Use UTType.utf16ExternalPlainText.")
public nonisolated(unsafe) let kUTTypeUTF16ExternalPlainText: CFString = "public.utf16-external-plain-text"
/// The identifier of `UTType.utf16PlainText`.
@available(*, deprecated, message: "Use UTType.utf16PlainText.")
public nonisolated(unsafe) let kUTTypeUTF16PlainText: CFString = "public.utf16-plain-text"
/// The identifier of `UTType.delimitedText`.
@available(*, deprecated, message: "Use UTType.delimitedText.")
public nonisolated(unsafe) let kUTTypeDelimitedText: CFString = "public.delimited-values-text"
/// The identifier of `UTType.commaSeparatedText`.
@available(*, deprecated, message: "Use UTType.commaSeparatedText.")
public nonisolated(unsafe) let kUTTypeCommaSeparatedText: CFString = "public.comma-separated-values-text"
/// The identifier of `UTType.tabSeparatedText`.
@available(*, deprecated, message: "Use UTType.tabSeparatedText.")
public nonisolated(unsafe) let kUTTypeTabSeparatedText: CFString = "public.tab-separated-values-text"
/// The identifier of `UTType.utf8TabSeparatedText`.
@available(*, deprecated, message: "Use UTType.utf8TabSeparatedText.")
public nonisolated(unsafe) let kUTTypeUTF8TabSeparatedText: CFString = "public.utf8-tab-separated-values-text"
/// The identifier of `UTType.rtf`.
@available(*, deprecated, message: "Use UTType.rtf.")
public nonisolated(unsafe) let kUTTypeRTF: CFString = "public.rtf"
/// The identifier of `UTType.html`.
@available(*, deprecated, message: "Use UTType.html.")
public nonisolated(unsafe) let kUTTypeHTML: CFString = "public.html"
/// The identifier of `UTType.xml`.
@available(*, deprecated, message: "Use UTType.xml.")
public nonisolated(unsafe) let kUTTypeXML: CFString = "public.xml"
/// The identifier of `UTType.sourceCode`.
@available(*, deprecated, message: "Use UTType.sourceCode.")
public nonisolated(unsafe) let kUTTypeSourceCode: CFString = "public.source-code"
/// The identifier of `UTType.assemblyLanguageSource`.
@available(*, deprecated, message: "Use UTType.assemblyLanguageSource.")
public nonisolated(unsafe) let kUTTypeAssemblyLanguageSource: CFString = "public.assembly-source"
/// The identifier of `UTType.cSource`.
@available(*, deprecated, message: "Use UTType.cSource.")
public nonisolated(unsafe) let kUTTypeCSource: CFString = "public.c-source"
/// The identifier of `UTType.objectiveCSource`.
@available(*, deprecated, message: "Use UTType.objectiveCSource.")
public nonisolated(unsafe) let kUTTypeObjectiveCSource: CFString = "public.objective-c-source"
/// The identifier of `UTType.swiftSource`.
@available(*, deprecated, message: "Use UTType.swiftSource.")
public nonisolated(unsafe) let kUTTypeSwiftSource: CFString = "public.swift-source"
/// The identifier of `UTType.cPlusPlusSource`.
@available(*, deprecated, message: "Use UTType.cPlusPlusSource.")
public nonisolated(unsafe) let kUTTypeCPlusPlusSource: CFString = "public.c-plus-plus-source"
/// The identifier of `UTType.objectiveCPlusPlusSource`.
@available(*, deprecated, message: "Use UTType.objectiveCPlusPlusSource.")
public nonisolated(unsafe) let kUTTypeObjectiveCPlusPlusSource: CFString =
    "public.objective-c-plus-plus-source"
/// The identifier of `UTType.cHeader`.
@available(*, deprecated, message: "Use UTType.cHeader.")
public nonisolated(unsafe) let kUTTypeCHeader: CFString = "public.c-header"
/// The identifier of `UTType.cPlusPlusHeader`.
@available(*, deprecated, message: "Use UTType.cPlusPlusHeader.")
public nonisolated(unsafe) let kUTTypeCPlusPlusHeader: CFString = "public.c-plus-plus-header"
/// The identifier `com.sun.java-source`.
@available(*, deprecated, message: "Use UTType(\"com.sun.java-source\").")
public nonisolated(unsafe) let kUTTypeJavaSource: CFString = "com.sun.java-source"
/// The identifier of `UTType.script`.
@available(*, deprecated, message: "Use UTType.script.")
public nonisolated(unsafe) let kUTTypeScript: CFString = "public.script"
/// The identifier of `UTType.appleScript`.
@available(*, deprecated, message: "Use UTType.appleScript.")
public nonisolated(unsafe) let kUTTypeAppleScript: CFString = "com.apple.applescript.text"
/// The identifier of `UTType.osaScript`.
@available(*, deprecated, message: "Use UTType.osaScript.")
public nonisolated(unsafe) let kUTTypeOSAScript: CFString = "com.apple.applescript.script"
/// The identifier of `UTType.osaScriptBundle`.
@available(*, deprecated, message: "Use UTType.osaScriptBundle.")
public nonisolated(unsafe) let kUTTypeOSAScriptBundle: CFString = "com.apple.applescript.script-bundle"
/// The identifier of `UTType.javaScript`.
@available(*, deprecated, message: "Use UTType.javaScript.")
public nonisolated(unsafe) let kUTTypeJavaScript: CFString = "com.netscape.javascript-source"
/// The identifier of `UTType.shellScript`.
@available(*, deprecated, message: "Use UTType.shellScript.")
public nonisolated(unsafe) let kUTTypeShellScript: CFString = "public.shell-script"
/// The identifier of `UTType.perlScript`.
@available(*, deprecated, message: "Use UTType.perlScript.")
public nonisolated(unsafe) let kUTTypePerlScript: CFString = "public.perl-script"
/// The identifier of `UTType.pythonScript`.
@available(*, deprecated, message: "Use UTType.pythonScript.")
public nonisolated(unsafe) let kUTTypePythonScript: CFString = "public.python-script"
/// The identifier of `UTType.rubyScript`.
@available(*, deprecated, message: "Use UTType.rubyScript.")
public nonisolated(unsafe) let kUTTypeRubyScript: CFString = "public.ruby-script"
/// The identifier of `UTType.phpScript`.
@available(*, deprecated, message: "Use UTType.phpScript.")
public nonisolated(unsafe) let kUTTypePHPScript: CFString = "public.php-script"
/// The identifier of `UTType.json`.
@available(*, deprecated, message: "Use UTType.json.")
public nonisolated(unsafe) let kUTTypeJSON: CFString = "public.json"
/// The identifier of `UTType.propertyList`.
@available(*, deprecated, message: "Use UTType.propertyList.")
public nonisolated(unsafe) let kUTTypePropertyList: CFString = "com.apple.property-list"
/// The identifier of `UTType.xmlPropertyList`.
@available(*, deprecated, message: "Use UTType.xmlPropertyList.")
public nonisolated(unsafe) let kUTTypeXMLPropertyList: CFString = "com.apple.xml-property-list"
/// The identifier of `UTType.binaryPropertyList`.
@available(*, deprecated, message: "Use UTType.binaryPropertyList.")
public nonisolated(unsafe) let kUTTypeBinaryPropertyList: CFString = "com.apple.binary-property-list"
/// The identifier of `UTType.pdf`.
@available(*, deprecated, message: "Use UTType.pdf.")
public nonisolated(unsafe) let kUTTypePDF: CFString = "com.adobe.pdf"
/// The identifier of `UTType.rtfd`.
@available(*, deprecated, message: "Use UTType.rtfd.")
public nonisolated(unsafe) let kUTTypeRTFD: CFString = "com.apple.rtfd"
/// The identifier of `UTType.flatRTFD`.
@available(*, deprecated, message: "Use UTType.flatRTFD.")
public nonisolated(unsafe) let kUTTypeFlatRTFD: CFString = "com.apple.flat-rtfd"
/// The identifier of `UTType.webArchive`.
@available(*, deprecated, message: "Use UTType.webArchive.")
public nonisolated(unsafe) let kUTTypeWebArchive: CFString = "com.apple.webarchive"
/// The identifier of `UTType.image`.
@available(*, deprecated, message: "Use UTType.image.")
public nonisolated(unsafe) let kUTTypeImage: CFString = "public.image"
/// The identifier of `UTType.jpeg`.
@available(*, deprecated, message: "Use UTType.jpeg.")
public nonisolated(unsafe) let kUTTypeJPEG: CFString = "public.jpeg"
/// The identifier `public.jpeg-2000`.
@available(*, deprecated, message: "Use UTType(\"public.jpeg-2000\").")
public nonisolated(unsafe) let kUTTypeJPEG2000: CFString = "public.jpeg-2000"
/// The identifier of `UTType.tiff`.
@available(*, deprecated, message: "Use UTType.tiff.")
public nonisolated(unsafe) let kUTTypeTIFF: CFString = "public.tiff"
/// The identifier of `UTType.gif`.
@available(*, deprecated, message: "Use UTType.gif.")
public nonisolated(unsafe) let kUTTypeGIF: CFString = "com.compuserve.gif"
/// The identifier of `UTType.png`.
@available(*, deprecated, message: "Use UTType.png.")
public nonisolated(unsafe) let kUTTypePNG: CFString = "public.png"
/// The identifier of `UTType.icns`.
@available(*, deprecated, message: "Use UTType.icns.")
public nonisolated(unsafe) let kUTTypeAppleICNS: CFString = "com.apple.icns"
/// The identifier of `UTType.bmp`.
@available(*, deprecated, message: "Use UTType.bmp.")
public nonisolated(unsafe) let kUTTypeBMP: CFString = "com.microsoft.bmp"
/// The identifier of `UTType.ico`.
@available(*, deprecated, message: "Use UTType.ico.")
public nonisolated(unsafe) let kUTTypeICO: CFString = "com.microsoft.ico"
/// The identifier of `UTType.rawImage`.
@available(*, deprecated, message: "Use UTType.rawImage.")
public nonisolated(unsafe) let kUTTypeRawImage: CFString = "public.camera-raw-image"
/// The identifier of `UTType.svg`.
@available(*, deprecated, message: "Use UTType.svg.")
public nonisolated(unsafe) let kUTTypeScalableVectorGraphics: CFString = "public.svg-image"
/// The identifier of `UTType.livePhoto`.
@available(*, deprecated, message: "Use UTType.livePhoto.")
public nonisolated(unsafe) let kUTTypeLivePhoto: CFString = "com.apple.live-photo"
/// The identifier of `UTType.audiovisualContent`.
@available(*, deprecated, message: "Use UTType.audiovisualContent.")
public nonisolated(unsafe) let kUTTypeAudiovisualContent: CFString = "public.audiovisual-content"
/// The identifier of `UTType.movie`.
@available(*, deprecated, message: "Use UTType.movie.")
public nonisolated(unsafe) let kUTTypeMovie: CFString = "public.movie"
/// The identifier of `UTType.video`.
@available(*, deprecated, message: "Use UTType.video.")
public nonisolated(unsafe) let kUTTypeVideo: CFString = "public.video"
/// The identifier of `UTType.audio`.
@available(*, deprecated, message: "Use UTType.audio.")
public nonisolated(unsafe) let kUTTypeAudio: CFString = "public.audio"
/// The identifier of `UTType.quickTimeMovie`.
@available(*, deprecated, message: "Use UTType.quickTimeMovie.")
public nonisolated(unsafe) let kUTTypeQuickTimeMovie: CFString = "com.apple.quicktime-movie"
/// The identifier of `UTType.mpeg`.
@available(*, deprecated, message: "Use UTType.mpeg.")
public nonisolated(unsafe) let kUTTypeMPEG: CFString = "public.mpeg"
/// The identifier of `UTType.mpeg2Video`.
@available(*, deprecated, message: "Use UTType.mpeg2Video.")
public nonisolated(unsafe) let kUTTypeMPEG2Video: CFString = "public.mpeg-2-video"
/// The identifier of `UTType.mpeg2TransportStream`.
@available(*, deprecated, message: "Use UTType.mpeg2TransportStream.")
public nonisolated(unsafe) let kUTTypeMPEG2TransportStream: CFString = "public.mpeg-2-transport-stream"
/// The identifier of `UTType.mp3`.
@available(*, deprecated, message: "Use UTType.mp3.")
public nonisolated(unsafe) let kUTTypeMP3: CFString = "public.mp3"
/// The identifier of `UTType.mpeg4Movie`.
@available(*, deprecated, message: "Use UTType.mpeg4Movie.")
public nonisolated(unsafe) let kUTTypeMPEG4: CFString = "public.mpeg-4"
/// The identifier of `UTType.mpeg4Audio`.
@available(*, deprecated, message: "Use UTType.mpeg4Audio.")
public nonisolated(unsafe) let kUTTypeMPEG4Audio: CFString = "public.mpeg-4-audio"
/// The identifier of `UTType.appleProtectedMPEG4Audio`.
@available(*, deprecated, message: "Use UTType.appleProtectedMPEG4Audio.")
public nonisolated(unsafe) let kUTTypeAppleProtectedMPEG4Audio: CFString = "com.apple.protected-mpeg-4-audio"
/// The identifier of `UTType.appleProtectedMPEG4Video`.
@available(*, deprecated, message: "Use UTType.appleProtectedMPEG4Video.")
public nonisolated(unsafe) let kUTTypeAppleProtectedMPEG4Video: CFString = "com.apple.protected-mpeg-4-video"
/// The identifier of `UTType.avi`.
@available(*, deprecated, message: "Use UTType.avi.")
public nonisolated(unsafe) let kUTTypeAVIMovie: CFString = "public.avi"
/// The identifier of `UTType.aiff`.
@available(*, deprecated, message: "Use UTType.aiff.")
public nonisolated(unsafe) let kUTTypeAudioInterchangeFileFormat: CFString = "public.aiff-audio"
/// The identifier of `UTType.wav`.
@available(*, deprecated, message: "Use UTType.wav.")
public nonisolated(unsafe) let kUTTypeWaveformAudio: CFString = "com.microsoft.waveform-audio"
/// The identifier of `UTType.midi`.
@available(*, deprecated, message: "Use UTType.midi.")
public nonisolated(unsafe) let kUTTypeMIDIAudio: CFString = "public.midi-audio"
/// The identifier of `UTType.playlist`.
@available(*, deprecated, message: "Use UTType.playlist.")
public nonisolated(unsafe) let kUTTypePlaylist: CFString = "public.playlist"
/// The identifier of `UTType.m3uPlaylist`.
@available(*, deprecated, message: "Use UTType.m3uPlaylist.")
public nonisolated(unsafe) let kUTTypeM3UPlaylist: CFString = "public.m3u-playlist"
/// The identifier of `UTType.folder`.
@available(*, deprecated, message: "Use UTType.folder.")
public nonisolated(unsafe) let kUTTypeFolder: CFString = "public.folder"
/// The identifier of `UTType.volume`.
@available(*, deprecated, message: "Use UTType.volume.")
public nonisolated(unsafe) let kUTTypeVolume: CFString = "public.volume"
/// The identifier of `UTType.package`.
@available(*, deprecated, message: "Use UTType.package.")
public nonisolated(unsafe) let kUTTypePackage: CFString = "com.apple.package"
/// The identifier of `UTType.bundle`.
@available(*, deprecated, message: "Use UTType.bundle.")
public nonisolated(unsafe) let kUTTypeBundle: CFString = "com.apple.bundle"
/// The identifier of `UTType.pluginBundle`.
@available(*, deprecated, message: "Use UTType.pluginBundle.")
public nonisolated(unsafe) let kUTTypePluginBundle: CFString = "com.apple.plugin"
/// The identifier of `UTType.spotlightImporter`.
@available(*, deprecated, message: "Use UTType.spotlightImporter.")
public nonisolated(unsafe) let kUTTypeSpotlightImporter: CFString = "com.apple.metadata-importer"
/// The identifier of `UTType.quickLookGenerator`.
@available(*, deprecated, message: "Use UTType.quickLookGenerator.")
public nonisolated(unsafe) let kUTTypeQuickLookGenerator: CFString = "com.apple.quicklook-generator"
/// The identifier of `UTType.xpcService`.
@available(*, deprecated, message: "Use UTType.xpcService.")
public nonisolated(unsafe) let kUTTypeXPCService: CFString = "com.apple.xpc-service"
/// The identifier of `UTType.framework`.
@available(*, deprecated, message: "Use UTType.framework.")
public nonisolated(unsafe) let kUTTypeFramework: CFString = "com.apple.framework"
/// The identifier of `UTType.application`.
@available(*, deprecated, message: "Use UTType.application.")
public nonisolated(unsafe) let kUTTypeApplication: CFString = "com.apple.application"
/// The identifier of `UTType.applicationBundle`.
@available(*, deprecated, message: "Use UTType.applicationBundle.")
public nonisolated(unsafe) let kUTTypeApplicationBundle: CFString = "com.apple.application-bundle"
/// The identifier of `UTType.unixExecutable`.
@available(*, deprecated, message: "Use UTType.unixExecutable.")
public nonisolated(unsafe) let kUTTypeUnixExecutable: CFString = "public.unix-executable"
/// The identifier of `UTType.exe`.
@available(*, deprecated, message: "Use UTType.exe.")
public nonisolated(unsafe) let kUTTypeWindowsExecutable: CFString = "com.microsoft.windows-executable"
/// The identifier `com.sun.java-archive`.
@available(*, deprecated, message: "Use UTType(\"com.sun.java-archive\").")
public nonisolated(unsafe) let kUTTypeJavaArchive: CFString = "com.sun.java-archive"
/// The identifier of `UTType.systemPreferencesPane`.
@available(*, deprecated, message: "Use UTType.systemPreferencesPane.")
public nonisolated(unsafe) let kUTTypeSystemPreferencesPane: CFString = "com.apple.systempreference.prefpane"
/// The identifier of `UTType.gzip`.
@available(*, deprecated, message: "Use UTType.gzip.")
public nonisolated(unsafe) let kUTTypeGNUZipArchive: CFString = "org.gnu.gnu-zip-archive"
/// The identifier of `UTType.bz2`.
@available(*, deprecated, message: "Use UTType.bz2.")
public nonisolated(unsafe) let kUTTypeBzip2Archive: CFString = "public.bzip2-archive"
/// The identifier of `UTType.zip`.
@available(*, deprecated, message: "Use UTType.zip.")
public nonisolated(unsafe) let kUTTypeZipArchive: CFString = "public.zip-archive"
/// The identifier of `UTType.spreadsheet`.
@available(*, deprecated, message: "Use UTType.spreadsheet.")
public nonisolated(unsafe) let kUTTypeSpreadsheet: CFString = "public.spreadsheet"
/// The identifier of `UTType.presentation`.
@available(*, deprecated, message: "Use UTType.presentation.")
public nonisolated(unsafe) let kUTTypePresentation: CFString = "public.presentation"
/// The identifier of `UTType.database`.
@available(*, deprecated, message: "Use UTType.database.")
public nonisolated(unsafe) let kUTTypeDatabase: CFString = "public.database"
/// The identifier of `UTType.vCard`.
@available(*, deprecated, message: "Use UTType.vCard.")
public nonisolated(unsafe) let kUTTypeVCard: CFString = "public.vcard"
/// The identifier of `UTType.toDoItem`.
@available(*, deprecated, message: "Use UTType.toDoItem.")
public nonisolated(unsafe) let kUTTypeToDoItem: CFString = "public.to-do-item"
/// The identifier of `UTType.calendarEvent`.
@available(*, deprecated, message: "Use UTType.calendarEvent.")
public nonisolated(unsafe) let kUTTypeCalendarEvent: CFString = "public.calendar-event"
/// The identifier of `UTType.emailMessage`.
@available(*, deprecated, message: "Use UTType.emailMessage.")
public nonisolated(unsafe) let kUTTypeEmailMessage: CFString = "public.email-message"
/// The identifier of `UTType.internetLocation`.
@available(*, deprecated, message: "Use UTType.internetLocation.")
public nonisolated(unsafe) let kUTTypeInternetLocation: CFString = "com.apple.internet-location"
/// The identifier of `UTType.font`.
@available(*, deprecated, message: "Use UTType.font.")
public nonisolated(unsafe) let kUTTypeFont: CFString = "public.font"
/// The identifier of `UTType.bookmark`.
@available(*, deprecated, message: "Use UTType.bookmark.")
public nonisolated(unsafe) let kUTTypeBookmark: CFString = "public.bookmark"
/// The identifier of `UTType.threeDContent`.
@available(*, deprecated, message: "Use UTType.threeDContent.")
public nonisolated(unsafe) let kUTType3DContent: CFString = "public.3d-content"
/// The identifier of `UTType.pkcs12`.
@available(*, deprecated, message: "Use UTType.pkcs12.")
public nonisolated(unsafe) let kUTTypePKCS12: CFString = "com.rsa.pkcs-12"
/// The identifier of `UTType.x509Certificate`.
@available(*, deprecated, message: "Use UTType.x509Certificate.")
public nonisolated(unsafe) let kUTTypeX509Certificate: CFString = "public.x509-certificate"
/// The identifier of `UTType.epub`.
@available(*, deprecated, message: "Use UTType.epub.")
public nonisolated(unsafe) let kUTTypeElectronicPublication: CFString = "org.idpf.epub-container"
/// The identifier of `UTType.log`.
@available(*, deprecated, message: "Use UTType.log.")
public nonisolated(unsafe) let kUTTypeLog: CFString = "public.log"
/// The class of extensions of files.
@available(*, deprecated, message: "Use UTTagClass.filenameExtension.")
public nonisolated(unsafe) let kUTTagClassFilenameExtension: CFString = "public.filename-extension"
/// The class of MIME types.
@available(*, deprecated, message: "Use UTTagClass.mimeType.")
public nonisolated(unsafe) let kUTTagClassMIMEType: CFString = "public.mime-type"
/// The class of types of pasteboards.
@available(*, deprecated, message: "Use UTTagClass(rawValue:).")
public nonisolated(unsafe) let kUTTagClassNSPboardType: CFString = "com.apple.nspboard-type"
/// The class of types of four characters.
@available(*, deprecated, message: "Use UTTagClass(rawValue:).")
public nonisolated(unsafe) let kUTTagClassOSType: CFString = "com.apple.ostype"
