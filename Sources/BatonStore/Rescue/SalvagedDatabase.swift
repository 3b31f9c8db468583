import BatonCore

/// A temporary database with the rows that a rescue has read page by page.
///
/// If a page that leads to other pages can't be read, SQLite can't reach the other pages, although they may be sound.
/// Instead, the table to which such a page belongs is recognized by the form of its rows. Unused pages were overwritten
/// with zeros (`PRAGMA secure_delete`), so no removed row comes back.
struct SalvagedDatabase {
    let connection: Connection
    /// Whether some rows could not be read.
    private(set) var hasLosses = false
    private let survey: PageSurvey
    private let shapes: [TableShape]
    /// The tables that have rows on pages to which no tree leads.
    private var strayTables: Set<String> = []

    /// The tables whose rows a rescue copies.
    static let tables = [
        "account", "progress", "lives", "complete", "dropped", "snapshots", "records", "further_writes",
        "notes",
        "batches", "staged",
    ]

    /// The index of the table `lives`.
    ///
    /// It has both columns of the table, too.
    private static let lifeIndex = "sqlite_autoindex_lives_1"

    /// Creates the temporary database at `path`, and fills it from all pages of a damaged database.
    init(
        at path: String, _ survey: PageSurvey, like target: Connection, fileSystem: String?,
        watch: RescueWatch
    ) throws(StoreFailure) {
        self.survey = survey
        shapes = try Self.tables.map { (name) throws(StoreFailure) in try TableShape(name, in: target) }
        connection = try Connection(path: path, fileSystem: fileSystem)
        try connection.apply(.drafting)
        try connection.script("BEGIN")
        for shape in shapes { try connection.script(shape.sql) }
        for number in stride(from: 1, through: survey.file.count, by: 1) {
            if number % 256 == 0 { try watch.demandGoingOn() }
            guard let bytes = try survey.file.page(number) else { continue }
            try read(TreePage(bytes, number: number), number)
        }
        try connection.script("COMMIT")
        // Every database has the row of `progress`. So if the row is missing, rows are lost even if no damaged page
        // shows this.
        let hasProgress = try connection.statement("SELECT 1 FROM progress").first([]) { (_) in true }
        hasLosses = hasLosses || hasProgress == nil || survey.unsound.contains { mayHaveRows($0) }
    }

    /// Whether an unreadable page may have had rows that a rescue copies.
    private func mayHaveRows(_ page: Int) -> Bool {
        if survey.isBranch(page, ofTreesWithStrays: strayTables) {
            // In a table without rowids, branch pages have rows, too.
            return survey.tree(of: page).flatMap { shape($0.name) }.map { !$0.isNumbered } ?? false
        }
        guard let tree = survey.tree(of: page) else { return survey.isStray(page) }
        return shape(tree.name) != nil
    }

    /// Returns the shape of a table; nil if a rescue does not copy the rows of the table.
    private func shape(_ name: String) -> TableShape? { shapes.first { $0.name == name } }

    // MARK: Pages

    /// Copies the rows on a page.
    private mutating func read(_ page: TreePage?, _ number: Int) throws(StoreFailure) {
        guard let page else {
            // If the tree of a table that is copied leads here, rows are lost, because this is not the page of a
            // B-tree.
            if survey.tree(of: number).flatMap({ shape($0.name) }) != nil { hasLosses = true }
            return
        }
        if let tree = survey.tree(of: number) {
            if tree.name == Self.lifeIndex { return try readLives(on: page) }
            guard let shape = shape(tree.name) else { return }
            return try salvagePage(page, as: shape)
        }
        guard survey.isStray(number), let shape = try recognized(page) else { return }
        strayTables.insert(shape.name)
        try salvagePage(page, as: shape)
    }

    /// Returns the table to which the rows on a page belong, by the form of the rows.
    ///
    /// Returns nil if no table fits, or if several tables do.
    ///
    /// Only tables that may have unreachable pages are considered.
    private func recognized(_ page: TreePage) throws(StoreFailure) -> TableShape? {
        guard page.kind != .tableBranch else { return nil }
        var fitting = shapes.filter {
            $0.isNumbered == (page.kind == .tableLeaf) && survey.isBroken($0.name)
        }
        var count = 0
        _ = try survey.file.visitRows(on: page) { (row) in
            count += 1
            fitting.removeAll { $0.values(row) == nil }
        }
        guard count > 0, let first = fitting.first else { return nil }
        // Several tables may fit if a rescue treats their rows alike.
        return fitting.allSatisfy({ $0.name == first.name || Self.areAlike($0, first) }) ? first : nil
    }

    private static func areAlike(_ one: TableShape, _ other: TableShape) -> Bool {
        Set([one.name, other.name]).isSubset(of: ["complete", "dropped"])
    }

    private mutating func salvagePage(_ page: TreePage, as shape: TableShape) throws(StoreFailure) {
        var rows: [[SQLiteValue]] = []
        var isWhole = try survey.file.visitRows(on: page) { (row) in
            if let values = shape.values(row) { rows.append(values) } else { rows.append([]) }
        }
        for row in rows {
            if row.isEmpty { isWhole = false } else { try insert(row, into: shape) }
        }
        if !isWhole { hasLosses = true }
    }

    /// Copies the lives on a page of the index of the table `lives`.
    private func readLives(on page: TreePage) throws(StoreFailure) {
        guard let shape = shape("lives") else { return }
        var lives: [[SQLiteValue]] = []
        _ = try survey.file.visitRows(on: page) { (row) in
            guard row.values.count == 2, case .integer(let number) = row.values[1] else { return }
            if let values = shape.values(PageRow(number: number, values: [.null, row.values[0]])) {
                lives.append(values)
            }
        }
        for life in lives { try insert(life, into: shape) }
    }

    /// Adds a row.
    ///
    /// If a row of `records` conflicts with an earlier one, the row with the later place in the order of arrival is
    /// kept.
    private func insert(_ values: [SQLiteValue], into shape: TableShape) throws(StoreFailure) {
        let places = values.map { _ in "?" }.joined(separator: ", ")
        let statement = try connection.statement("INSERT OR IGNORE INTO \(shape.name) VALUES (\(places))")
        let count = connection.changeCount
        do throws(StoreFailure) {
            try statement.run(values)
            guard connection.changeCount == count, shape.name == "records" else { return }
            try connection.statement(
                "DELETE FROM records WHERE (number = ?1 OR kind = ?2 AND hash = ?3) AND arrival < ?4"
            ).run([values[0], values[1], values[2], values[5]])
            try statement.run(values)
        } catch {
            // If the table refuses the row, the row can't have been in this table.
            guard connection.hasRefusedRow else { throw error }
        }
    }
}
