import BatonCore

/// The names under which files of other machines are saved here.
package enum SavedName {
    /// Returns safe names in the same order, each of them different.
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

    /// Returns a name that stays in its folder, that no program reads as an option, and that is not hidden.
    ///
    /// A file such as `.bashrc` would be run by the next shell, so a leading dot is removed.
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

    /// Shortens a name, but not its ending.
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

    /// The last dot of a name with what follows, if that is short.
    private static func ending(of name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
        let ending = String(name[dot...])
        return ending.utf8.count <= 16 ? ending : ""
    }
}
