/// Collects the sections of a collection.
@resultBuilder public struct IntentItemSectionBuilder<Result: _IntentValue> {
    /// Takes a section.
    public static func buildExpression(
        _ section: IntentItemSection<Result>
    ) -> [IntentItemSection<Result>] { [section] }
    /// Takes several sections.
    public static func buildExpression(
        _ sections: [IntentItemSection<Result>]
    ) -> [IntentItemSection<Result>] { sections }
    /// Takes an item, as a section without a title.
    public static func buildExpression(_ item: IntentItem<Result>) -> [IntentItemSection<Result>] {
        [IntentItemSection(items: [item])]
    }
    /// Takes a value, as a section without a title.
    public static func buildExpression(_ value: Result) -> [IntentItemSection<Result>] {
        [IntentItemSection(items: [IntentItem(value)])]
    }
    /// Joins sections.
    public static func buildBlock(_ sections: [IntentItemSection<Result>]...) -> [IntentItemSection<Result>] {
        sections.flatMap { $0 }
    }
    /// Joins the sections of a loop.
    public static func buildArray(_ sections: [[IntentItemSection<Result>]]) -> [IntentItemSection<Result>] {
        sections.flatMap { $0 }
    }
    /// Takes the sections of an `if` without `else`.
    public static func buildOptional(
        _ sections: [IntentItemSection<Result>]?
    ) -> [IntentItemSection<Result>] { sections ?? [] }
    /// Takes the sections of the first branch.
    public static func buildEither(
        first sections: [IntentItemSection<Result>]
    ) -> [IntentItemSection<Result>] { sections }
    /// Takes the sections of the second branch.
    public static func buildEither(
        second sections: [IntentItemSection<Result>]
    ) -> [IntentItemSection<Result>] { sections }
}
