/// The colour of an app's shortcuts; Linux shows none.
public enum ShortcutTileColor: Hashable, Sendable {
    /// A colour.
    case blue, grape, grayBlue, grayBrown, grayGreen, lightBlue, lime, navy, orange, pink, purple, red,
        tangerine, teal, yellow
}
