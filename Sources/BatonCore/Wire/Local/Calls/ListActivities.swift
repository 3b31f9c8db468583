/// Which activities are asked for.
package struct ListActivities: Equatable, Sendable {
    package var extent: Extent
    /// Where the answer before ended.
    package var place: ListPlace?

    package enum Extent: UInt64, Equatable, Sendable {
        /// What is going on, but for what is to be shown here no more.
        case goingOn = 0
        /// The same with that.
        case withForgotten = 1
        /// What has ended, and can still be gone back to.
        case finished = 2
    }

    package init(_ extent: Extent = .goingOn, after place: ListPlace? = nil) {
        (self.extent, self.place) = (extent, place)
    }

    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1, extent == .goingOn ? nil : extent.rawValue) { $0.unsigned($1) }
            fields.field(2, place) { $1.encode(to: &$0) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        self.init()
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1:
                let start = reader.offset
                guard let extent = Extent(rawValue: try reader.unsigned()) else {
                    throw CBORError(.outOfRange, at: start)
                }
                self.extent = extent
            case 2: place = try ListPlace(from: &reader)
            default: break
            }
        }
    }
}
