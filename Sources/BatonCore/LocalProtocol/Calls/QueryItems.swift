/// Searches for items that match a query in the language of Core Spotlight, most recently indexed first unless
/// attributes order the items.
///
/// The call has the person's first weekday and time zone, because the node may have been started in another time zone.
package struct QueryItems: ConnectionCall, ReadingCall {
    package typealias Reply = SearchReply
    package static let number = LocalCallNumber.queryItems

    package var query: String
    /// The filter that limits which items are found.
    package var filter: SearchFilter
    /// The maximum number of items to return.
    package var most: Int
    /// The attributes by which the items are sorted before they are sorted by the time of indexing.
    ///
    /// The first attribute counts most.
    package var sorting: [QuerySort]
    /// The time that `$time.now` means in the query.
    package var now: WallTime
    /// The first day of the person's week, as a number that is 0 for Sunday.
    package var firstWeekday: Int64
    /// The person's time zone.
    package var zone: ZoneOffsets

    package init(
        _ query: String, filter: SearchFilter = SearchFilter(), most: Int, sorting: [QuerySort] = [],
        at present: PresentTime
    ) {
        (self.query, self.filter, self.most) = (query, filter, most)
        self.sorting = sorting
        (now, firstWeekday) = (present.now, present.firstWeekday)
        zone = ZoneOffsets(around: present.now, present.offset)
    }

    /// Parses the query; if it has an error, throws a failure that shows the place of the error.
    package func parsed() throws(LocalFailure) -> SearchQuery {
        let present = PresentTime(now, firstWeekday: firstWeekday, offset: zone.offset)
        do throws(QueryFailure) { return try SearchQuery(query, at: present) } catch {
            throw LocalFailure(.usage, "\(error)\n\(error.pointer(in: query))")
        }
    }

    /// Returns the order of the results.
    package func order() throws(LocalFailure) -> QueryOrder {
        guard let order = QueryOrder(sorting) else {
            throw LocalFailure(
                .usage, "A query sorts by at most \(QuerySort.most) attributes, each named as in a query.")
        }
        return order
    }

    /// The range of valid times in milliseconds, which are the years 0 to 9999.
    private static let times = -62_167_219_200_000...253_402_300_799_999 as ClosedRange<Int64>

    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.text(query) }
            fields.field(2, filter.app) { $0.text($1) }
            fields.field(3) { $0.integer(Int64(most)) }
            fields.field(4) { now.encode(to: &$0) }
            fields.field(5) { $0.integer(firstWeekday) }
            fields.field(6) { $0.integer(Int64(zone.first)) }
            fields.field(7) { $0.value(zone.changes) }
            fields.field(8, filter.kind) { $0.text($1.text) }
            fields.field(9, filter.since) { $1.encode(to: &$0) }
            fields.field(10, sorting.isEmpty ? nil : sorting) { $0.value($1) }
            fields.field(11, filter.protections) { $1.encode(to: &$0) }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var query: String?, filter = SearchFilter(), most: Int64?, now: WallTime?, firstWeekday: Int64?
        var (offset, changes): (Int64, [ZoneOffsets.Change]) = (0, [])
        var sorting: [QuerySort] = []
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: query = try reader.text()
            case 2: filter.app = try reader.text()
            case 3: most = try reader.integer()
            case 4: now = try WallTime(from: &reader)
            case 5: firstWeekday = try reader.integer()
            case 6: offset = try reader.integer()
            case 7: changes = try reader.value()
            case 8: filter.kind = SearchFilter.Kind(try reader.text())
            case 9: filter.since = try WallTime(from: &reader)
            case 10: sorting = try reader.value()
            case 11: filter.protections = try Set(from: &reader)
            default: break
            }
        }
        (self.query, self.filter) = (try query.required(1, in: reader), filter)
        (self.most, self.now) = (Int(try most.required(3, in: reader)), try now.required(4, in: reader))
        self.sorting = sorting
        self.firstWeekday = firstWeekday ?? 1
        guard let zone = ZoneOffsets(first: Int(offset), changes: changes),
            Self.times.contains(self.now.milliseconds), 0...6 ~= self.firstWeekday
        else { throw CBORError(.outOfRange, at: reader.offset) }
        self.zone = zone
    }
}

extension QuerySort: LocalValue {
    func encode(to writer: inout CBORWriter) { writer.pair(attribute, isDescending) }

    init(from reader: inout CBORReader) throws(CBORError) {
        let (attribute, isDescending): (String, Bool) = try reader.pair()
        self.init(attribute, isDescending: isDescending)
    }
}

extension ZoneOffsets.Change: LocalValue {
    func encode(to writer: inout CBORWriter) { writer.pair(moment, Int64(offset)) }

    init(from reader: inout CBORReader) throws(CBORError) {
        let (moment, offset): (WallTime, Int64) = try reader.pair()
        self.init(moment, Int(offset))
    }
}
