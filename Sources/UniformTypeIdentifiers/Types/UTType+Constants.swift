// The constants have the same names and groups as in Apple's reference.

// MARK: Base

extension UTType {
    /// Anything that has a name, such as a file or a folder.
    public static var item: UTType { UTType(declared: "public.item") }
    /// Anything that people read, see or hear.
    public static var content: UTType { UTType(declared: "public.content") }
    /// Content that consists of several kinds of content.
    public static var compositeContent: UTType { UTType(declared: "public.composite-content") }
    /// A stream of bytes, such as a file.
    public static var data: UTType { UTType(declared: "public.data") }
    /// A directory, which may be shown as a folder or as a file.
    public static var directory: UTType { UTType(declared: "public.directory") }
    /// A directory that is shown as a folder.
    public static var folder: UTType { UTType(declared: "public.folder") }
    /// The root of a volume.
    public static var volume: UTType { UTType(declared: "public.volume") }
    /// A directory that is shown as a file.
    public static var package: UTType { UTType(declared: "com.apple.package") }
    /// A directory whose inner structure a system defines.
    public static var bundle: UTType { UTType(declared: "com.apple.bundle") }
    /// A bundle that extends an app or the system.
    public static var pluginBundle: UTType { UTType(declared: "com.apple.plugin") }
    /// A thing that refers to another thing, such as an alias or a link.
    public static var resolvable: UTType { UTType(declared: "com.apple.resolvable") }
    /// A symbolic link.
    public static var symbolicLink: UTType { UTType(declared: "public.symlink") }
    /// An alias.
    public static var aliasFile: UTType { UTType(declared: "com.apple.alias-file") }
    /// A place where a volume is mounted.
    public static var mountPoint: UTType { UTType(declared: "com.apple.mount-point") }
    /// An image of a disk.
    public static var diskImage: UTType { UTType(declared: "public.disk-image") }
    /// A thing that can be run as a program.
    public static var executable: UTType { UTType(declared: "public.executable") }
    /// An archive, which contains files in one file.
    public static var archive: UTType { UTType(declared: "public.archive") }
    /// A bookmark.
    public static var bookmark: UTType { UTType(declared: "public.bookmark") }
    /// A URL.
    public static var url: UTType { UTType(declared: "public.url") }
    /// The URL of a file.
    public static var fileURL: UTType { UTType(declared: "public.file-url") }
    /// A bookmark of a file, in the form of data.
    public static var urlBookmarkData: UTType { UTType(declared: "com.apple.bookmark") }
}

// MARK: Text

extension UTType {
    /// Any text, with or without markup.
    public static var text: UTType { UTType(declared: "public.text") }
    /// Text without markup, in any encoding.
    public static var plainText: UTType { UTType(declared: "public.plain-text") }
    /// Text without markup, in UTF-8.
    public static var utf8PlainText: UTType { UTType(declared: "public.utf8-plain-text") }
    /// Text without markup, in UTF-16 with the byte order of the machine.
    public static var utf16PlainText: UTType { UTType(declared: "public.utf16-plain-text") }
    /// Text without markup, in UTF-16 with a byte order mark.
    public static var utf16ExternalPlainText: UTType { UTType(declared: "public.utf16-external-plain-text") }
    /// Text in which delimiters separate the values.
    public static var delimitedText: UTType { UTType(declared: "public.delimited-values-text") }
    /// CSV text.
    public static var commaSeparatedText: UTType { UTType(declared: "public.comma-separated-values-text") }
    /// TSV text.
    public static var tabSeparatedText: UTType { UTType(declared: "public.tab-separated-values-text") }
    /// TSV text in UTF-8.
    public static var utf8TabSeparatedText: UTType {
        UTType(declared: "public.utf8-tab-separated-values-text")
    }
    /// RTF text.
    public static var rtf: UTType { UTType(declared: "public.rtf") }
    /// HTML text.
    public static var html: UTType { UTType(declared: "public.html") }
    /// XML text.
    public static var xml: UTType { UTType(declared: "public.xml") }
    /// YAML text.
    public static var yaml: UTType { UTType(declared: "public.yaml") }
    /// JSON text.
    public static var json: UTType { UTType(declared: "public.json") }
    /// CSS text.
    public static var css: UTType { UTType(declared: "public.css") }
    /// A log.
    public static var log: UTType { UTType(declared: "public.log") }
    /// Source code in any language.
    public static var sourceCode: UTType { UTType(declared: "public.source-code") }
    /// Source code of a script, in any language.
    public static var script: UTType { UTType(declared: "public.script") }
}

// MARK: Documents

extension UTType {
    /// A PDF document.
    public static var pdf: UTType { UTType(declared: "com.adobe.pdf") }
    /// Rich text with attachments, in a package.
    public static var rtfd: UTType { UTType(declared: "com.apple.rtfd") }
    /// Rich text with attachments, in a single file.
    public static var flatRTFD: UTType { UTType(declared: "com.apple.flat-rtfd") }
    /// A web archive.
    public static var webArchive: UTType { UTType(declared: "com.apple.webarchive") }
    /// An EPUB document.
    public static var epub: UTType { UTType(declared: "org.idpf.epub-container") }
    /// A spreadsheet.
    public static var spreadsheet: UTType { UTType(declared: "public.spreadsheet") }
    /// A presentation.
    public static var presentation: UTType { UTType(declared: "public.presentation") }
    /// A database.
    public static var database: UTType { UTType(declared: "public.database") }
    /// A property list.
    public static var propertyList: UTType { UTType(declared: "com.apple.property-list") }
    /// A property list in XML.
    public static var xmlPropertyList: UTType { UTType(declared: "com.apple.xml-property-list") }
    /// A property list in binary form.
    public static var binaryPropertyList: UTType { UTType(declared: "com.apple.binary-property-list") }
    /// GeoJSON text.
    public static var geoJSON: UTType { UTType(declared: "public.geojson") }
    /// The data for the preview of a link, such as a title and a picture.
    public static var linkPresentationMetadata: UTType {
        UTType(declared: "com.apple.linkpresentation.metadata")
    }
}

// MARK: Personal / messaging

extension UTType {
    /// A message of any kind.
    public static var message: UTType { UTType(declared: "public.message") }
    /// An email message.
    public static var emailMessage: UTType { UTType(declared: "public.email-message") }
    /// A contact.
    public static var contact: UTType { UTType(declared: "public.contact") }
    /// A vCard.
    public static var vCard: UTType { UTType(declared: "public.vcard") }
    /// An event in a calendar.
    public static var calendarEvent: UTType { UTType(declared: "public.calendar-event") }
    /// A task.
    public static var toDoItem: UTType { UTType(declared: "public.to-do-item") }
}

// MARK: Images

extension UTType {
    /// A picture in any format.
    public static var image: UTType { UTType(declared: "public.image") }
    /// A JPEG image.
    public static var jpeg: UTType { UTType(declared: "public.jpeg") }
    /// A PNG image.
    public static var png: UTType { UTType(declared: "public.png") }
    /// A GIF image.
    public static var gif: UTType { UTType(declared: "com.compuserve.gif") }
    /// A TIFF image.
    public static var tiff: UTType { UTType(declared: "public.tiff") }
    /// A Windows bitmap image.
    public static var bmp: UTType { UTType(declared: "com.microsoft.bmp") }
    /// An HEIF image.
    public static var heif: UTType { UTType(declared: "public.heif") }
    /// An HEIC image.
    public static var heic: UTType { UTType(declared: "public.heic") }
    /// An HEIC image sequence.
    public static var heics: UTType { UTType(declared: "public.heics") }
    /// A WebP image.
    public static var webP: UTType { UTType(declared: "org.webmproject.webp") }
    /// An SVG image.
    public static var svg: UTType { UTType(declared: "public.svg-image") }
    /// A raw image from a camera.
    public static var rawImage: UTType { UTType(declared: "public.camera-raw-image") }
    /// A DNG image.
    public static var dng: UTType { UTType(declared: "com.adobe.raw-image") }
    /// An OpenEXR image.
    public static var exr: UTType { UTType(declared: "com.ilm.openexr-image") }
    /// A JPEG XL image.
    public static var jpegxl: UTType { UTType(declared: "public.jpeg-xl") }
    /// An icon in Apple's format.
    public static var icns: UTType { UTType(declared: "com.apple.icns") }
    /// An icon in the format of Windows.
    public static var ico: UTType { UTType(declared: "com.microsoft.ico") }
    /// A live photo, which is a photo with a short film.
    public static var livePhoto: UTType { UTType(declared: "com.apple.live-photo") }
}

// MARK: Audio / video

extension UTType {
    /// Audio or a film, in any format.
    public static var audiovisualContent: UTType { UTType(declared: "public.audiovisual-content") }
    /// Audio in any format.
    public static var audio: UTType { UTType(declared: "public.audio") }
    /// A film with or without sound, in any format.
    public static var movie: UTType { UTType(declared: "public.movie") }
    /// A film without sound, in any format.
    public static var video: UTType { UTType(declared: "public.video") }
    /// MP3 audio.
    public static var mp3: UTType { UTType(declared: "public.mp3") }
    /// WAV audio.
    public static var wav: UTType { UTType(declared: "com.microsoft.waveform-audio") }
    /// AIFF audio.
    public static var aiff: UTType { UTType(declared: "public.aiff-audio") }
    /// MIDI audio.
    public static var midi: UTType { UTType(declared: "public.midi-audio") }
    /// MPEG-4 audio.
    public static var mpeg4Audio: UTType { UTType(declared: "public.mpeg-4-audio") }
    /// Protected MPEG-4 audio.
    public static var appleProtectedMPEG4Audio: UTType {
        UTType(declared: "com.apple.protected-mpeg-4-audio")
    }
    /// An MPEG movie.
    public static var mpeg: UTType { UTType(declared: "public.mpeg") }
    /// MPEG-2 video.
    public static var mpeg2Video: UTType { UTType(declared: "public.mpeg-2-video") }
    /// An MPEG-2 transport stream.
    public static var mpeg2TransportStream: UTType { UTType(declared: "public.mpeg-2-transport-stream") }
    /// An MPEG-4 movie.
    public static var mpeg4Movie: UTType { UTType(declared: "public.mpeg-4") }
    /// Protected MPEG-4 video.
    public static var appleProtectedMPEG4Video: UTType {
        UTType(declared: "com.apple.protected-mpeg-4-video")
    }
    /// A QuickTime movie.
    public static var quickTimeMovie: UTType { UTType(declared: "com.apple.quicktime-movie") }
    /// An AVI movie.
    public static var avi: UTType { UTType(declared: "public.avi") }
    /// A playlist.
    public static var playlist: UTType { UTType(declared: "public.playlist") }
    /// An M3U playlist.
    public static var m3uPlaylist: UTType { UTType(declared: "public.m3u-playlist") }
}

// MARK: 3D

extension UTType {
    /// A three-dimensional scene, in any format.
    public static var threeDContent: UTType { UTType(declared: "public.3d-content") }
    /// A USD scene.
    public static var usd: UTType { UTType(declared: "com.pixar.universal-scene-description") }
    /// A USDZ scene.
    public static var usdz: UTType { UTType(declared: "com.pixar.universal-scene-description-mobile") }
    /// A Reality scene.
    public static var realityFile: UTType { UTType(declared: "com.apple.reality") }
    /// A SceneKit scene.
    public static var sceneKitScene: UTType { UTType(declared: "com.apple.scenekit.scene") }
    /// An AR object.
    public static var arReferenceObject: UTType { UTType(declared: "com.apple.arobject") }
}

// MARK: Source code

extension UTType {
    /// Swift source.
    public static var swiftSource: UTType { UTType(declared: "public.swift-source") }
    /// C source.
    public static var cSource: UTType { UTType(declared: "public.c-source") }
    /// A C header.
    public static var cHeader: UTType { UTType(declared: "public.c-header") }
    /// C++ source.
    public static var cPlusPlusSource: UTType { UTType(declared: "public.c-plus-plus-source") }
    /// A C++ header.
    public static var cPlusPlusHeader: UTType { UTType(declared: "public.c-plus-plus-header") }
    /// Objective-C source.
    public static var objectiveCSource: UTType { UTType(declared: "public.objective-c-source") }
    /// Objective-C++ source.
    public static var objectiveCPlusPlusSource: UTType {
        UTType(declared: "public.objective-c-plus-plus-source")
    }
    /// Assembly source.
    public static var assemblyLanguageSource: UTType { UTType(declared: "public.assembly-source") }
    /// JavaScript source.
    public static var javaScript: UTType { UTType(declared: "com.netscape.javascript-source") }
    /// A shell script.
    public static var shellScript: UTType { UTType(declared: "public.shell-script") }
    /// A Python script.
    public static var pythonScript: UTType { UTType(declared: "public.python-script") }
    /// A Perl script.
    public static var perlScript: UTType { UTType(declared: "public.perl-script") }
    /// A Ruby script.
    public static var rubyScript: UTType { UTType(declared: "public.ruby-script") }
    /// A PHP script.
    public static var phpScript: UTType { UTType(declared: "public.php-script") }
    /// A makefile.
    public static var makefile: UTType { UTType(declared: "public.make-source") }
    /// AppleScript source.
    public static var appleScript: UTType { UTType(declared: "com.apple.applescript.text") }
    /// A compiled script.
    public static var osaScript: UTType { UTType(declared: "com.apple.applescript.script") }
    /// A script bundle.
    public static var osaScriptBundle: UTType { UTType(declared: "com.apple.applescript.script-bundle") }
}

// MARK: Archives / security

extension UTType {
    /// A ZIP archive.
    public static var zip: UTType { UTType(declared: "public.zip-archive") }
    /// A gzip archive.
    public static var gzip: UTType { UTType(declared: "org.gnu.gnu-zip-archive") }
    /// A bzip2 archive.
    public static var bz2: UTType { UTType(declared: "public.bzip2-archive") }
    /// A tar archive.
    public static var tarArchive: UTType { UTType(declared: "public.tar-archive") }
    /// An Apple archive.
    public static var appleArchive: UTType { UTType(declared: "com.apple.archive") }
    /// A PKCS #12 container.
    public static var pkcs12: UTType { UTType(declared: "com.rsa.pkcs-12") }
    /// A certificate.
    public static var x509Certificate: UTType { UTType(declared: "public.x509-certificate") }
}

// MARK: Apps / system

extension UTType {
    /// An application.
    public static var application: UTType { UTType(declared: "com.apple.application") }
    /// An application that is a bundle.
    public static var applicationBundle: UTType { UTType(declared: "com.apple.application-bundle") }
    /// An app extension.
    public static var applicationExtension: UTType {
        UTType(declared: "com.apple.application-and-system-extension")
    }
    /// A framework.
    public static var framework: UTType { UTType(declared: "com.apple.framework") }
    /// An XPC service.
    public static var xpcService: UTType { UTType(declared: "com.apple.xpc-service") }
    /// A Spotlight importer.
    public static var spotlightImporter: UTType { UTType(declared: "com.apple.metadata-importer") }
    /// A Quick Look generator.
    public static var quickLookGenerator: UTType { UTType(declared: "com.apple.quicklook-generator") }
    /// A preference pane.
    public static var systemPreferencesPane: UTType {
        UTType(declared: "com.apple.systempreference.prefpane")
    }
    /// A program for Unix.
    public static var unixExecutable: UTType { UTType(declared: "public.unix-executable") }
    /// A program for Windows.
    public static var exe: UTType { UTType(declared: "com.microsoft.windows-executable") }
    /// A font.
    public static var font: UTType { UTType(declared: "public.font") }
    /// An internet location.
    public static var internetLocation: UTType { UTType(declared: "com.apple.internet-location") }
    /// An internet shortcut.
    public static var internetShortcut: UTType { UTType(declared: "com.microsoft.internet-shortcut") }
    /// A haptic pattern.
    public static var ahap: UTType { UTType(declared: "com.apple.haptics.ahap") }
}
