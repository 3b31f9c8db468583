import BatonCore
import Foundation
import Testing

/// Tests of the specification's table of attributes, by which others name them.
///
/// The table is made from the one in the code; `BATON_WRITE_VECTORS=1` writes it anew.
@Suite struct `The page of attributes` {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/BatonCore/BatonCore.docc/Attributes.md")

    @Test func `equals the table in the code`() throws {
        if getenv("BATON_WRITE_VECTORS").map({ String(cString: $0) }) == "1" {
            try Data(Self.text.utf8).write(to: Self.file)
        }
        let written = String(decoding: try Data(contentsOf: Self.file), as: UTF8.self)
        #expect(written == Self.text, "BATON_WRITE_VECTORS=1 writes what has changed")
    }

    private static var text: String {
        introduction
            + Attribute.allCases.map { attribute in
                "| \(attribute.number) | \(attribute.name) | \(attribute.type) | \(attribute.weight) |\n"
            }.joined()
    }

    private static let introduction = """
        # Attributes

        The attributes of items and activities, which are the fields from 32 on.

        ## Overview

        The names are those of Apple's `CSSearchableItemAttributeSet`. A number is never reused for something else.
        Numbers below 32 belong to the record itself; numbers from 32 on that are not listed have no meaning yet. The
        weight says how much a match in the text of an attribute counts in a search; it is not a part of the protocol.

        [Queries](Queries.md) says how a query names an attribute and compares its value.

        The types are property-list values of [the protocol](Protocol.md):

        | type | value |
        | --- | --- |
        | string | string; or, in several languages, dictionary of strings by the code of a language |
        | strings | array of such strings |
        | integer | integer; or a real without a fraction |
        | real, number | real or integer |
        | boolean | boolean; or the integer 0 or 1 |
        | date | date |
        | dates | array of dates |
        | data | data |
        | url | URL |
        | typeIdentifier | string that is not empty: the identifier of a uniform type |
        | persons | array of dictionaries with `handles`, an array of strings, `handleIdentifier`, a string, and perhaps \
        `displayName` and `contactIdentifier`, strings |
        | headers | dictionary of arrays by strings |
        | entity | array of two strings: the kind of entity, and the identifier of one |

        | number | name | type | weight |
        | --- | --- | --- | --- |

        """
}
