/// The declaration of a type, by the system or the app.
struct TypeDeclaration: Sendable {
    /// The identifier in its usual upper and lower case.
    let identifier: String
    /// The identifiers of the types that this type conforms to directly.
    var parents: [String]
    /// The extensions of files of the type, the preferred one first.
    let extensions: [String]
    /// The MIME types of the type, the preferred one first.
    let mimeTypes: [String]
    /// A short description in English; empty if there is none.
    let summary: String

    /// Creates a declaration from lists whose elements are separated by spaces; an extension begins with a dot.
    fileprivate init(_ identifier: String, _ parents: String, _ tags: String, _ summary: String) {
        let tags = tags.split(separator: " ").map(String.init)
        (self.identifier, self.summary) = (identifier, summary)
        self.parents = parents.split(separator: " ").map(String.init)
        extensions = tags.filter { $0.hasPrefix(".") }.map { String($0.dropFirst()) }
        mimeTypes = tags.filter { !$0.hasPrefix(".") }
    }

    /// Creates the declaration of a type that has parents, but no tags and no description.
    init(_ identifier: String, conformingTo parents: [String]) {
        (self.identifier, self.parents, summary) = (identifier, parents, "")
        (extensions, mimeTypes) = ([], [])
    }
}

extension TypeDeclaration {
    /// The types that are declared on every machine.
    ///
    /// If two types have the same tag, the type that is listed first is preferred.
    static var system: [TypeDeclaration] { constants + others }

    /// The types that have a constant, and the types that these conform to.
    private static var constants: [TypeDeclaration] {
        [
            TypeDeclaration("public.item", "", "", "item"),
            TypeDeclaration("public.content", "", "", "content"),
            TypeDeclaration("public.composite-content", "public.content", "", "compound content"),
            TypeDeclaration("public.data", "public.item", "application/octet-stream", "data"),
            TypeDeclaration("public.directory", "public.item", "inode/directory", "folder"),
            TypeDeclaration("public.folder", "public.directory", "", "folder"),
            TypeDeclaration("public.volume", "public.folder", "", "volume"),
            TypeDeclaration("com.apple.package", "public.directory", "", "package"),
            TypeDeclaration("com.apple.bundle", "public.directory", ".bundle", "bundle"),
            TypeDeclaration("com.apple.plugin", "com.apple.bundle com.apple.package", ".plugin", "plug-in"),
            TypeDeclaration("com.apple.resolvable", "", "", "reference"),
            TypeDeclaration(
                "public.symlink", "public.item com.apple.resolvable", "inode/symlink", "symbolic link"),
            TypeDeclaration("com.apple.alias-file", "public.data com.apple.resolvable", "", "alias"),
            TypeDeclaration(
                "com.apple.mount-point", "public.item com.apple.resolvable", "inode/mount-point",
                "mount point"),
            TypeDeclaration("public.disk-image", "public.archive", "", "disk image"),
            TypeDeclaration("public.executable", "public.item", "", "executable"),
            TypeDeclaration("public.archive", "", "", "archive"),
            TypeDeclaration("public.bookmark", "", "", "bookmark"),
            TypeDeclaration("public.url", "public.data", "", "URL"),
            TypeDeclaration("public.file-url", "public.url", "", "file URL"),
            TypeDeclaration("com.apple.bookmark", "public.data com.apple.resolvable", "", "bookmark"),
            TypeDeclaration("public.text", "public.data public.content", "", "text"),
            TypeDeclaration("public.plain-text", "public.text", ".txt .text text/plain", "plain text"),
            TypeDeclaration(
                "public.utf8-plain-text", "public.plain-text", "text/plain;charset=utf-8",
                "plain text (UTF-8)"),
            TypeDeclaration(
                "public.utf16-plain-text", "public.plain-text", "text/plain;charset=utf-16",
                "plain text (UTF-16)"),
            TypeDeclaration(
                "public.utf16-external-plain-text", "public.plain-text", "",
                "plain text (UTF-16 with byte order)"),
            TypeDeclaration("public.delimited-values-text", "public.text", "", "delimited text"),
            TypeDeclaration(
                "public.comma-separated-values-text", "public.delimited-values-text",
                ".csv text/csv text/comma-separated-values", "CSV text"),
            TypeDeclaration(
                "public.tab-separated-values-text", "public.delimited-values-text",
                ".tsv text/tab-separated-values", "TSV text"),
            TypeDeclaration(
                "public.utf8-tab-separated-values-text",
                "public.tab-separated-values-text public.utf8-plain-text", "", "TSV text (UTF-8)"),
            TypeDeclaration("public.rtf", "public.text", ".rtf text/rtf application/rtf", "RTF text"),
            TypeDeclaration("public.html", "public.text", ".html .htm .shtml .shtm text/html", "HTML text"),
            TypeDeclaration("public.xml", "public.text", ".xml application/xml text/xml", "XML text"),
            TypeDeclaration(
                "public.yaml", "public.text", ".yml .yaml application/x-yaml text/yaml application/yaml",
                "YAML text"),
            TypeDeclaration("public.json", "public.text", ".json application/json", "JSON text"),
            TypeDeclaration("public.css", "public.text", ".css text/css", "CSS text"),
            TypeDeclaration("public.log", "", "", "log"),
            TypeDeclaration("public.source-code", "public.plain-text", "", "source code"),
            TypeDeclaration("public.script", "public.source-code", "", "script"),
            TypeDeclaration(
                "com.adobe.pdf", "public.data public.composite-content", ".pdf application/pdf",
                "PDF document"),
            TypeDeclaration(
                "com.apple.rtfd", "com.apple.package public.composite-content", ".rtfd",
                "rich text with attachments"),
            TypeDeclaration(
                "com.apple.flat-rtfd", "public.data public.composite-content", "",
                "rich text with attachments"),
            TypeDeclaration(
                "com.apple.webarchive", "public.data public.composite-content",
                ".webarchive application/x-webarchive", "web archive"),
            TypeDeclaration(
                "org.idpf.epub-container", "public.data public.composite-content",
                ".epub application/epub+zip", "EPUB document"),
            TypeDeclaration("public.spreadsheet", "public.content", "", "spreadsheet"),
            TypeDeclaration("public.presentation", "public.composite-content", "", "presentation"),
            TypeDeclaration("public.database", "", "", "database"),
            TypeDeclaration("com.apple.property-list", "public.data", ".plist", "property list"),
            TypeDeclaration(
                "com.apple.xml-property-list", "public.xml com.apple.property-list", "", "XML property list"),
            TypeDeclaration(
                "com.apple.binary-property-list", "com.apple.property-list", "", "binary property list"),
            TypeDeclaration("public.geojson", "public.json", ".geojson application/geo+json", "GeoJSON text"),
            TypeDeclaration("com.apple.linkpresentation.metadata", "public.data", "", "link"),
            TypeDeclaration("public.message", "", "", "message"),
            TypeDeclaration(
                "public.email-message", "public.data public.message", ".eml message/rfc822", "email message"),
            TypeDeclaration("public.contact", "", "", "contact"),
            TypeDeclaration(
                "public.vcard", "public.text public.contact",
                ".vcf .vcard text/vcard text/directory text/x-vcard", "vCard"),
            TypeDeclaration("public.calendar-event", "", "", "calendar event"),
            TypeDeclaration("public.to-do-item", "", "", "to-do item"),
            TypeDeclaration("public.image", "public.data public.content", "", "image"),
            TypeDeclaration(
                "public.jpeg", "public.image", ".jpeg .jpg .jpe image/jpeg image/jpg", "JPEG image"),
            TypeDeclaration("public.png", "public.image", ".png image/png", "PNG image"),
            TypeDeclaration("com.compuserve.gif", "public.image", ".gif image/gif", "GIF image"),
            TypeDeclaration("public.tiff", "public.image", ".tiff .tif image/tiff", "TIFF image"),
            TypeDeclaration(
                "com.microsoft.bmp", "public.image", ".bmp .dib image/bmp image/x-ms-bmp",
                "Windows bitmap image"),
            TypeDeclaration("public.heif", "public.heif-standard", ".heif image/heif", "HEIF image"),
            TypeDeclaration("public.heic", "public.heif-standard", ".heic image/heic", "HEIC image"),
            TypeDeclaration(
                "public.heics", "public.heif-standard", ".heics image/heic-sequence", "HEIC image sequence"),
            TypeDeclaration("org.webmproject.webp", "public.image", ".webp image/webp", "WebP image"),
            TypeDeclaration("public.svg-image", "public.image", ".svg .svgz image/svg+xml", "SVG image"),
            TypeDeclaration("public.camera-raw-image", "public.image", ".raw", "camera image"),
            TypeDeclaration("com.adobe.raw-image", "public.image", ".dng image/x-adobe-dng", "DNG image"),
            TypeDeclaration("com.ilm.openexr-image", "public.image", ".exr image/x-exr", "OpenEXR image"),
            TypeDeclaration("public.jpeg-xl", "public.image", ".jxl image/jxl", "JPEG XL image"),
            TypeDeclaration("com.apple.icns", "public.image", ".icns image/x-icns", "icon"),
            TypeDeclaration(
                "com.microsoft.ico", "public.image", ".ico image/vnd.microsoft.icon image/x-icon",
                "Windows icon"),
            TypeDeclaration("com.apple.live-photo", "public.image", "", "live photo"),
            TypeDeclaration("public.audiovisual-content", "public.data public.content", "", "sound or film"),
            TypeDeclaration("public.audio", "public.audiovisual-content", "", "audio"),
            TypeDeclaration("public.movie", "public.audiovisual-content", "", "movie"),
            TypeDeclaration("public.video", "public.movie", "", "video"),
            TypeDeclaration(
                "public.mp3", "public.audio", ".mp3 .mpga audio/mpeg audio/mp3 audio/x-mp3", "MP3 audio"),
            TypeDeclaration(
                "com.microsoft.waveform-audio", "public.audio",
                ".wav .wave .bwf audio/vnd.wave audio/wav audio/x-wav audio/wave", "WAV audio"),
            TypeDeclaration(
                "public.aiff-audio", "public.aifc-audio", ".aiff .aif audio/aiff audio/x-aiff", "AIFF audio"),
            TypeDeclaration(
                "public.midi-audio", "public.audio", ".midi .mid .smf audio/midi audio/x-midi", "MIDI audio"),
            TypeDeclaration(
                "public.mpeg-4-audio", "public.mpeg-4 public.audio", ".m4a audio/mp4 audio/x-m4a",
                "MPEG-4 audio"),
            TypeDeclaration(
                "com.apple.protected-mpeg-4-audio", "public.audio", ".m4p audio/x-m4p",
                "protected MPEG-4 audio"),
            TypeDeclaration("public.mpeg", "public.movie", ".mpg .mpeg .m75 .m15 video/mpeg", "MPEG movie"),
            TypeDeclaration("public.mpeg-2-video", "public.video", ".m2v video/mpeg2", "MPEG-2 video"),
            TypeDeclaration(
                "public.mpeg-2-transport-stream", "public.movie", ".ts video/mp2t", "MPEG-2 transport stream"),
            TypeDeclaration("public.mpeg-4", "public.movie", ".mp4 .mpg4 video/mp4", "MPEG-4 movie"),
            TypeDeclaration(
                "com.apple.protected-mpeg-4-video", "com.apple.m4v-video", "", "protected MPEG-4 video"),
            TypeDeclaration(
                "com.apple.quicktime-movie", "public.movie", ".mov .qt video/quicktime", "QuickTime movie"),
            TypeDeclaration(
                "public.avi", "public.movie", ".avi .vfw video/avi video/x-msvideo video/msvideo", "AVI movie"
            ),
            TypeDeclaration("public.playlist", "", "", "playlist"),
            TypeDeclaration(
                "public.m3u-playlist", "public.text public.playlist", ".m3u audio/mpegurl audio/x-mpegurl",
                "M3U playlist"),
            TypeDeclaration("public.3d-content", "public.content", "", "3D content"),
            TypeDeclaration(
                "com.pixar.universal-scene-description", "public.3d-content public.data",
                ".usd .usda .usdc model/vnd.usd", "USD scene"),
            TypeDeclaration(
                "com.pixar.universal-scene-description-mobile", "public.3d-content public.data",
                ".usdz model/vnd.usdz+zip", "USDZ scene"),
            TypeDeclaration(
                "com.apple.reality", "public.data", ".reality model/vnd.reality", "Reality scene"),
            TypeDeclaration(
                "com.apple.scenekit.scene", "public.3d-content public.data", ".scn", "SceneKit scene"),
            TypeDeclaration("com.apple.arobject", "public.data", ".arobject", "AR object"),
            TypeDeclaration(
                "public.swift-source", "public.source-code", ".swift text/x-swift", "Swift source"),
            TypeDeclaration("public.c-source", "public.source-code", ".c text/x-csrc", "C source"),
            TypeDeclaration("public.c-header", "public.source-code", ".h text/x-chdr", "C header"),
            TypeDeclaration(
                "public.c-plus-plus-source", "public.source-code", ".cp .cpp .cxx .cc .c++ text/x-c++src",
                "C++ source"),
            TypeDeclaration(
                "public.c-plus-plus-header", "public.source-code", ".hh .hpp .hxx .h++ text/x-c++hdr",
                "C++ header"),
            TypeDeclaration(
                "public.objective-c-source", "public.source-code", ".m text/x-objcsrc", "Objective-C source"),
            TypeDeclaration(
                "public.objective-c-plus-plus-source", "public.source-code", ".mm text/x-objc++src",
                "Objective-C++ source"),
            TypeDeclaration(
                "public.assembly-source", "public.source-code", ".s text/x-asm", "assembly source"),
            TypeDeclaration(
                "com.netscape.javascript-source", "public.source-code public.executable",
                ".js .jscript .javascript .mjs text/javascript application/javascript", "JavaScript source"),
            TypeDeclaration(
                "public.shell-script", "public.script",
                ".sh .command text/x-shellscript application/x-sh application/x-shellscript", "shell script"),
            TypeDeclaration(
                "public.python-script", "public.shell-script",
                ".py text/x-python text/x-python-script text/x-python3", "Python script"),
            TypeDeclaration(
                "public.perl-script", "public.shell-script",
                ".pl .pm text/x-perl text/x-perl-script application/x-perl", "Perl script"),
            TypeDeclaration(
                "public.ruby-script", "public.shell-script",
                ".rb .rbw text/x-ruby text/x-ruby-script application/x-ruby", "Ruby script"),
            TypeDeclaration(
                "public.php-script", "public.shell-script",
                ".php .php3 .php4 .ph3 .ph4 .phtml application/x-php text/php text/x-php-script", "PHP script"
            ),
            TypeDeclaration(
                "public.make-source", "public.script", ".mk .mak .make text/x-makefile", "makefile"),
            TypeDeclaration(
                "com.apple.applescript.text", "public.script", ".applescript", "AppleScript source"),
            TypeDeclaration(
                "com.apple.applescript.script", "public.data public.script", ".scpt", "compiled script"),
            TypeDeclaration(
                "com.apple.applescript.script-bundle", "com.apple.bundle com.apple.package public.script",
                ".scptd", "script bundle"),
            TypeDeclaration(
                "public.zip-archive", "com.pkware.zip-archive",
                ".zip application/zip application/x-zip-compressed", "ZIP archive"),
            TypeDeclaration(
                "org.gnu.gnu-zip-archive", "public.data public.archive",
                ".gz .gzip application/gzip application/x-gzip", "gzip archive"),
            TypeDeclaration(
                "public.bzip2-archive", "public.data public.archive",
                ".bz2 .bz application/x-bzip2 application/x-bzip", "bzip2 archive"),
            TypeDeclaration(
                "public.tar-archive", "public.data public.archive", ".tar application/x-tar application/tar",
                "tar archive"),
            TypeDeclaration("com.apple.archive", "public.data public.archive", ".aar", "Apple archive"),
            TypeDeclaration(
                "com.rsa.pkcs-12", "public.data", ".p12 .pfx application/x-pkcs12 application/pkcs12",
                "PKCS #12 container"),
            TypeDeclaration(
                "public.x509-certificate", "public.data",
                ".cer .crt .der application/x-x509-ca-cert application/pkix-cert", "certificate"),
            TypeDeclaration("com.apple.application", "public.executable", "", "application"),
            TypeDeclaration(
                "com.apple.application-bundle", "com.apple.application com.apple.bundle com.apple.package",
                ".app", "application"),
            TypeDeclaration(
                "com.apple.application-and-system-extension", "com.apple.xpc-service", ".appex",
                "app extension"),
            TypeDeclaration("com.apple.framework", "com.apple.bundle", ".framework", "framework"),
            TypeDeclaration(
                "com.apple.xpc-service", "com.apple.bundle com.apple.package", ".xpc", "XPC service"),
            TypeDeclaration(
                "com.apple.metadata-importer", "com.apple.plugin", ".mdimporter", "Spotlight importer"),
            TypeDeclaration(
                "com.apple.quicklook-generator", "com.apple.plugin", ".qlgenerator", "Quick Look generator"),
            TypeDeclaration(
                "com.apple.systempreference.prefpane", "com.apple.package com.apple.bundle", ".prefpane",
                "preference pane"),
            TypeDeclaration(
                "public.unix-executable", "public.data public.executable", "application/x-executable",
                "executable"),
            TypeDeclaration(
                "com.microsoft.windows-executable", "public.data public.executable",
                ".exe application/x-msdownload application/x-ms-dos-executable", "Windows executable"),
            TypeDeclaration("public.font", "public.data", "", "font"),
            TypeDeclaration("com.apple.internet-location", "public.data", "", "internet location"),
            TypeDeclaration(
                "com.microsoft.internet-shortcut", "public.data", ".url application/x-mswinurl",
                "internet shortcut"),
            TypeDeclaration("com.apple.haptics.ahap", "public.data", ".ahap", "haptic pattern"),
            TypeDeclaration(
                "public.heif-standard", "public.image", ".heifs .hif image/heif-sequence", "HEIF image"),
            TypeDeclaration("com.pkware.zip-archive", "public.data public.archive", "", "ZIP archive"),
            TypeDeclaration("public.aifc-audio", "public.audio", ".aifc audio/x-aifc", "AIFC audio"),
            TypeDeclaration("com.apple.m4v-video", "public.movie", ".m4v video/x-m4v", "MPEG-4 video"),
        ]
    }

    /// Types that have no constant, but that apps often use by their identifiers.
    private static var others: [TypeDeclaration] {
        [
            TypeDeclaration("public.voice-audio", "public.audio", "", "voice recording"),
            TypeDeclaration(
                "com.apple.ical.ics", "public.text public.calendar-event", ".ics .ical text/calendar",
                "calendar file"),
            TypeDeclaration(
                "net.daringfireball.markdown", "public.plain-text",
                ".md .markdown .mdown text/markdown text/x-markdown", "Markdown text"),
            TypeDeclaration(
                "com.microsoft.word.doc", "public.data public.composite-content", ".doc application/msword",
                "Word document"),
            TypeDeclaration(
                "org.openxmlformats.wordprocessingml.document", "public.data public.composite-content",
                ".docx application/vnd.openxmlformats-officedocument.wordprocessingml.document",
                "Word document"),
            TypeDeclaration(
                "com.microsoft.excel.xls", "public.data public.spreadsheet",
                ".xls application/vnd.ms-excel application/msexcel", "Excel workbook"),
            TypeDeclaration(
                "org.openxmlformats.spreadsheetml.sheet", "public.data public.spreadsheet",
                ".xlsx application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "Excel workbook"),
            TypeDeclaration(
                "com.microsoft.powerpoint.ppt", "public.data public.presentation",
                ".ppt application/vnd.ms-powerpoint application/mspowerpoint", "PowerPoint presentation"),
            TypeDeclaration(
                "org.openxmlformats.presentationml.presentation", "public.data public.presentation",
                ".pptx application/vnd.openxmlformats-officedocument.presentationml.presentation",
                "PowerPoint presentation"),
            TypeDeclaration(
                "org.oasis-open.opendocument.text", "public.data public.composite-content",
                ".odt application/vnd.oasis.opendocument.text", "OpenDocument text"),
            TypeDeclaration(
                "org.oasis-open.opendocument.spreadsheet", "public.data public.spreadsheet",
                ".ods application/vnd.oasis.opendocument.spreadsheet", "OpenDocument spreadsheet"),
            TypeDeclaration(
                "org.oasis-open.opendocument.presentation", "public.data public.presentation",
                ".odp application/vnd.oasis.opendocument.presentation", "OpenDocument presentation"),
            TypeDeclaration(
                "com.adobe.postscript", "public.data", ".ps application/postscript", "PostScript document"),
            TypeDeclaration(
                "com.adobe.encapsulated-postscript", "com.adobe.postscript",
                ".eps .epsf image/x-eps application/eps", "EPS image"),
            TypeDeclaration(
                "com.adobe.photoshop-image", "public.image", ".psd image/vnd.adobe.photoshop image/x-psd",
                "Photoshop image"),
            TypeDeclaration("public.jpeg-2000", "public.image", ".jp2 image/jp2", "JPEG 2000 image"),
            TypeDeclaration("public.avif", "public.image", ".avif image/avif", "AVIF image"),
            TypeDeclaration(
                "com.truevision.tga-image", "public.image", ".tga image/x-tga image/targa", "TGA image"),
            TypeDeclaration("public.3gpp", "public.movie", ".3gp .3gpp video/3gpp", "3GPP movie"),
            TypeDeclaration("org.webmproject.webm", "public.movie", ".webm video/webm", "WebM movie"),
            TypeDeclaration("org.matroska.mkv", "public.movie", ".mkv video/x-matroska", "Matroska movie"),
            TypeDeclaration("org.xiph.flac", "public.audio", ".flac audio/flac audio/x-flac", "FLAC audio"),
            TypeDeclaration(
                "org.xiph.ogg-audio", "public.audio", ".ogg .oga audio/ogg application/ogg", "Ogg audio"),
            TypeDeclaration("public.ac3-audio", "public.audio", ".ac3 audio/ac3", "AC-3 audio"),
            TypeDeclaration(
                "public.aac-audio", "public.audio", ".aac .adts audio/aac audio/x-aac", "AAC audio"),
            TypeDeclaration("public.truetype-font", "public.font", "", "TrueType font"),
            TypeDeclaration(
                "public.truetype-ttf-font", "public.truetype-font", ".ttf font/ttf application/x-font-ttf",
                "TrueType font"),
            TypeDeclaration(
                "public.opentype-font", "public.font", ".otf font/otf application/x-font-otf", "OpenType font"
            ),
            TypeDeclaration(
                "org.7-zip.7-zip-archive", "public.data public.archive", ".7z application/x-7z-compressed",
                "7-Zip archive"),
            TypeDeclaration(
                "com.rarlab.rar-archive", "public.data public.archive",
                ".rar application/vnd.rar application/x-rar-compressed", "RAR archive"),
            TypeDeclaration(
                "org.tukaani.xz-archive", "public.data public.archive", ".xz application/x-xz", "xz archive"),
            TypeDeclaration(
                "com.sun.java-archive", "com.pkware.zip-archive public.executable",
                ".jar application/java-archive application/x-java-archive", "Java archive"),
            TypeDeclaration(
                "com.sun.java-source", "public.source-code", ".java text/x-java text/x-java-source",
                "Java source"),
            TypeDeclaration("public.xhtml", "public.xml", ".xhtml .xht application/xhtml+xml", "XHTML text"),
            TypeDeclaration(
                "com.apple.disk-image-udif", "public.data public.disk-image",
                ".dmg application/x-apple-diskimage", "disk image"),
            TypeDeclaration("com.apple.log", "public.plain-text public.log", ".log text/x-log", "log"),
        ]
    }

    /// Other identifiers that some references use for a type, and the identifier that is used here.
    static let otherIdentifiers = [
        "public.mount-point": "com.apple.mount-point",
        "public.windows-executable": "com.microsoft.windows-executable",
    ]
}
