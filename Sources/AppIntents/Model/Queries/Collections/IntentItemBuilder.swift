/// Collects the items of a section.
@resultBuilder public struct IntentItemBuilder<Result: _IntentValue> {
    /// Takes an item.
    public static func buildExpression(_ item: IntentItem<Result>) -> [IntentItem<Result>] { [item] }
    /// Takes several items.
    public static func buildExpression(_ items: [IntentItem<Result>]) -> [IntentItem<Result>] { items }
    /// Takes a value.
    public static func buildExpression(_ value: Result) -> [IntentItem<Result>] { [IntentItem(value)] }
    /// Joins items.
    public static func buildBlock(_ items: [IntentItem<Result>]...) -> [IntentItem<Result>] {
        items.flatMap { $0 }
    }
    /// Joins the items of a loop.
    public static func buildArray(_ items: [[IntentItem<Result>]]) -> [IntentItem<Result>] {
        items.flatMap { $0 }
    }
    /// Takes the items of an `if` without `else`.
    public static func buildOptional(_ items: [IntentItem<Result>]?) -> [IntentItem<Result>] { items ?? [] }
    /// Takes the items of the first branch.
    public static func buildEither(first items: [IntentItem<Result>]) -> [IntentItem<Result>] { items }
    /// Takes the items of the second branch.
    public static func buildEither(second items: [IntentItem<Result>]) -> [IntentItem<Result>] { items }
}
