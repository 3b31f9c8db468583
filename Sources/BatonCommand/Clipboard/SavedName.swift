import BatonCore

/// Makes the names under which files from other machines are saved on this machine.
package enum SavedName {
    /// Returns a safe name for each name, in the same order.
    ///
    /// No two of the results are equal.
    package static func safe(_ names: [String]) -> [String] {
        var taken: Set<String> = []
        return names.map { name in
            let first = safe(name)
            var (candidate, number) = (first, 1)
            while !taken.insert(candidate).inserted {
                number += 1
                candidate = numbered(first, number)
            }
            return candidate
        }
    }

    /// Returns a safe name: a file of this name is not hidden and stays in its folder, and no program reads it as an
    /// option.
    ///
    /// A leading dot is replaced, because the next shell would run a file such as `.bashrc`.
    package static func safe(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            let isJoiner = scalar == "\u{200c}" || scalar == "\u{200d}"
            scalars.append(scalar == "/" || scalar.isHidden && !isJoiner ? "_" : scalar)
        }
        var safe = String(scalars)
        if let first = safe.unicodeScalars.first, first == "." || first == "-" || first == "~" {
            safe = "_" + String(safe.unicodeScalars.dropFirst())
        }
        return safe.isEmpty ? "_" : cut(safe, to: CopiedContent.nameBytes)
    }

    /// Shortens a name to `most` bytes, without changing its extension.
    private static func cut(_ name: String, to most: Int) -> String {
        guard name.utf8.count > most else { return name }
        let ending = ending(of: name)
        return name.dropLast(ending.count).description.prefix(fittingBytes: most - ending.utf8.count) + ending
    }

    private static func numbered(_ name: String, _ number: Int) -> String {
        let (ending, mark) = (ending(of: name), " (\(number))")
        let most = CopiedContent.nameBytes - mark.utf8.count - ending.utf8.count
        return name.dropLast(ending.count).description.prefix(fittingBytes: most) + mark + ending
    }

    /// The extension of a name, with its dot.
    ///
    /// An extension of more than 16 bytes does not count as one.
    private static func ending(of name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
        let ending = String(name[dot...])
        return ending.utf8.count <= 16 ? ending : ""
    }
}
