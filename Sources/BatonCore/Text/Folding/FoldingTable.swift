/// What one kind of folding does to each scalar beyond ASCII.
///
/// A run is one number: the first scalar from bit 43, how many follow it from bit 26, its kind from bit 24, and what
/// the kind needs in the rest. Runs are ascending and stay within 256 scalars.
struct FoldingTable {
    /// The runs, and for each 256 scalars of the first plane which is the first.
    private let runs: [UInt64], pages: [UInt16]

    /// What happens to the scalars of a run.
    private enum Kind: UInt64 {
        /// Each becomes the one at a distance.
        case shifted
        /// The first of each two becomes the second.
        case everyOther
        /// Each becomes what is listed for it.
        case spelled
        /// Each is left out.
        case dropped
    }

    /// The table for a folding.
    static func of(_ folding: Folding) -> FoldingTable {
        switch (folding.contains(.letterCase), folding.contains(.diacritics)) {
        case (false, false): FoldingTable(runs: decomposingRuns, pages: decomposingPages)
        case (true, false): FoldingTable(runs: lettersOnlyRuns, pages: lettersOnlyPages)
        case (false, true): FoldingTable(runs: marksOnlyRuns, pages: marksOnlyPages)
        case (true, true): FoldingTable(runs: bothRuns, pages: bothPages)
        }
    }

    /// Hands out what a scalar becomes.
    @inline(__always)
    func fold(_ value: UInt32, _ take: (UInt32) -> Void) {
        guard let run = run(of: value) else { return take(value) }
        let offset = value - UInt32(run >> 43)
        switch Kind(rawValue: run >> 24 & 3) {
        case .shifted:
            // Sign-extended from its 24 bits.
            take(UInt32(truncatingIfNeeded: Int(value) + Int(Int64(bitPattern: run << 40) >> 40)))
        case .everyOther: take(value + (offset & 1 == 0 ? 1 : 0))
        case .spelled: spell(Self.values[Int(run & 0xff_ffff) + Int(offset)], take)
        case .dropped, nil: break
        }
    }

    /// Hands out the scalars that a listed value stands for.
    @inline(__always)
    private func spell(_ value: UInt32, _ take: (UInt32) -> Void) {
        take(value & 0x1f_ffff)
        var place = Int(value >> 21)
        while Self.tails[place] != 0 {
            take(Self.tails[place])
            place += 1
        }
    }

    /// The run that a scalar is in, found by halving those of its page.
    @inline(__always)
    private func run(of value: UInt32) -> UInt64? {
        let page = min(Int(value >> 8), 256)
        let first = Int(pages[page])
        var (low, high) = (first, page < 256 ? Int(pages[page + 1]) : runs.count)
        while low < high {
            let middle = (low + high) / 2
            if UInt32(runs[middle] >> 43) <= value { low = middle + 1 } else { high = middle }
        }
        guard low > first else { return nil }
        let run = runs[low - 1]
        return value - UInt32(run >> 43) <= UInt32(run >> 26 & 0x1_ffff) ? run : nil
    }
}

extension FoldingTable {
    /// The one letter that a letter and what follows it are, if they are one.
    static func joining(_ letter: UInt32, _ mark: UInt32) -> UInt32? {
        switch mark {
        case 0x0306, 0x3099, 0x309a:
            let key = UInt64(mark) << 21 | UInt64(letter)
            var (low, high) = (0, letters.count)
            while low < high {
                let middle = (low + high) / 2
                if letters[middle] >> 21 < key { low = middle + 1 } else { high = middle }
            }
            return low < letters.count && letters[low] >> 21 == key ? UInt32(letters[low] & 0x1f_ffff) : nil
        case 0x1161...0x1175 where 0x1100...0x1112 ~= letter:
            // The arithmetic of Korean syllables is that of Unicode, section 3.12.
            return 0xac00 + ((letter - 0x1100) * 21 + (mark - 0x1161)) * 28
        case 0x11a8...0x11c2 where 0xac00...0xd7a3 ~= letter && (letter - 0xac00) % 28 == 0:
            return letter + (mark - 0x11a7)
        default: return nil
        }
    }
}
