/// The list of 512 words that show secrets to people; each word encodes nine bits.
package enum Words {
    /// The number of bits that one word encodes.
    package static let bitsPerWord = 9
    /// The number of letters of a word that a person has to type; a shorter word must be typed completely.
    package static let prefixLength = 4

    /// The error for a typed word that is not in the list.
    package struct UnknownWord: Error, Equatable, Sendable, CustomStringConvertible {
        /// The word that was typed.
        package let typed: String
        /// The most similar word in the list; nil if no word is similar.
        package let suggestion: String?

        package var description: String {
            let sentence = "“\(typed)” is not one of the words"
            return suggestion.map { "\(sentence); did you mean “\($0)”?" } ?? "\(sentence)."
        }
    }

    /// Returns the numbers of the words in a text that a person has typed.
    ///
    /// Case is ignored, the words may be abbreviated, and any characters may separate them. Digits are ignored, so that
    /// a person can paste a numbered list.
    package static func numbers(in text: some StringProtocol) throws(UnknownWord) -> [Int] {
        var numbers: [Int] = []
        for typed in text.split(whereSeparator: { !$0.isLetter }) {
            numbers.append(try number(of: typed.prefix(maximumTypedLength).lowercased()))
        }
        return numbers
    }

    /// Returns the number of a typed word, which must be in lower case.
    private static func number(of typed: String) throws(UnknownWord) -> Int {
        let index = firstIndex(notBefore: typed)
        guard index < all.count, all[index].hasPrefix(typed),
            typed.utf8.count >= prefixLength || typed == all[index]
        else {
            let isBeginning =
                typed.utf8.count + 1 >= prefixLength && index < all.count && all[index].hasPrefix(typed)
            throw UnknownWord(typed: typed, suggestion: isBeginning ? all[index] : closestWord(to: typed))
        }
        return index
    }

    /// Returns the index of the first word of the list that is not sorted before the text.
    private static func firstIndex(notBefore text: String) -> Int {
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle] < text { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The number of letters of a typed word that are compared with the list, and repeated in an error.
    private static let maximumTypedLength = 20
    /// The largest number of edits between a typed word and the word that is suggested for it.
    private static let maximumEdits = 2

    /// Returns the word with the smallest edit distance; nil if that word is not similar enough.
    private static func closestWord(to typed: String) -> String? {
        var best: (word: String, edits: Int)?
        for word in all {
            let edits = editDistance(from: Array(word.utf8), to: Array(typed.utf8))
            if edits < best?.edits ?? .max { best = (word, edits) }
        }
        return best.flatMap { $0.edits <= min(maximumEdits, typed.utf8.count / 2) ? $0.word : nil }
    }

    /// Returns the edit distance: the number of letters that must be inserted, removed, changed, or swapped with the
    /// next.
    package static func editDistance(from word: [UInt8], to typed: [UInt8]) -> Int {
        var before: [Int] = []
        var last = Array(0...typed.count)
        for (row, letter) in word.enumerated() {
            var next = [row + 1]
            for (column, other) in typed.enumerated() {
                var least = min(
                    last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, letter == typed[column - 1], word[row - 1] == other {
                    least = min(least, before[column - 1] + 1)
                }
                next.append(least)
            }
            (before, last) = (last, next)
        }
        return last[typed.count]
    }

    /// Returns the numbers of the words that encode the bytes: nine bits for each word, most significant bits first.
    ///
    /// Bits at the end that do not fill a word are ignored.
    package static func numbers(of bytes: some Collection<UInt8>) -> [Int] {
        var (numbers, gathered, count): ([Int], Int, Int) = ([], 0, 0)
        for byte in bytes {
            gathered = gathered << 8 | Int(byte)
            count += 8
            if count >= bitsPerWord {
                count -= bitsPerWord
                numbers.append(gathered >> count)
                gathered &= 1 << count - 1
            }
        }
        return numbers
    }

    /// Returns the bytes that the words with these numbers encode; bits that do not fill a byte are ignored.
    package static func bytes(of numbers: some Collection<Int>) -> [UInt8] {
        var (bytes, gathered, count): ([UInt8], Int, Int) = ([], 0, 0)
        for number in numbers {
            gathered = gathered << bitsPerWord | number
            count += bitsPerWord
            while count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: gathered >> count))
                gathered &= 1 << count - 1
            }
        }
        return bytes
    }

    /// Returns the words with these numbers, joined with hyphens.
    static func phrase(_ numbers: some Collection<Int>) -> String {
        numbers.map { all[$0] }.joined(separator: "-")
    }

    // MARK: The list

    /// All words in alphabetical order; the index of a word is its number, and the protocol depends on it.
    ///
    /// The first three letters of each word are unique, no two words sound alike, and no single edit changes one word
    /// into another. Tests check this.
    package static let all: [String] = text.split(whereSeparator: \.isWhitespace).map(String.init)

    private static let text = """
        abacus above absorb academy accent acorn across actor adapt adjust admire adult advice agency agile
        agree ahead airport aisle alarm album alert algae alive almond alpine amber ample amuse anchor
        angle answer anvil apron aqua arctic arena argue aroma array artist ash aspen asset athlete atlas
        atom atrium aunt autumn avenue azure bagel baker balcony bamboo banner barn basil bath bay beacon
        beetle begin berry better beyond bicycle birch bison blazer blend blossom board bobcat bold bonsai
        book borrow bouquet box branch bread brick broom brush bucket budget buffalo bulb bundle button
        buyer cabin cactus cadet calf camera canal capsule carpet castle cement center cereal change cherry
        chorus cider cinema circle city civic clean cliff cloud coach cobalt collar comet cookie coral
        cosmic cotton cougar cow coyote cradle crew crisp crystal cube curve custom cycle daisy dance
        dapper daring dazzle delta design device dew diamond diesel direct disk diver doctor dolphin domain
        donkey door double dove drama dress drift drum duck dune dust eagle early east echo eclipse editor
        effort elastic elbow elm emerald empty enamel energy engine enjoy epic escape essay estate event
        expert extra fabric falcon family farm figure fire flavor fleece flint flock flute fly focus folder
        forest frame fresh friend frog fruit fuel galaxy garage gather gecko gentle giant gift ginger
        giraffe give glass glider glow glue gnome goblet goggles gondola gorilla gourd grape green grid
        grocer guest gull habit hammer handle happy hatch hawk hazel heart helmet hill history hollow
        honest hope horn hotel house hover huddle hundred iceberg icing igloo iguana image index input
        insect invite iris iron island ivory ivy jacket jade jaguar javelin jazz jeans jelly jewel jigsaw
        jogger joke jolt journey joy judge jungle keeper kelp ketchup key kick kiosk kitchen kiwi knee knit
        koala ladder lagoon lamb land laugh lava layer league legend lemon leopard lesson level light lily
        linen lion lizard llama lobby loop lotus lullaby lunar magic mango marble mask meadow melody memory
        milk mirror mist money morning mosaic movie much mug mule museum napkin native navy nectar nest
        nickel novel nutmeg nylon oak oasis oatmeal octopus office opera optic orange orbit orchid order
        organ origin ostrich oval oven owl owner oxygen oyster painter palm park pasta peach pebble pelican
        pencil pepper petal phone piano pickle piglet pilot pine pirate pixel pizza plum polar poppy
        pretzel prism puffin pupil purple puzzle pyramid quail quilt raccoon radio rafter raisin ramp
        random rattle raven record redwood rescue reward ridge robin rocket root round saddle safari salad
        sandal saturn sauce scarf school science scout season secret shadow shelf ship shuttle signal
        silver sketch sky slope snow soap soccer sphere sponge step story straw style sugar summer sunny
        super swan system tablet tall tape tavern tent thunder ticket tiger timber title today tomato torch
        tower train tree trophy truck tulip tunnel union urban valve vanilla vapor vault vector velvet
        venus verse video view village vinegar violet vivid volume waffle wagon waltz water wave wax web
        weekend welcome wheat willow winner wisdom wolf wonder world wrist yacht yard yellow yoga young
        zebra zero zigzag zinc
        """
}
