import BatonNetwork

/// The reports that the app has in memory, by their identifiers.
enum ReportShelf {
    private static let kept = Monitor<[Int: ReportEntity]>([:])

    static var reports: [Int: ReportEntity] {
        get { kept.change { $0 } }
        set { kept.change { $0 = newValue } }
    }
}
