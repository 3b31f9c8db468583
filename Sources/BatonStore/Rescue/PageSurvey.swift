import BatonCore

/// A B-tree of a database: a table or an index.
struct PageTree: Equatable {
    let name: String
    /// The table whose rows or index the tree has.
    let table: String
    let root: Int
}

/// A survey of a damaged database: whether each page is sound, and which tree leads to it.
///
/// The work is bounded by the number of pages, whatever they contain.
struct PageSurvey {
    let file: PageFile
    /// The trees that the database lists, or those of a new database if the list can't be read.
    let trees: [PageTree]
    /// Whether the list of the trees could be read.
    private(set) var knowsTrees = true
    /// The pages that can't be read.
    private(set) var unsound: [Int] = []
    /// The place of a page's tree in `trees`, plus one; 0 if no tree leads there.
    private var owners: [UInt8]
    /// The trees that may have unreachable pages, because a page that leads to them can't be read.
    private(set) var broken: Set<UInt8> = []
    /// Pages that can't be read and have no rows of a table.
    private var branches: Set<Int> = []

    /// Marks a page that is not in use.
    private static let unused = UInt8.max

    /// Surveys all pages; `usual` has the trees of a new database.
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

    /// Reads which trees the database has; nil if that can't be read.
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

    /// Assigns to a tree the pages to which it leads.
    ///
    /// The leaves are not read: all children of a page are leaves, or none is.
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
                // It is not known whether these pages lead to others, so the tree counts as broken.
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

    /// Returns the kind of the first page that can be read.
    private func firstKind(of pages: [Int]) throws(StoreFailure) -> TreePage.Kind? {
        for number in pages {
            if let page = try file.page(number).flatMap({ TreePage($0, number: number) }) { return page.kind }
        }
        return nil
    }

    /// Marks the unused pages, which are listed from the first page on.
    private mutating func markUnused() throws(StoreFailure) {
        guard var next = try file.page(1)?.fourBytes(at: 32) else { return }
        while assignPage(next, for: Self.unused), let list = try file.page(next) {
            let count = min(list.fourBytes(at: 4), PageFile.usableBytes / 4 - 2)
            for place in 0..<count { _ = assignPage(list.fourBytes(at: 8 + 4 * place), for: Self.unused) }
            next = list.fourBytes(at: 0)
        }
    }

    // MARK: Results

    /// The tree that leads to a page; nil if none does.
    func tree(of page: Int) -> PageTree? {
        owners[page] == 0 || owners[page] == Self.unused ? nil : trees[Int(owners[page]) - 1]
    }

    /// Whether no tree leads to a page that is in use.
    func isStray(_ page: Int) -> Bool { owners[page] == 0 }

    /// Whether rows of these tables may be on pages that can't be reached from the root of their tree.
    func hides(_ tables: Set<String>) -> Bool {
        !knowsTrees || broken.contains { tables.contains(trees[Int($0) - 1].table) }
    }

    /// Whether a tree may have pages that can't be reached from its root.
    func isBroken(_ table: String) -> Bool {
        !knowsTrees || trees.indices.contains { trees[$0].name == table && broken.contains(UInt8($0 + 1)) }
    }

    /// Whether an unreadable page only led to other pages: it is a known branch, or the root of a table with stray
    /// pages.
    func isBranch(_ page: Int, ofTreesWithStrays tables: Set<String>) -> Bool {
        if page == 1 || branches.contains(page) { return true }
        guard let tree = tree(of: page) else { return false }
        return tree.root == page && tables.contains(tree.name)
    }

    /// How many pages of each table can't be read.
    var damagedTables: [DamagedTable] {
        var counts: [String: Int] = [:]
        for page in unsound where owners[page] != Self.unused {
            counts[tree(of: page)?.table ?? "", default: 0] += 1
        }
        return counts.sorted { $0.key < $1.key }
            .map { DamagedTable(name: $0.key.isEmpty ? nil : $0.key, pages: $0.value) }
    }
}

/// A table some of whose pages can't be read.
package struct DamagedTable: Equatable, Sendable {
    /// The name of the table; nil for pages whose table is not known.
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
