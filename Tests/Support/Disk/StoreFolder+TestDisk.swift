import BatonCore
package import BatonStore

extension StoreFolder {
    /// Creates the one folder of a test disk, which must outlive it.
    package init(_ disk: TestDisk) {
        let name = { (path: String) in path.split(separator: "/").last.map(String.init) ?? path }
        self.init(
            path: "", fileSystem: disk.name, exists: { [unowned disk] in disk.exists(name($0)) },
            move: { [unowned disk] (from, to) throws(StoreFailure) in disk.move(name(from), to: name(to)) },
            remove: { [unowned disk] (path) throws(StoreFailure) in disk.remove(name(path)) })
    }
}
