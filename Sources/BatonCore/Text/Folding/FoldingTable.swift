/// The table of one kind of folding, which has the replacement of each non-ASCII scalar that changes.
///
/// A run is a range of scalars that follow one replacement rule. It is encoded in one number: the first scalar from bit
/// 43, the number of further scalars from bit 26, the kind of rule from bit 24, and the rule's operand below that. Runs
/// are in ascending order. In the first plane, no run crosses a page of 256 scalars.
struct FoldingTable {
    /// The runs, and for each page of 256 scalars in the first plane the index of its first run.
    private let runs: [UInt64], pages: [UInt16]

    /// The replacement rule for the scalars of a run.
    private enum Kind: UInt64 {
        /// Each scalar is replaced by the one at a fixed distance.
        case shifted
        /// In each pair of scalars, the first is replaced by the second.
        case everyOther
        /// Each scalar is replaced by a value from the list `values`.
        case spelled
        /// Each scalar is removed.
        case dropped
    }

    /// Returns the table of a folding.
    static func of(_ folding: Folding) -> FoldingTable {
        switch (folding.contains(.letterCase), folding.contains(.diacritics)) {
        case (false, false): FoldingTable(runs: decomposingRuns, pages: decomposingPages)
        case (true, false): FoldingTable(runs: lettersOnlyRuns, pages: lettersOnlyPages)
        case (false, true): FoldingTable(runs: marksOnlyRuns, pages: marksOnlyPages)
        case (true, true): FoldingTable(runs: bothRuns, pages: bothPages)
        }
    }

    /// Passes the replacement of a scalar to the closure.
    @inline(__always)
    func fold(_ value: UInt32, _ take: (UInt32) -> Void) {
        guard let run = run(of: value) else { return take(value) }
        let offset = value - UInt32(run >> 43)
        switch Kind(rawValue: run >> 24 & 3) {
        case .shifted:
            // The distance is sign-extended from its 24 bits.
            take(UInt32(truncatingIfNeeded: Int(value) + Int(Int64(bitPattern: run << 40) >> 40)))
        case .everyOther: take(value + (offset & 1 == 0 ? 1 : 0))
        case .spelled: spell(Self.values[Int(run & 0xff_ffff) + Int(offset)], take)
        case .dropped, nil: break
        }
    }

    /// Passes the scalars of a value from the list to the closure.
    @inline(__always)
    private func spell(_ value: UInt32, _ take: (UInt32) -> Void) {
        take(value & 0x1f_ffff)
        var place = Int(value >> 21)
        while Self.tails[place] != 0 {
            take(Self.tails[place])
            place += 1
        }
    }

    /// Returns the run that contains a scalar; nil if there is none.
    ///
    /// It is found by binary search among the runs of the scalar's page.
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
    /// Returns the single letter into which a letter and the next scalar combine; nil if they don't combine.
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
            // The arithmetic of Korean syllables is in section 3.12 of the Unicode standard.
            return 0xac00 + ((letter - 0x1100) * 21 + (mark - 0x1161)) * 28
        case 0x11a8...0x11c2 where 0xac00...0xd7a3 ~= letter && (letter - 0xac00) % 28 == 0:
            return letter + (mark - 0x11a7)
        default: return nil
        }
    }
}
