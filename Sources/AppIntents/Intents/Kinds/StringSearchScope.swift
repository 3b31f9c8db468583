/// A kind of content in which an app can search.
public enum StringSearchScope: Hashable, Sendable {
    /// Any content.
    case general
    /// Films.
    case movies
    /// Series.
    case tv
    /// Videos of people.
    case freeformVideo
}
