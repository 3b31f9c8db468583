/// The way in which comparators are joined.
@frozen public enum EntityQueryComparatorMode: Hashable, Sendable {
    /// All must fit.
    case and
    /// One must fit.
    case or
}
