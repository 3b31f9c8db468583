import Foundation
import Testing

extension Machine {
    /// The files in the machine's home that contain a text.
    func files(with text: String) throws -> [String] {
        let files = try #require(FileManager.default.enumerator(atPath: home))
        return files.compactMap { $0 as? String }.filter { name in
            let content = FileManager.default.contents(atPath: home + "/" + name) ?? Data()
            return content.range(of: Data(text.utf8)) != nil
        }
    }
}
