import BatonCore

/// A B-tree of a database, which has a table or an index.
struct PageTree: Equatable {
    let name: String
    /// The name of the table; for an index, the name of the indexed table.
    let table: String
    let root: Int
}

/// A survey of a damaged database, which finds the pages that can't be read and the tree of each page.
///
/// The number of pages limits the work, whatever the pages contain.
struct PageSurvey {
    let file: PageFile
    /// The trees that the database lists.
    ///
    /// If the list can't be read, these are the trees of a new database.
    let trees: [PageTree]
    /// Whether the list of the trees could be read.
    private(set) var knowsTrees = true
    /// The numbers of the pages that can't be read.
    private(set) var unsound: [Int] = []
    /// For each page, the place of its tree in `trees`, plus one; 0 if no tree leads to the page.
    private var owners: [UInt8]
    /// The trees that may have unreachable pages, because a page that leads to other pages can't be read.
    ///
    /// A tree is given by its place in `trees`, plus one.
    private(set) var broken: Set<UInt8> = []
    /// The pages that can't be read and that led to other pages.
    private var branches: Set<Int> = []

    /// The value in `owners` for a page that is not in use.
    private static let unused = UInt8.max

    /// Surveys all pages.
    ///
    /// `usual` has the trees of a new database, for the case that the list of trees can't be read.
    init(_ file: PageFile, like usual: [PageTree], watch: RescueWatch) throws(StoreFailure) {
        self.file = file
        owners = [UInt8](repeating: 0, count: file.count + 1)
        let schema = try Self.schema(file)
        trees = Array((schema ?? usual).prefix(Int(Self.unused) - 1))
        knowsTrees = schema != nil
        for place in trees.indices { try walk(UInt8(place + 1)) }
        if knowsTrees { try markUnused() }
        for number in stride(from: 1, through: file.count, by: 1) {
            if number % 1024 == 0 { try watch.demandGoingOn() }
            if try file.page(number) == nil { unsound.append(number) }
        }
    }

    // MARK: Trees

    /// Reads the list of the trees of the database; returns nil if the list can't be read.
    private static func schema(_ file: PageFile) throws(StoreFailure) -> [PageTree]? {
        var (trees, pending, seen) = (
            [PageTree(name: "sqlite_schema", table: "sqlite_schema", root: 1)], [1], 0
        )
        while let number = pending.popLast() {
            seen += 1
            guard seen <= file.count,
                let page = try file.page(number).flatMap({ TreePage($0, number: number) })
            else { return nil }
            pending += page.children
            let isWhole = try file.visitRows(on: page) { (row) in
                guard row.values.count == 5, case .text(let name) = row.values[1],
                    case .text(let table) = row.values[2], case .integer(let root) = row.values[3], root > 0
                else { return }
                trees.append(PageTree(name: name, table: table, root: Int(root)))
            }
            guard isWhole else { return nil }
        }
        return trees
    }

    /// Assigns the pages to which a tree leads to that tree.
    ///
    /// The leaves are not read. Either all children of a page are leaves, or none of them is, so reading one child
    /// suffices.
    private mutating func walk(_ tree: UInt8) throws(StoreFailure) {
        var pending = [trees[Int(tree) - 1].root]
        if !assignPage(pending[0], for: tree) { return }
        while let number = pending.popLast() {
            guard let page = try file.page(number).flatMap({ TreePage($0, number: number) }) else {
                broken.insert(tree)
                continue
            }
            let children = page.children.filter { assignPage($0, for: tree) }
            guard let kind = try firstKind(of: children) else {
                // No child can be read, so it is unknown whether the children lead to other pages. The tree counts as
                // broken.
                if !children.isEmpty { broken.insert(tree) }
                continue
            }
            if kind == .tableLeaf || kind == .indexLeaf { continue }
            for child in children where try file.page(child) == nil { branches.insert(child) }
            pending += children
        }
    }

    /// Assigns a page to a tree; returns false if the page is already assigned or does not exist.
    private mutating func assignPage(_ number: Int, for tree: UInt8) -> Bool {
        guard number > 0, number < owners.count, owners[number] == 0 else { return false }
        owners[number] = tree
        return true
    }

    /// Returns the kind of the first of these pages that can be read; nil if none can be read.
    private func firstKind(of pages: [Int]) throws(StoreFailure) -> TreePage.Kind? {
        for number in pages {
            if let page = try file.page(number).flatMap({ TreePage($0, number: number) }) { return page.kind }
        }
        return nil
    }

    /// Marks the unused pages.
    ///
    /// The first page has the number of the first page of the list of unused pages.
    private mutating func markUnused() throws(StoreFailure) {
        guard var next = try file.page(1)?.fourBytes(at: 32) else { return }
        while assignPage(next, for: Self.unused), let list = try file.page(next) {
            let count = min(list.fourBytes(at: 4), PageFile.usableBytes / 4 - 2)
            for place in 0..<count { _ = assignPage(list.fourBytes(at: 8 + 4 * place), for: Self.unused) }
            next = list.fourBytes(at: 0)
        }
    }

    // MARK: Results

    /// Returns the tree that leads to a page; nil if no tree does.
    func tree(of page: Int) -> PageTree? {
        owners[page] == 0 || owners[page] == Self.unused ? nil : trees[Int(owners[page]) - 1]
    }

    /// Whether a page may be in use although no tree leads to it.
    func isStray(_ page: Int) -> Bool { owners[page] == 0 }

    /// Whether rows of these tables may be on pages that can't be reached from the roots of their trees.
    func hides(_ tables: Set<String>) -> Bool {
        !knowsTrees || broken.contains { tables.contains(trees[Int($0) - 1].table) }
    }

    /// Whether the tree of a table may have pages that can't be reached from its root.
    func isBroken(_ table: String) -> Bool {
        !knowsTrees || trees.indices.contains { trees[$0].name == table && broken.contains(UInt8($0 + 1)) }
    }

    /// Whether an unreadable page led to other pages, and so had no rows of a numbered table.
    ///
    /// This is so for a known branch, and for the root of a table in `tables`, which have stray pages.
    func isBranch(_ page: Int, ofTreesWithStrays tables: Set<String>) -> Bool {
        if page == 1 || branches.contains(page) { return true }
        guard let tree = tree(of: page) else { return false }
        return tree.root == page && tables.contains(tree.name)
    }

    /// The number of unreadable pages of each table.
    var damagedTables: [DamagedTable] {
        var counts: [String: Int] = [:]
        for page in unsound where owners[page] != Self.unused {
            counts[tree(of: page)?.table ?? "", default: 0] += 1
        }
        return counts.sorted { $0.key < $1.key }
            .map { DamagedTable(name: $0.key.isEmpty ? nil : $0.key, pages: $0.value) }
    }
}

/// A table of which some pages can't be read, and the number of these pages.
package struct DamagedTable: Equatable, Sendable {
    /// The name of the table; nil for pages whose table is unknown.
    package let name: String?
    package let pages: Int

    package init(name: String?, pages: Int) { (self.name, self.pages) = (name, pages) }
}

extension Connection {
    /// Returns the trees of this database.
    func trees() throws(StoreFailure) -> [PageTree] {
        var trees = [PageTree(name: "sqlite_schema", table: "sqlite_schema", root: 1)]
        try statement("SELECT name, tbl_name, rootpage FROM sqlite_schema WHERE rootpage > 0").rows([]) {
            (row) throws(StoreFailure) in
            trees.append(PageTree(name: row.text(0), table: row.text(1), root: Int(row.integer(2))))
            return true
        }
        return trees
    }
}
