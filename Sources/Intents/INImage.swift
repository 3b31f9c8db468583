public import Foundation

/// A picture of an object, a person or a detail.
open class INImage: NSObject, NSCopying, NSSecureCoding {
    /// The name of the picture in the app's bundle.
    private let name: String?
    /// The bytes of the picture.
    private let data: Data?
    /// The address of the picture.
    private let url: URL?

    /// Creates a picture that has a name in the app's bundle.
    public init(named name: String) {
        (self.name, data, url) = (name, nil, nil)
        super.init()
    }

    /// Creates a picture from the bytes of a file.
    public init(imageData: Data) {
        (name, data, url) = (nil, imageData, nil)
        super.init()
    }

    /// Creates a picture that is at an address; nil if the address is empty.
    public init?(url: URL) {
        guard !url.absoluteString.isEmpty else { return nil }
        (name, data, self.url) = (nil, nil, url)
        super.init()
    }

    /// Returns the picture itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares the names, the bytes and the addresses.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INImage else { return false }
        return name == other.name && data == other.data && url == other.url
    }

    /// A hash value, which is the same for equal pictures.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(name)
        hasher.combine(data)
        hasher.combine(url)
        return hasher.finalize()
    }

    /// The name of the picture, its address, or the number of its bytes.
    open override var description: String {
        "<\(type(of: self)): \(name ?? url?.absoluteString ?? "\(data?.count ?? 0) bytes")>"
    }

    /// Whether pictures can be decoded securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the picture to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(text: name, forKey: Key.name)
        coder.encode(detail: data.map { $0 as NSData }, forKey: Key.data)
        coder.encode(text: url?.absoluteString, forKey: Key.url)
    }

    /// Reads a picture from an archive.
    public required init?(coder: NSCoder) {
        name = coder.decodeText(forKey: Key.name)
        data = coder.decodeDetail(of: NSData.self, forKey: Key.data).map { $0 as Data }
        url = coder.decodeText(forKey: Key.url).flatMap { URL(string: $0) }
        guard name != nil || data != nil || url != nil else { return nil }
        super.init()
    }

    /// The keys of the values in an archive.
    private enum Key {
        static let name = "name"
        static let data = "imageData"
        static let url = "url"
    }
}
