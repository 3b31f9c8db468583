import BatonCore

/// The columns of a list, fitted to a number of cells.
struct ListColumns {
    private let title: Int
    /// The cells of the other columns; 0 for a column that is left out.
    private let about: Int
    private let device: Int
    private let age: Int
    private let hasSigns: Bool

    /// The cells between two columns.
    private static let gap = 2
    /// The cells before a row, where the chosen row has its mark.
    static let margin = 2
    /// The fewest cells in which titles, excerpts and names are still distinguishable.
    private static let (titleLeast, aboutLeast, deviceLeast) = (8, 12, 4)

    init(_ rows: [ListRow], width: Int) {
        let widest = { (cell: (ListRow) -> Int) in rows.map(cell).max() ?? 0 }
        hasSigns = rows.contains { !$0.sign.isEmpty }
        var room = width - Self.margin - (hasSigns ? Self.gap : 0)
        var (age, device) = (widest(\.age.width), 0)
        if age > 0, room >= Self.titleLeast + Self.gap + age { room -= Self.gap + age } else { age = 0 }
        let names = min(widest(\.device.width), max(room / 4, Self.deviceLeast))
        if names > 0, room >= Self.titleLeast + Self.gap + names {
            device = names
            room -= Self.gap + names
        }
        let (titles, texts) = (widest(\.title.width), widest(\.about.width))
        // The title matters more than the excerpt, but a long title leaves half of the room to the excerpt.
        let half = max(room / 2, Self.titleLeast)
        let title = texts == 0 ? room : min(titles, max(half, room - Self.gap - texts))
        if texts > 0, room - title - Self.gap >= Self.aboutLeast {
            (self.title, about) = (title, room - title - Self.gap)
        } else {
            (self.title, about) = (max(room, 1), 0)
        }
        (self.device, self.age) = (device, age)
    }

    /// A row as a line, without the margin and without spaces at its end.
    func line(_ row: ListRow) -> MarkedText {
        var (line, place) = (MarkedText(""), 0)
        func add(_ cell: MarkedText, _ width: Int, fromRight: Bool = false) {
            guard width > 0 else { return }
            let cut = cell.cut(to: width)
            if !cut.isEmpty {
                let start = fromRight ? place + width - cut.width : place
                line = line.padded(to: start) + cut.inPlace
            }
            place += width + Self.gap
        }
        // A sign is followed by one cell.
        if hasSigns {
            add(MarkedText(row.sign, .name), 1)
            place -= 1
        }
        add(row.title, title)
        add(row.about, about)
        add(row.device, device)
        add(row.age, age, fromRight: true)
        return row.isDim ? line.dimmed : line
    }
}
