/// The work of one thread of a program between two dumps of callgrind.
struct ExecutedPart {
    /// The number of the dump that ends it; the threads of a program share it.
    var dump = 0
    var thread = 0
    var ending = Ending.mark

    struct Call: Hashable {
        let caller, called: String
    }

    struct Calls {
        var count = 0
        /// How many instructions were executed in all of them, with all that was called from there.
        var instructions = 0

        static func + (left: Self, right: Self) -> Self {
            Self(count: left.count + right.count, instructions: left.instructions + right.instructions)
        }
    }

    /// Why callgrind dumped.
    enum Ending: Equatable {
        /// It was told to.
        case mark
        /// This function was about to begin.
        case function(String)
        /// The program ended.
        case exit
    }

    /// How many instructions each function executed itself, without those that it called.
    var instructions: [String: Int] = [:]
    /// The calls from one function to another.
    var calls: [Call: Calls] = [:]
    /// The cache lines of code that were executed, by their place in memory.
    var cacheLines: Set<UInt64> = []

    var instructionCount: Int { instructions.values.reduce(0, +) }

    /// How often memory was taken.
    var allocations: Int {
        count { ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"].contains($0) }
    }

    /// How often the runtime of Swift looked for a type, a conformance or an associated type.
    var metadataLookups: Int { count { $0.hasPrefix("swift_") && Self.isLookup($0) } }

    private func count(where isMeant: (String) -> Bool) -> Int {
        calls.reduce(0) { isMeant($1.key.called) ? $0 + $1.value.count : $0 }
    }

    private static func isLookup(_ name: String) -> Bool {
        [
            "swift_getGenericMetadata", "swift_getTypeByMangledName", "swift_getSingletonMetadata",
            "swift_conformsToProtocol", "swift_getAssociatedTypeWitness",
            "swift_getAssociatedConformanceWitness",
            "swift_getWitnessTable", "swift_getOpaqueTypeConformance", "swift_getTupleTypeMetadata",
            "swift_getFunctionTypeMetadata", "swift_getExistentialTypeMetadata", "swift_checkMetadataState",
            "swift_dynamicCast",
        ].contains { name.hasPrefix($0) }
    }

    mutating func add(_ other: ExecutedPart) {
        instructions.merge(other.instructions, uniquingKeysWith: +)
        calls.merge(other.calls, uniquingKeysWith: +)
        cacheLines.formUnion(other.cacheLines)
    }
}

// MARK: Reading callgrind's files

extension ExecutedPart {
    /// Reads a file that callgrind wrote with `--dump-instr=yes --dump-line=no --compress-pos=no`.
    init(callgrindFile bytes: [UInt8]) throws {
        var names: [Substring: String] = [:]
        var function = ""
        /// Whether the next line of costs belongs to a call, and thus to the function that was called.
        var isCall = false
        var called = ""
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("0x") {
                let words = line.split(separator: " ")
                guard let place = UInt64(words[0].dropFirst(2), radix: 16),
                    let cost = words.last.flatMap({ Int($0) })
                else { throw BenchmarkFailure("callgrind wrote a line that can't be read: \(line)") }
                if isCall {
                    calls[Call(caller: function, called: called), default: Calls()].instructions += cost
                    isCall = false
                    continue
                }
                instructions[function, default: 0] += cost
                cacheLines.insert(place / 64)
            } else if line.hasPrefix("fn=") {
                function = Self.name(line.dropFirst(3), &names)
            } else if line.hasPrefix("cfn=") {
                called = Self.name(line.dropFirst(4), &names)
            } else if line.hasPrefix("calls=") {
                let count = line.dropFirst(6).split(separator: " ").first.flatMap { Int($0) }
                guard let count else {
                    throw BenchmarkFailure("callgrind wrote a call that can't be read: \(line)")
                }
                calls[Call(caller: function, called: called), default: Calls()].count += count
                isCall = true
            } else if line.hasPrefix("part: ") {
                dump = Int(line.dropFirst(6)) ?? 0
            } else if line.hasPrefix("thread: ") {
                thread = Int(line.dropFirst(8)) ?? 0
            } else if line.hasPrefix("desc: Trigger: --dump-before=") {
                ending = .function(String(line.dropFirst(29)))
            } else if line == "desc: Trigger: Program termination" {
                ending = .exit
            }
        }
    }

    /// Returns the name that a number in parentheses stands for; the first time the name follows it.
    private static func name(_ text: Substring, _ names: inout [Substring: String]) -> String {
        guard let end = text.firstIndex(of: ")") else { return String(text) }
        let number = text[...end]
        let rest = text[text.index(after: end)...].drop { $0 == " " }
        if !rest.isEmpty { names[number] = withoutRecursion(rest) }
        return names[number, default: ""]
    }

    /// Returns the name of a function without the level of recursion that callgrind adds to it.
    private static func withoutRecursion(_ name: Substring) -> String {
        guard let mark = name.lastIndex(of: "'"), name[name.index(after: mark)...].allSatisfy(\.isNumber)
        else {
            return String(name)
        }
        return String(name[..<mark])
    }
}
