public import Foundation

extension DisplayRepresentation {
    /// A picture beside a title.
    public struct Image: Equatable, Sendable {
        /// The place of the picture.
        package enum Source: Equatable, Sendable {
            case named(String)
            case system(String)
            case data(Data)
            case url(URL, width: Double?, height: Double?)
        }

        /// The place of the picture.
        package let source: Source
        /// Whether only the shape of the picture is used.
        package let isTemplate: Bool?
        /// The form in which a picture is shown.
        public let displayStyle: DisplayStyle

        private init(_ source: Source, _ isTemplate: Bool?, _ displayStyle: DisplayStyle = .default) {
            (self.source, self.isTemplate, self.displayStyle) = (source, isTemplate, displayStyle)
        }

        /// Creates a picture of the app's resources.
        public init(named name: String, isTemplate: Bool? = nil) { self.init(.named(name), isTemplate) }

        /// Creates a picture of the app's resources with a form.
        public init(named name: String, isTemplate: Bool? = nil, displayStyle: DisplayStyle) {
            self.init(.named(name), isTemplate, displayStyle)
        }

        /// Creates a symbol of the system; Linux shows its name.
        public init(systemName name: String, isTemplate: Bool? = nil) { self.init(.system(name), isTemplate) }

        /// Creates a picture from its bytes.
        public init(data: Data, isTemplate: Bool? = nil) { self.init(.data(data), isTemplate) }

        /// Creates a picture from its bytes with a form.
        public init(data: Data, isTemplate: Bool? = nil, displayStyle: DisplayStyle) {
            self.init(.data(data), isTemplate, displayStyle)
        }

        /// Creates a picture from a file or a page.
        public init(url: URL, isTemplate: Bool? = nil) {
            self.init(.url(url, width: nil, height: nil), isTemplate)
        }

        /// Creates a picture from a file or a page with a form.
        public init(url: URL, isTemplate: Bool? = nil, displayStyle: DisplayStyle) {
            self.init(.url(url, width: nil, height: nil), isTemplate, displayStyle)
        }

        /// Creates a picture of a size from a file or a page.
        public init(url: URL, width: Double, height: Double, isTemplate: Bool? = nil) {
            self.init(.url(url, width: width, height: height), isTemplate)
        }

        /// The form in which a picture is shown.
        public enum DisplayStyle: Sendable {
            /// As it is.
            case `default`
            /// Cut to a circle.
            case circular
        }
    }
}
