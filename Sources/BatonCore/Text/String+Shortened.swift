extension String {
    /// The text, or its beginning and an ellipsis if it has more characters than that.
    package func shortened(to count: Int) -> String {
        let beginning = prefix(count)
        return beginning.endIndex == endIndex ? self : beginning.dropLast() + "…"
    }
}
