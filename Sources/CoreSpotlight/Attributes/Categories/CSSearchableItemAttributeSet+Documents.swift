import BatonCore
public import Foundation

// Attributes of documents.

extension CSSearchableItemAttributeSet {
    /// The subject of the item, such as the subject of a message.
    public var subject: String? {
        get { self[.subject] }
        set { self[.subject] = newValue }
    }

    /// The theme of the content.
    public var theme: String? {
        get { self[.theme] }
        set { self[.theme] = newValue }
    }

    /// A description of the content, which is shown below the title; it should have fewer than 300 characters.
    public var contentDescription: String? {
        get { self[.contentDescription] }
        set { self[.contentDescription] = newValue }
    }

    /// A formal identifier of the content, such as an ISBN; it is not the identifier of the searchable item.
    public var identifier: String? {
        get { self[.identifier] }
        set { self[.identifier] = newValue }
    }

    /// The way in which the file is protected, such as a password.
    public var securityMethod: String? {
        get { self[.securityMethod] }
        set { self[.securityMethod] = newValue }
    }

    /// The app that made the content.
    public var creator: String? {
        get { self[.creator] }
        set { self[.creator] = newValue }
    }

    /// The kind of the item in words; for example, “spreadsheet”.
    public var kind: String? {
        get { self[.kind] }
        set { self[.kind] = newValue }
    }

    /// The groups of people that the content is meant for.
    public var audiences: [String]? {
        get { self[.audiences] }
        set { self[.audiences] = newValue }
    }

    /// The apps that have written the content in its present form.
    public var encodingApplications: [String]? {
        get { self[.encodingApplications] }
        set { self[.encodingApplications] = newValue }
    }

    /// The names of the fonts in the document.
    public var fontNames: [String]? {
        get { self[.fontNames] }
        set { self[.fontNames] = newValue }
    }

    /// The size of the file, in megabytes.
    public var fileSize: NSNumber? {
        get { self[.fileSize] }
        set { self[.fileSize] = newValue }
    }

    /// The number of pages.
    public var pageCount: NSNumber? {
        get { self[.pageCount] }
        set { self[.pageCount] = newValue }
    }

    /// The width of the first page, in points; an inch has 72 points.
    public var pageWidth: NSNumber? {
        get { self[.pageWidth] }
        set { self[.pageWidth] = newValue }
    }

    /// The height of the first page, in points; an inch has 72 points.
    public var pageHeight: NSNumber? {
        get { self[.pageHeight] }
        set { self[.pageHeight] = newValue }
    }
}
